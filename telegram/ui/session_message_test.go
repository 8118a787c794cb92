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

// telling is a message of a kind about a session at work, with all that a message may tell of.
func telling(kind string) remote.Message {
	now := cardtest.Noon()
	permission := question.Thread{ID: "abcdefghijkm", Request: question.Request{Permission: &question.Permission{Kind: "bash", Command: "ls"}}}
	forgotten := question.Thread{
		ID: "abcdefghijkl", Project: "shop-api", Request: cardtest.Asks(cardtest.Database()).Request, Place: session.Place{Title: "fix checkout flow"},
		Outcome: &question.Outcome{Kind: question.OutcomeRestarted},
	}
	sessions := session.Session{ID: "ses_1", Directory: "/src/shop-api", Title: "fix <checkout>", Busy: true, Updated: now.Add(-time.Hour)}
	return remote.Message{
		Kind: remote.MessageKind(kind), Chat: 7, Session: sessions, Text: "release", Asks: []question.Thread{forgotten, permission},
		Turn: session.Turn{
			Message: "msg_1", Text: "I fixed it & ran the tests.", Began: now.Add(-3 * time.Minute), Ended: now, Files: 2, Added: 10, Removed: 3, Cost: 0.42,
			Todos: []session.Todo{{Text: "find it", State: "completed"}, {Text: "fix it", State: "in_progress"}, {Text: "ship it"}},
		},
		Reason: remote.ReasonAgent, Roles: []string{"lead", "ops"}, At: now, Update: 9, Owed: 2, Found: 3,
		Listed: []remote.ListedSession{{Session: sessions, Chosen: true}, {Session: session.Session{ID: "ses_2", Directory: "/src/web"}, Waits: true, Long: true, End: "b7Qx", Words: "It is\n<done>. " + strings.Repeat("And more. ", 20)}}, Page: 1, Pages: 3,
		Settings: remote.ChatSettings{
			Level: remote.LevelAll, Muted: now.Add(30 * time.Minute), Follow: true, Session: "ses_1", Title: "fix <checkout>",
			Agent: "build", Model: session.Model{Provider: "anthropic", ID: "sonnet"},
		},
		Projects: []string{"/src/shop-api", "/home/ada/shop-api", "/src/web"}, Names: []string{"build", "plan"},
		Links: true,
		Machines: []remote.Machine{
			{Name: "laptop-7", Host: "adas\u202ebox", Seen: now, Waiting: 2, Linked: []remote.Linked{
				{OpenCode: "1.18.33", By: "1.6.0", Protocol: 1}, {OpenCode: "2.0.18", By: "1.4.0", Process: true, Protocol: 2}, {By: "0.9.0", Refused: true},
			}},
			{Name: "desk", Host: "desk", Seen: now.Add(-26 * time.Hour)},
			{Name: "new-one", Waiting: 1},
		},
		File: chat.File{Name: "plan.pdf", Size: 12 << 20}, What: chat.Voice,
	}
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

func TestRenderSession(t *testing.T) {
	for _, lang := range words.Languages() {
		var b strings.Builder
		show := func(name string, t remote.Message) {
			fmt.Fprintf(&b, "=== %s\n%s\n", name, shownMessage(ui.RenderSession(t, words.For(lang), cardtest.Noon())))
		}
		for _, kind := range closedset.Constants(t)["remote.MessageKind"] {
			show(kind, telling(kind))
		}
		for _, kind := range []remote.MessageKind{remote.TellUsing, remote.TellSessions, remote.TellStatus, remote.TellPending, remote.TellMute, remote.TellFollow, remote.TellAgent, remote.TellTodo, remote.TellLast, remote.TellDiff} {
			show(string(kind)+", of nothing", remote.Message{Kind: kind})
		}
		chosen := telling(string(remote.TellModel))
		chosen.Text, chosen.Names = "", nil
		show("model, chosen", chosen)
		cardtest.Golden(t, "messages."+lang+".txt", b.String())
	}
}

// Each kind of message about sessions has a text of its own: none falls through to what stands for kinds that are not known.
func TestSessionKinds_HaveTheirText(t *testing.T) {
	w := words.For("en")
	for _, kind := range closedset.Constants(t)["remote.MessageKind"] {
		told := func(kind remote.MessageKind) string {
			all := ""
			for _, part := range ui.RenderSession(remote.Message{
				Kind: kind, Chat: 7, Text: "text", Asks: []question.Thread{{ID: "abcdefghijkl", Request: cardtest.Asks(cardtest.Database()).Request}},
				Session: session.Session{ID: "ses_1", Directory: "/src/shop-api", Title: "fix"},
			}, w, cardtest.Noon()).Parts {
				all += part.String()
			}
			return all
		}
		if got := told(remote.MessageKind(kind)); got == told("unheard of") && kind != string(remote.TellFailed) {
			t.Errorf("the message %q says %q", kind, got)
		}
	}
}

// What a live message says of a session, in both languages.
func TestLive_States(t *testing.T) {
	now := time.Date(2026, 11, 21, 14, 5, 0, 0, time.UTC)
	tell := remote.Message{
		Kind: remote.TellLive, Text: "bash: npm test\nrm -rf", Session: session.Session{ID: "ses_1", Title: "fix *it*", Directory: "/src/shop"},
		Turn: session.Turn{Message: "msg_1", Began: now.Add(-200 * time.Second), Text: "I look."},
	}
	for state, want := range map[remote.LiveState]string{
		remote.LiveWorks:  "⚙️ shop · fix *it*\nWorking · 3 min · bash: npm test rm -rf\n\nI look.",
		remote.LiveWaits:  "⚙️ shop · fix *it*\nWaiting for you\n\nI look.",
		remote.LiveRests:  "⚙️ shop · fix *it*\nIdle\n\nI look.",
		remote.LiveAway:   "⚙️ shop · fix *it*\nOpenCode cannot be reached now\n\nI look.",
		remote.LiveEnded:  "💤 shop · fix *it*\nDone in 3 min",
		remote.LiveClosed: "⚠️ shop · fix *it*\nOpenCode was closed, which ended its work",
		remote.LiveGone:   "⚠️ shop · fix *it*\nThere is no such session",
		remote.LiveLeft:   "⚙️ shop · fix *it*\nThis message is no longer updated.",
	} {
		one := tell
		if one.Live = state; state == remote.LiveEnded {
			one.Turn.Ended = now
		}
		if got := ui.RenderSession(one, words.For("en"), now).Parts[0].String(); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
		if got := ui.RenderSession(one, words.For("zh"), now).Parts[0].String(); got == want || got == "" {
			t.Errorf("%s in Chinese: %q", state, got)
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
		shown := ui.RenderSession(remote.Message{Kind: remote.TellTurn, Turn: turn}, words.For("en"), began)
		if text := shown.Parts[0].String(); !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}
