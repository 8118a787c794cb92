package sessions_test

import (
	"math"
	"slices"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/remote"
	"hermes/internal/storage"
)

// Ids of chats are whatever Telegram makes of 64 bits: chats are told in their order.
func TestChats_OrderedByTheirIDs(t *testing.T) {
	want := []chat.ID{math.MinInt64, -1 << 62, -1_000_000_000_000, -1, 0, 1, 1 << 62, math.MaxInt64}
	var seed storage.Change
	for _, i := range []int{5, 2, 7, 0, 3, 6, 1, 4} {
		seed.ChatSettings = append(seed.ChatSettings, remote.ChatSettings{Chat: want[i], Level: remote.LevelAll, Follow: true, Session: testSession, Origin: origin()})
	}
	inThat(t, seededWorld(seed), func(w *world) {
		w.event(event.Opened, "")
		w.begin()
		w.rest()
		got := map[remote.MessageKind][]chat.ID{}
		for _, tell := range w.told {
			got[tell.Kind] = append(got[tell.Kind], tell.Chat)
		}
		for _, kind := range []remote.MessageKind{remote.TellBegan, remote.TellTurn} {
			if !slices.Equal(got[kind], want) {
				t.Errorf("%s: %v", kind, got[kind])
			}
		}
		if len(w.live) != len(want) {
			t.Errorf("%d live messages", len(w.live))
		}
	})
}
