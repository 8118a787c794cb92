package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/simulate/closedset"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// messages are all that is said of sessions, under the names that they have in the golden file.
func messages(t *testing.T) []said {
	t.Helper()
	now := cardtest.Noon()
	permission := question.Thread{ID: "abcdefghijkm", Request: question.Request{Permission: &question.Permission{Kind: "bash", Command: "ls"}}}
	forgotten := question.Thread{
		ID: "abcdefghijkl", Project: "shop-api", Request: cardtest.Asks(cardtest.Database()).Request, Place: session.Place{Title: "fix checkout flow"},
		Outcome: &question.Outcome{Kind: question.OutcomeRestarted},
	}
	asks := []question.Thread{forgotten, permission}
	s := session.Session{ID: "ses_1", Directory: "/src/shop-api", Title: "fix <checkout>", Busy: true, Updated: now.Add(-time.Hour)}
	web := session.Session{ID: "ses_2", Directory: "/src/web"}
	listed := []remote.ListedSession{{Session: s, Chosen: true}, {Session: web, Waits: true, Long: true, End: "b7Qx", Words: "It is\n<done>. " + strings.Repeat("And more. ", 20)}}
	turn := session.Turn{
		Message: "msg_1", Text: "I fixed it & ran the tests.", Began: now.Add(-3 * time.Minute), Ended: now, Files: 2, Added: 10, Removed: 3, Cost: 0.42,
		Todos: []session.Todo{{Text: "find it", State: "completed"}, {Text: "fix it", State: "in_progress"}, {Text: "ship it"}},
	}
	settings := remote.ChatSettings{
		Level: remote.LevelAll, Muted: now.Add(30 * time.Minute), Follow: true, Session: "ses_1", Title: "fix <checkout>",
		Agent: "build", Model: session.Model{Provider: "anthropic", ID: "sonnet"},
	}
	machines := []remote.Machine{
		{Name: "laptop-7", Host: "adas\u202ebox", Seen: now, Waiting: 2, Linked: []remote.Linked{
			{OpenCode: "1.18.33", By: "1.6.0", Protocol: 1}, {OpenCode: "2.0.18", By: "1.4.0", Process: true, Protocol: 2}, {By: "0.9.0", Refused: true},
		}},
		{Name: "desk", Host: "desk", Seen: now.Add(-26 * time.Hour)},
		{Name: "new-one", Waiting: 1},
	}
	file := chat.File{Name: "plan.pdf", Size: 12 << 20}
	choice := ui.Choice{Session: s, Settings: settings, Last: turn, Names: []string{"build", "plan"}, Missing: "release", Page: 1, Pages: 3}
	chosen := ui.Choice{Session: s, Settings: settings, Last: turn, Page: 1, Pages: 3}
	none := session.Session{}
	var all []said
	for _, status := range closedset.Constants(t)["remote.PromptStatus"] {
		p := ui.Prompt{Status: remote.PromptStatus(status), Session: s, Asks: asks, Reason: remote.ReasonAgent, File: file}
		all = append(all, said{name: status, text: p.Text()})
	}
	return append(all, []said{
		{name: "unusable", text: ui.NoPrompt(chat.Voice).Text()},
		{name: "heard", text: ui.Heard("release")},
		{name: "said", text: ui.HeardAnswer("release")},
		{name: "unsaid", text: ui.TypedInstead().Text()},
		{name: "no-file", text: ui.TakesNoFile("release").Text()},
		{name: "late", text: ui.LateOffer(forgotten, s.ID, "release")},
		{name: "turn", text: ui.TurnEnded(s, turn, false)},
		{name: "turn, with a hint", text: ui.TurnEnded(s, turn, true)},
		{name: "live", text: ui.Live(s, remote.LiveWorks, turn, "release")},
		{name: "began", text: ui.Works(s)},
		{name: "nothing", text: ui.DidNothing(s, "release")},
		{name: "retried", text: ui.AsksAgain(s, "release")},
		{name: "using", text: ui.InUse(s)},
		{name: "new", text: ui.NewSession(s)},
		{name: "last", text: ui.LastTurn(s, turn)},
		{name: "todo", text: ui.Todo(s, turn.Todos)},
		{name: "stop-ask", text: ui.StopAsk(s, now)},
		{name: "stopped", text: ui.Stopped(s)},
		{name: "works", text: ui.StillWorks(s)},
		{name: "idle", text: ui.NothingToStop(s)},
		{name: "goes-on", text: ui.GoesOn().Text()},
		{name: "too-late", text: ui.TooLateToStop().Text()},
		{name: "gone", text: ui.SessionGone(s)},
		{name: "no such session", text: ui.NoSuchSession().Text()},
		{name: "sessions", text: ui.SessionPage{Listed: listed, Number: 1, Pages: 3}.Text()},
		{name: "status", text: ui.Status{Session: s, Turn: turn, Settings: settings, Asks: asks, Owed: 2, Found: 3, Machines: machines}.Text()},
		{name: "pending", text: ui.Waiting(asks)},
		{name: "level", text: ui.HearsOf(settings, 0)},
		{name: "mute", text: ui.IsMuted(settings)},
		{name: "follow", text: ui.Follows(s, true, false)},
		{name: "follow, from now on", text: ui.Follows(s, true, true)},
		{name: "agent", text: choice.Agent()},
		{name: "model", text: choice.Model()},
		{name: "past", text: ui.OtherSession().Text()},
		{name: "run", text: ui.CommandList(s, choice.Names)},
		{name: "unlink", text: ui.UnlinkAsk(machines[0], now)},
		{name: "unlinked", text: ui.Unlinked(machines[0]).Text()},
		{name: "no-link", text: ui.NoSuchLink().Text()},
		{name: "linked", text: ui.StaysLinked(machines[0]).Text()},
		{name: "help", text: ui.Help(true)},
		{name: "unknown", text: ui.UnknownCommand("release").Text()},
		{name: "which", text: ui.WhichSession().Text()},
		{name: "draft", text: ui.DraftOffer([]session.Session{s, web})},
		{name: "where", text: ui.FolderList([]string{"/src/shop-api", "/home/ada/shop-api", "/src/web"})},
		{name: "offline", text: ui.Offline().Text()},
		{name: "failed", text: ui.Failed(remote.ReasonAgent).Text()},
		{name: "no-right", text: ui.MayNotDrive([]string{"lead", "ops"}).Text()},
		{name: "doubt", text: ui.AnswerOrCommand("release", forgotten, 9)},
		{name: "not-here", text: ui.NotHere().Text()},
		{name: "using, of nothing", text: ui.InUse(none)},
		{name: "sessions, of nothing", text: ui.SessionPage{}.Text()},
		{name: "status, of nothing", text: ui.Status{}.Text()},
		{name: "pending, of nothing", text: ui.Waiting(nil)},
		{name: "mute, of nothing", text: ui.IsMuted(remote.ChatSettings{})},
		{name: "follow, of nothing", text: ui.Follows(none, false, false)},
		{name: "agent, of nothing", text: ui.Choice{}.Agent()},
		{name: "todo, of nothing", text: ui.Todo(none, nil)},
		{name: "last, of nothing", text: ui.LastTurn(none, session.Turn{})},
		{name: "diff, of nothing", text: ui.Diff(none, "")},
		{name: "model, chosen", text: chosen.Model()},
	}...)
}

