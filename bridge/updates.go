package bridge

import (
	"maps"
	"slices"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

// maxUnstored bounds the updates that are handled and not stored as such. One beyond stays
// in the inbox, and is handled again at the next start.
const maxUnstored = 1000

// consume stores that updates which changed no thread are done with.
func (r *records) consume(used []chat.UpdateID, entries ...storage.Entry) {
	r.consumeWith(storage.Change{Consumed: used, Entries: entries})
}

// consumeWith stores a change that consumes updates and changes no thread. If the store fails, it is
// offered again until it is stored, as far as maxUnstored goes, with the time at which it
// happened. A crash before that: the update is still in the inbox, or Telegram sends it
// again.
func (r *records) consumeWith(c storage.Change) {
	if len(c.Consumed) == 0 {
		_ = r.commit(c)
		return
	}
	id := c.Consumed[0]
	if before, ok := r.unstored[id]; ok {
		c = before // the same update came once more
	}
	for i, old := range c.Chats {
		c.Chats[i] = r.latest(old) // what came after it counts
	}
	if _, known := r.unstored[id]; r.commit(c) != nil && (known || len(r.unstored) < maxUnstored) {
		r.unstored[id] = c
	}
}

// probeStore offers the store what it did not take, or as good as nothing, until it takes
// changes again: that it does is then known though nothing else happens.
func (r *records) probeStore() {
	r.loop.Retry(r, retryStore, func() {
		r.commitUnstored()
		if r.troubled != "" {
			_ = r.commit(storage.Change{Left: []chat.ID{0}}) // there is no chat 0
		}
	})
}

// commitUnstored offers what updates meant that changed no thread, oldest first, until the
// store fails.
func (r *records) commitUnstored() {
	for _, id := range slices.Sorted(maps.Keys(r.unstored)) {
		if r.consumeWith(r.unstored[id]); r.troubled != "" {
			return
		}
	}
}
