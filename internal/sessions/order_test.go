package sessions

import (
	"math"
	"slices"
	"testing"

	"hermes/internal/question"
)

// Ids of chats are whatever Telegram makes of 64 bits.
func TestChatsAreOrderedByTheirIDs(t *testing.T) {
	want := []question.ChatID{math.MinInt64, -1 << 62, -1_000_000_000_000, -1, 0, 1, 1 << 62, math.MaxInt64}
	d := &Desk{config: Config{Home: func(question.ChatID) bool { return true }}}
	for _, id := range []int{5, 2, 7, 0, 3, 6, 1, 4} {
		d.seats.Store(want[id], question.Seat{Chat: want[id], Level: question.LevelAll, Follow: true, Session: session})
	}
	for name, list := range map[string][]question.Seat{
		"listening": d.listening(question.LevelAll), "followers": d.followers(session), "hearing": d.hearing(session),
	} {
		var got []question.ChatID
		for _, s := range list {
			got = append(got, s.Chat)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
