package sessions_test

import (
	"math"
	"slices"
	"testing"

	"hermes/internal/question"
)

// Ids of chats are whatever Telegram makes of 64 bits: chats are told in their order.
func TestChats_OrderedByTheirIDs(t *testing.T) {
	want := []question.ChatID{math.MinInt64, -1 << 62, -1_000_000_000_000, -1, 0, 1, 1 << 62, math.MaxInt64}
	var seed question.Change
	for _, i := range []int{5, 2, 7, 0, 3, 6, 1, 4} {
		seed.Seats = append(seed.Seats, question.Seat{Chat: want[i], Level: question.LevelAll, Follow: true, Session: session, Origin: origin()})
	}
	inThat(t, seededWorld(seed), func(w *world) {
		w.event(question.Opened, "")
		w.begin()
		w.rest()
		got := map[question.TellingKind][]question.ChatID{}
		for _, tell := range w.told {
			got[tell.Kind] = append(got[tell.Kind], tell.Chat)
		}
		for _, kind := range []question.TellingKind{question.TellBegan, question.TellTurn} {
			if !slices.Equal(got[kind], want) {
				t.Errorf("%s: %v", kind, got[kind])
			}
		}
		if len(w.live) != len(want) {
			t.Errorf("%d live messages", len(w.live))
		}
	})
}
