package bridge_test

import (
	"slices"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/policy"
)

// known are the ids of the chats that the store remembers.
func (w *world) known() []chat.ID {
	w.t.Helper()
	list, err := w.store.Chats()
	must(w.t, err)
	var ids []chat.ID
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

func (w *world) migrate(from, to chat.ID) {
	w.input(inbound.Input{Kind: inbound.Moved, Chat: from, NewChat: to})
}

// Whoever writes to the bot, or puts it into a group, is remembered for a while, and
// only some of them at once. What hermes needs it remembers for good.
func TestStrangers_AreForgotten(t *testing.T) {
	const group, moved, twice = -500, -501, -502
	rules := policy.Everyone([]chat.UserID{ada, bob}, []policy.Target{{Chat: adaChat}, {Chat: bobChat}, {Chat: group}})
	play(t, func(c *bridge.Config) { c.Rules = rules }, func(w *world) {
		code := w.invitation(nil)
		const guest = 4000
		w.enter(guest, guest, code)
		w.migrate(group, moved)
		w.migrate(moved, twice)
		for _, chat := range []chat.ID{adaChat, group, guest} {
			w.input(inbound.Input{Kind: inbound.Blocked, Chat: chat})
			w.input(inbound.Input{Kind: inbound.Unblocked, Chat: chat})
		}
		need := w.known()
		for n := range 1500 {
			stranger := chat.ID(10_000 + n)
			w.command(chat.UserID(stranger), stranger, "/start")
			w.wait(3 * time.Minute) // one more is greeted then
			w.input(inbound.Input{Kind: inbound.Blocked, Chat: chat.ID(-20_000 - n)})
			w.migrate(chat.ID(-30_000-n), chat.ID(-40_000-n))
			if n%50 == 0 && len(w.known()) > 1101+len(need) {
				t.Fatalf("after %d strangers %d chats are remembered", n, len(w.known()))
			}
		}
		if !slices.Contains(w.known(), 11_499) || slices.Contains(w.known(), 10_000) {
			t.Error("not the oldest were forgotten")
		}
		must(t, w.bridge.Prune(w.t.Context(), time.Now().Add(-300*time.Minute)))
		if got := len(w.known()) - len(need); got < 95 || got > 101 {
			t.Errorf("%d of the last 100 strangers are remembered", got)
		}
		w.restart()
		w.wait(time.Minute)
		must(t, w.bridge.Prune(w.t.Context(), time.Now()))
		if got := w.known(); !slices.Equal(got, need) {
			t.Errorf("in the end it remembers %v, want %v", got, need)
		}
		w.restart()
		id := w.agent.ask(oneItem())
		w.wait(5 * time.Second)
		for _, chat := range []chat.ID{adaChat, twice, guest} {
			if _, _, ok := w.chat.find(chat, id); !ok {
				t.Errorf("chat %d does not get what is asked", chat)
			}
		}
	})
}
