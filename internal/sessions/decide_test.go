package sessions

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
)

func TestTurn_MeaningOfASight(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	prompted := remote.TurnWatch{Since: now.Add(-10 * time.Second), For: []remote.Listener{{Chat: 1, Prompt: "msg_5"}}}
	level := remote.TurnWatch{Since: now.Add(-time.Hour)}
	unheard := remote.TurnWatch{}
	done := session.Turn{Message: "msg_6", Ended: now.Add(-5 * time.Second)}
	for name, c := range map[string]struct {
		watch remote.TurnWatch
		sight sight
		told  session.MessageID
		want  verdict
	}{
		"ended":                           {prompted, sight{turn: done}, "", verdictEnded},
		"away":                            {prompted, sight{err: errAway}, "", verdictWait},
		"deleted":                         {prompted, sight{err: errGone}, "", verdictGone},
		"another error":                   {prompted, sight{err: errors.New("no")}, "", verdictWait},
		"works":                           {prompted, sight{turn: done, session: session.Session{Busy: true}}, "", verdictWait},
		"waits for a person":              {prompted, sight{turn: done, asks: true}, "", verdictWait},
		"a subagent":                      {level, sight{turn: done, session: session.Session{Parent: "ses_1"}}, "", verdictForget},
		"not begun yet":                   {prompted, sight{turn: session.Turn{Message: "msg_4"}}, "", verdictWait},
		"never began":                     {remote.TurnWatch{Since: now.Add(-time.Minute), For: prompted.For}, sight{}, "", verdictNothing},
		"told, and nobody waits":          {level, sight{turn: done}, "msg_6", verdictForget},
		"told, and somebody was not":      {prompted, sight{turn: done}, "msg_6", verdictEnded},
		"of a level":                      {level, sight{turn: done}, "msg_3", verdictEnded},
		"nothing was done":                {level, sight{}, "", verdictForget},
		"not heard of, just ended":        {unheard, sight{turn: done}, "", verdictEnded},
		"not heard of, ended long before": {unheard, sight{turn: session.Turn{Message: "msg_6", Ended: now.Add(-time.Hour)}}, "", verdictForget},
	} {
		if got := judgeTurn(c.watch, c.sight, c.told, now); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTurn_AudienceIsEveryChatOnce(t *testing.T) {
	w := remote.TurnWatch{For: []remote.Listener{{Chat: 1, Message: 10}, {Chat: 2, Message: 20}, {Chat: 1, Message: 11}}}
	got := audience(w, []remote.Hearer{{Chat: 2}, {Chat: 3, Topic: 4}})
	want := []remote.Listener{{Chat: 2, Message: 20}, {Chat: 1, Message: 11}, {Chat: 3, Topic: 4}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

type permanent struct{ error }

func (permanent) Temporary() bool { return false }

type passing struct{ error }

func (passing) Temporary() bool { return true }

func atOrigin() session.Origin {
	return session.Origin{Way: session.Direct, Process: "http://a", Directory: "/src/shop"}
}

func linkOf(process, token string) session.Origin {
	return session.Origin{Way: session.Link, Process: process, Directory: "/src/shop", Token: token}
}

func TestPrompt_Failures(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want remote.PromptStatus
	}{
		"no session":    {errors.Join(permanent{errors.New("404")}, session.ErrNoSession), remote.PromptDeleted},
		"gone":          {errGone, remote.PromptDeleted},
		"away":          {errAway, ""},
		"unreachable":   {passing{errors.New("no answer")}, ""},
		"no such agent": {errors.Join(permanent{errors.New("400")}, session.ErrNoAgent), remote.PromptRefused},
		"unproven":      {errUnproven, ""},
	} {
		if got := (outcome{}).failWith(c.err); got.end != c.want || !errors.Is(got.err, c.err) {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
}

func TestMute_For(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"2h": 2 * time.Hour, " 30M ": 30 * time.Minute, "1h30m": 90 * time.Minute, "3d": 72 * time.Hour, "off": 0, "0": 0,
	} {
		if got, ok := muteFor(text); !ok || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "soon", "-2h", "1s", "31d", "0d", "-1d", "999999h", "2h please"} {
		if got, ok := muteFor(text); ok {
			t.Errorf("%q was taken as %v", text, got)
		}
	}
}

func TestUse_SessionsNamed(t *testing.T) {
	list := []session.Session{{ID: "ses_1", Title: "Fix checkout"}, {ID: "ses_2", Title: "Fix"}, {ID: "ses_3", Title: "Fix checkout again"}, {ID: "ses_4"}}
	for text, want := range map[string][]session.ID{
		"fix":      {"ses_2"}, // the whole title goes before a part
		"checkout": {"ses_1", "ses_3"},
		"SES_3":    {"ses_3"},
		"nothing":  nil,
		"es_3":     {"ses_3"},
		"…es_3":    {"ses_3"},
		"s_3":      nil,       // too short
		"":         {"ses_4"}, // which has no title either
	} {
		var got []session.ID
		for _, s := range sessionsNamed(list, text) {
			got = append(got, s.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestList_Pages(t *testing.T) {
	var all []foundSession
	for range 50 {
		all = append(all, foundSession{Session: session.Session{ID: "ses_x"}, route: route{Origin: atOrigin()}})
	}
	all[49].ID = "ses_last"
	waits := question.Thread{Request: question.Request{Session: "ses_child"}, Place: session.Place{Root: "ses_last"}, Origins: []session.Origin{atOrigin()}}
	for asked, want := range map[int][2]int{0: {0, 8}, 6: {6, 2}, 99: {6, 2}, -1: {0, 8}} {
		got := pageOf(all, []question.Thread{waits}, "ses_last", asked)
		if got.Number != want[0] || got.Pages != 7 || len(got.Listed) != want[1] {
			t.Errorf("page %d: %d of %d with %d", asked, got.Number, got.Pages, len(got.Listed))
		}
		last := got.Listed[len(got.Listed)-1]
		if is := last.ID == "ses_last"; last.Waits != is || last.Chosen != is {
			t.Errorf("page %d: %+v", asked, last)
		}
	}
	if got := pageOf(nil, nil, "", 3); got.Number != 0 || got.Pages != 1 || len(got.Listed) != 0 {
		t.Errorf("an empty list: %+v", got)
	}
}

func TestList_KeepsTheOneThatWorks(t *testing.T) {
	idle, busy := route{Origin: session.Origin{Process: "idle"}}, route{Origin: session.Origin{Process: "busy"}}
	for _, order := range [][]foundSession{
		{{session.Session{ID: "a"}, idle}, {session.Session{ID: "a", Busy: true}, busy}},
		{{session.Session{ID: "a", Busy: true}, busy}, {session.Session{ID: "a"}, idle}},
	} {
		var all []foundSession
		for _, f := range order {
			all = mergeSession(all, f)
		}
		if len(all) != 1 || !all[0].Busy || all[0].route.Process != "busy" {
			t.Errorf("merged: %+v", all)
		}
	}
}

func TestCommand_AsksOnly(t *testing.T) {
	for text, want := range map[string]bool{
		"/sessions": true, "/use": true, "/use x": false, "/new": false, "/new shop": false, "/last": true, "/diff": true, "/todo": true,
		"/status": true, "/pending": true, "/abort": false, "/noreply": true, "/noreply x": false, "/run": true, "/run init": false,
		"/agent": true, "/agent plan": false, "/model": true, "/model a/b": false, "/follow": false, "/follow off": false,
		"/level": true, "/level all": false, "/mute": true, "/mute 2h": false, "/help": true, "/nonsense x": true,
	} {
		in := inbound.Input{Kind: inbound.Typed, Text: text}
		_, _ = fmt.Sscanf(text, "/%s", &in.Command)
		if got := asksOnly(in); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
		if asksOnly(in) && isChoice(in) {
			t.Errorf("%s changes what the chat uses", text)
		}
	}
}
