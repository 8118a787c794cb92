package bridge

import (
	"cmp"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

// Everybody can write to a bot, and put it into a group. What is remembered of chats
// that hermes has nothing to do with is bounded in time, by the caller of [Bridge.Prune],
// and in number: maxSpare chats, and spareSlack more until they are looked through.
const (
	maxSpare   = 1000
	spareSlack = 100
)

// putChat takes in what the store has by now of a chat.
func (b *Bridge) putChat(c chat.Chat) {
	b.known[c.ID] = c
	b.langs.Store(c.ID, c.Lang)
}

// Lang is the language of the person who acted in the chat last; empty: nobody did. It never waits.
func (b *Bridge) Lang(id chat.ID) string {
	lang, _ := b.langs.Load(id)
	text, _ := lang.(string)
	return text
}

// spareChats are the chats that are not needed and were last heard of before this time, and
// the oldest of the others if there are more than maxSpare.
func (b *Bridge) spareChats(before time.Time) []chat.ID {
	needed := b.neededChats()
	var list []chat.Chat
	for id, c := range b.known {
		if !needed[id] {
			c.ID = id
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(x, y chat.Chat) int { return cmp.Or(x.Seen.Compare(y.Seen), cmp.Compare(x.ID, y.ID)) })
	var ids []chat.ID
	for i, c := range list {
		if c.Seen.Before(before) || len(list)-i > maxSpare {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// forgetChats forgets chats.
func (b *Bridge) forgetChats(ids []chat.ID) {
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		delete(b.known, id)
		b.langs.Delete(id)
		delete(b.albums, id)
		delete(b.mute, id)
	}
	b.commit(storage.Change{Left: ids})
}

// limitChats keeps the number of chats down between two prunings.
func (b *Bridge) limitChats() {
	if len(b.known) <= b.crowd {
		return
	}
	b.forgetChats(b.spareChats(time.Time{}))
	b.crowd = len(b.known) + spareSlack
}

// changeChat changes what is remembered of a chat, and consumes updates with that.
func (b *Bridge) changeChat(id chat.ID, used []chat.UpdateID, alter func(*chat.Chat)) {
	remembered := b.chatOf(id)
	before := remembered
	if alter(&remembered); remembered != before {
		remembered.Seen = time.Now().Round(0)
	}
	b.putChat(remembered)
	if remembered != before || len(used) > 0 {
		b.commit(storage.Change{Chats: []chat.Chat{remembered}, Consumed: used})
	}
}

func (b *Bridge) chatOf(id chat.ID) chat.Chat {
	chat := b.known[id]
	chat.ID = id
	return chat
}

// allowHint lets the chat be told again, after this question, that nothing is asked.
func (b *Bridge) allowHint(id chat.ID) []chat.Chat {
	remembered, ok := b.known[id]
	if !ok || !remembered.Hinted {
		return nil
	}
	remembered.Hinted = false
	b.known[id] = remembered
	return []chat.Chat{remembered}
}

// Moves are the groups that became others.
func (b *Bridge) Moves() map[chat.ID]chat.ID {
	moves := map[chat.ID]chat.ID{}
	for id, c := range b.known {
		if c.MovedTo != 0 {
			moves[id] = c.MovedTo
		}
	}
	return moves
}

// Current is what a group has become, or the chat itself.
func (b *Bridge) Current(id chat.ID) chat.ID {
	for range len(b.known) {
		next := b.known[id].MovedTo
		if next == 0 {
			break
		}
		id = next
	}
	return id
}