// shownMessage is a message as a person reads it.
func shownMessage(m ui.Body) string {
	var b strings.Builder
	for _, part := range m.Parts {
		b.WriteString(part.HTML() + "\n")
	}
	for _, row := range m.Rows {
		for _, button := range row {
			fmt.Fprintf(&b, "[%s] ", button.Label)
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

func TestMessages(t *testing.T) {
	for _, lang := range words.Languages() {
		var b strings.Builder
		for _, m := range messages(t) {
			fmt.Fprintf(&b, "=== %s\n%s\n", m.name, shownMessage(m.text(reader(lang))))
		}
		cardtest.Golden(t, "messages."+lang+".txt", b.String())
	}
}

// What a live message says of a session, in both languages.
func TestLive_States(t *testing.T) {
	now := time.Date(2026, 11, 21, 14, 5, 0, 0, time.UTC)
	s := session.Session{ID: "ses_1", Title: "fix *it*", Directory: "/src/shop"}
	turn := session.Turn{Message: "msg_1", Began: now.Add(-200 * time.Second), Text: "I look."}
	over := turn
	over.Ended = now
	does := func(state remote.LiveState) ui.Text { return ui.Live(s, state, turn, "bash: npm test\nrm -rf") }
	for want, live := range map[string]ui.Text{
		"⚙️ shop · fix *it*\nWorking · 3 min · bash: npm test rm -rf\n\nI look.": does(remote.LiveWorks),
		"⚙️ shop · fix *it*\nWaiting for you\n\nI look.":                         does(remote.LiveWaits),
		"⚙️ shop · fix *it*\nIdle\n\nI look.":                                    does(remote.LiveRests),
		"⚙️ shop · fix *it*\nOpenCode cannot be reached now\n\nI look.":          does(remote.LiveAway),
		"💤 shop · fix *it*\nDone in 3 min":                                       ui.LiveEnded(s, over),
		"⚠️ shop · fix *it*\nOpenCode was closed, which ended its work":          ui.LiveClosed(s),
		"⚠️ shop · fix *it*\nThere is no such session":                           ui.LiveGone(s),
		"⚙️ shop · fix *it*\nThis message is no longer updated.":                 ui.LiveLeft(s),
	} {
		if got := live(ui.Reader{Words: words.For("en"), Now: now}).Parts[0].String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := live(ui.Reader{Words: words.For("zh"), Now: now}).Parts[0].String(); got == want || got == "" {
			t.Errorf("in Chinese: %q", got)
		}
	}
}

func TestTurn_Numbers(t *testing.T) {
	began := time.Unix(1000, 0)
	for want, turn := range map[string]session.Turn{
		"Done · 1 file":                {Ended: began.Add(300 * time.Millisecond), Files: 1},
		"Done · 1 file +2 −0":          {Ended: began.Add(300 * time.Millisecond), Files: 1, Added: 2},
		"Done in 2 s · 2 files +1 −1":  {Ended: began.Add(2 * time.Second), Files: 2, Added: 1, Removed: 1},
		"Stopped":                      {Ended: began.Add(time.Hour), Aborted: true},
		"It is unclear how this ended": {Ended: began.Add(time.Hour), Unfinished: true},
	} {
		turn.Began, turn.Message = began, "m"
		shown := ui.TurnEnded(session.Session{}, turn, false)(reader("en"))
		if text := shown.Parts[0].String(); !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}
