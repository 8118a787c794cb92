package bridge_test

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// The time in which a turn waits for people is known, and where a card says that it ended with the ask.
func TestWaits(t *testing.T) {
	both := []chat.ID{adaChat, bobChat}
	for name, c := range map[string]struct {
		end   event.FindingKind
		waits time.Duration
		told  []chat.ID
		alter func(*session.Turn, *session.Origin)
	}{
		"dismissed":         {event.FoundDismissed, 5 * time.Minute, both, nil},
		"stopped":           {event.FoundStopped, 5 * time.Minute, both, nil},
		"answered":          {event.FoundAnswered, 5 * time.Minute, nil, nil},
		"it went on":        {event.FoundDismissed, 5 * time.Minute, nil, func(t *session.Turn, _ *session.Origin) { t.Message = "msg_later" }},
		"a later turn":      {event.FoundDismissed, 0, nil, func(t *session.Turn, _ *session.Origin) { t.Message, t.Began = "msg_later", time.Now() }},
		"began in it":       {event.FoundDismissed, 2 * time.Minute, both, func(t *session.Turn, _ *session.Origin) { t.Began = t.Began.Add(4 * time.Minute) }},
		"another session":   {event.FoundDismissed, 0, nil, func(t *session.Turn, _ *session.Origin) { t.Session.ID = "ses_other" }},
		"another OpenCode":  {event.FoundDismissed, 0, nil, func(_ *session.Turn, o *session.Origin) { o.Directory = "/elsewhere" }},
		"that ended before": {event.FoundDismissed, time.Minute, both, func(t *session.Turn, _ *session.Origin) { t.Ended = t.Began.Add(2 * time.Minute) }},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				began := time.Now()
				w.wait(time.Minute)
				id := w.agent.ask(oneItem())
				w.wait(5 * time.Minute)
				w.agent.settle(id, c.end, question.Answers{{"SQLite"}})
				w.wait(time.Second)
				turn, at := session.Turn{Session: session.Session{ID: "ses_" + session.ID(id)}, Message: "msg", Began: began}, w.agent.origin()
				if at.Process = "http://other"; c.alter != nil {
					c.alter(&turn, &at)
				}
				got, err := w.bridge.Waits(w.t.Context(), at, turn)
				slices.Sort(got.Told)
				if err != nil || got.For.Round(time.Second) != c.waits || !slices.Equal(got.Told, c.told) {
					t.Errorf("got %+v, %v, want %+v", got, err, remote.Waits{For: c.waits, Told: c.told})
				}
			})
		})
	}
}

// Two asks at once are waited for once.
func TestWaits_AtOnce(t *testing.T) {
	play(t, nil, func(w *world) {
		turn := session.Turn{Session: session.Session{ID: "ses_1"}, Began: time.Now()}
		first := w.askIn("ses_1")
		w.wait(time.Minute)
		second := w.askIn("ses_1")
		w.wait(time.Minute)
		w.agent.settle(first, event.FoundAnswered, question.Answers{{"SQLite"}})
		w.wait(time.Minute)
		w.agent.settle(second, event.FoundAnswered, question.Answers{{"SQLite"}})
		w.wait(time.Minute)
		if got, err := w.bridge.Waits(w.t.Context(), w.agent.origin(), turn); err != nil || got.For != 3*time.Minute {
			t.Errorf("waited %+v, %v", got, err)
		}
	})
}
