package bridge

import (
	"maps"
	"slices"

	"hermes/internal/question"
)

// maxUnstored bounds the updates that are handled and not stored as such. One beyond stays
// in the inbox, and is handled again at the next start.
const maxUnstored = 1000

// consume forgets an update that changed no thread.
func (b *Bridge) consume(used question.UpdateID, entries ...question.Entry) {
	b.letGo(question.Change{Consumed: []question.UpdateID{used}, Entries: entries})
}

// letGo stores what an update meant that changed no thread. If the store fails, that is
// offered again until it is stored, as far as maxUnstored goes, with the time at which it
// happened. A crash before that: the update is still in the inbox, or Telegram sends it
// again.
func (b *Bridge) letGo(c question.Change) {
	if len(c.Consumed) == 0 {
		_ = b.commit(c)
		return
	}
	id := c.Consumed[0]
	if before, ok := b.unstored[id]; ok {
		c = before // the same update came once more
	}
	for i, old := range c.Chats {
		if chat, ok := b.chats[old.ID]; ok {
			c.Chats[i] = chat // what came after it counts
		}
	}
	if _, known := b.unstored[id]; b.commit(c) != nil && (known || len(b.unstored) < maxUnstored) {
		b.unstored[id] = c
	}
}

// probe offers the store what it did not take, or as good as nothing, until it takes
// changes again: that it does is then known though nothing else happens.
func (b *Bridge) probe() {
	b.loop.Retry(b, retryStore, func() {
		b.storeRest()
		if b.troubled != "" {
			_ = b.commit(question.Change{Left: []question.ChatID{0}}) // there is no chat 0
		}
	})
}

// storeRest offers what updates meant that changed no thread, oldest first, until the
// store fails.
func (b *Bridge) storeRest() {
	for _, id := range slices.Sorted(maps.Keys(b.unstored)) {
		if b.letGo(b.unstored[id]); b.troubled != "" {
			return
		}
	}
}
