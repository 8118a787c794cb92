package sessions

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
)

func TestChats_HearOfAnEnd(t *testing.T) {
	const long, short = 2 * time.Minute, 2*time.Minute - 1
	here, later := []remote.Hearer{{Chat: 1, Topic: 5}}, time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		settings remote.ChatSettings
		ran      time.Duration
		asked    []remote.Hearer
		want     []remote.Hearer
	}{
		"nothing chosen, a long turn":            {remote.ChatSettings{}, long, here, here},
		"nothing chosen, a short turn":           {remote.ChatSettings{}, short, here, nil},
		"nothing chosen, asked elsewhere":        {remote.ChatSettings{}, long, nil, nil},
		"nothing chosen, in a quiet time":        {remote.ChatSettings{}, long, []remote.Hearer{{Chat: 1, Silent: true}}, []remote.Hearer{{Chat: 1, Silent: true}}},
		"nothing chosen, muted":                  {remote.ChatSettings{Muted: later}, long, here, nil},
		"nothing chosen, was muted":              {remote.ChatSettings{Muted: time.Now().Add(-time.Hour)}, long, here, here},
		"nothing chosen, not set up":             {remote.ChatSettings{}, long, []remote.Hearer{{Chat: -9}}, nil},
		"twice, in two topics":                   {remote.ChatSettings{}, long, []remote.Hearer{{Chat: 1, Topic: 5}, {Chat: 1, Topic: 6}}, here},
		"a group that became another":            {remote.ChatSettings{Level: remote.LevelAll}, long, []remote.Hearer{{Chat: 40, Topic: 4}}, []remote.Hearer{{Chat: 1}}},
		"questions":                              {remote.ChatSettings{Level: remote.LevelQuestions}, long, here, nil},
		"turns, a long one":                      {remote.ChatSettings{Level: remote.LevelTurns}, long, here, []remote.Hearer{{Chat: 1}}},
		"turns, a long one, asked elsewhere":     {remote.ChatSettings{Level: remote.LevelTurns, Topic: 7}, long, nil, []remote.Hearer{{Chat: 1, Topic: 7}}},
		"turns, a short one":                     {remote.ChatSettings{Level: remote.LevelTurns}, short, here, nil},
		"turns, in a quiet time":                 {remote.ChatSettings{Level: remote.LevelTurns}, long, []remote.Hearer{{Chat: 1, Silent: true}}, []remote.Hearer{{Chat: 1, Silent: true}}},
		"all, a short one":                       {remote.ChatSettings{Level: remote.LevelAll}, short, nil, []remote.Hearer{{Chat: 1}}},
		"all, muted":                             {remote.ChatSettings{Level: remote.LevelAll, Muted: later}, long, here, nil},
		"questions, and the session is followed": {remote.ChatSettings{Level: remote.LevelQuestions, Follow: true, Session: "ses_1"}, short, nil, []remote.Hearer{{Chat: 1}}},
		"questions, and another is followed":     {remote.ChatSettings{Level: remote.LevelQuestions, Follow: true, Session: "ses_2"}, long, here, nil},
	} {
		b := newChatBook(func(id chat.ID) bool { return id > 0 }, long)
		b.noteMove(40, 1)
		if c.settings != (remote.ChatSettings{}) {
			c.settings.Chat = 1
			b.put(c.settings)
		}
		if got := b.hearingEnd("ses_1", c.ran, c.asked); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestTurn_RanFor(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for name, c := range map[string]struct {
		since time.Time
		turn  session.Turn
		want  time.Duration
	}{
		"by OpenCode's times":                   {ago(time.Minute), session.Turn{Began: ago(time.Hour), Ended: ago(time.Minute)}, 59 * time.Minute},
		"its begin was before hermes' start":    {time.Time{}, session.Turn{Began: ago(time.Hour), Ended: now}, time.Hour},
		"without an end":                        {ago(time.Minute), session.Turn{Began: ago(time.Hour)}, time.Hour},
		"without a begin, which hermes saw":     {ago(time.Minute), session.Turn{Ended: now}, time.Minute},
		"without a begin, which hermes saw not": {time.Time{}, session.Turn{Ended: now}, 0},
	} {
		if got := ranFor(remote.TurnWatch{Since: c.since}, c.turn, now); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
