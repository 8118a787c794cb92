package bridge

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

// chatMemory is what hermes remembers of chats; the store has the same.
type chatMemory struct {
	records   *records
	needed    func() map[chat.ID]bool // the chats that are never forgotten
	forgotten func(chat.ID)           // called with each chat that is forgotten

	known map[chat.ID]chat.Chat
	langs sync.Map // chat.ID → string, read beside the loop
	crowd int      // more chats than these are looked through for those to forget
}

// Everybody can write to a bot, and put it into a group. What is remembered of chats
// that hermes has nothing to do with is bounded in time, by the caller of [Bridge.Prune],
// and in number: maxSpare chats, and spareSlack more until they are looked through.
const (
	maxSpare   = 1000
	spareSlack = 100
)

func newChatMemory(r *records) *chatMemory {
	return &chatMemory{records: r, known: map[chat.ID]chat.Chat{}, crowd: maxSpare}
}

// load takes in what the store has.
func (m *chatMemory) load(chats []chat.Chat) {
	for _, c := range chats {
		m.put(c)
	}
}

// put takes in what the store has by now of a chat.
func (m *chatMemory) put(c chat.Chat) {
	m.known[c.ID] = c
	m.langs.Store(c.ID, c.Lang)
}

// lang is the language of the person who acted in the chat last; empty: nobody did. It may
// be called beside the loop.
func (m *chatMemory) lang(id chat.ID) string {
	lang, _ := m.langs.Load(id)
	text, _ := lang.(string)
	return text
}

// spareChats are the chats that are not needed and were last heard of before this time, and
// the oldest of the others if there are more than maxSpare.
func (m *chatMemory) spareChats(before time.Time) []chat.ID {
	needed := m.needed()
	var list []chat.Chat
	for id, c := range m.known {
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

// forget forgets chats.
func (m *chatMemory) forget(ids []chat.ID) {
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		delete(m.known, id)
		m.langs.Delete(id)
		m.forgotten(id)
	}
	m.records.commit(storage.Change{Left: ids})
}

// limit keeps the number of chats down between two prunings.
func (m *chatMemory) limit() {
	if len(m.known) <= m.crowd {
		return
	}
	m.forget(m.spareChats(time.Time{}))
	m.crowd = len(m.known) + spareSlack
}

// change changes what is remembered of a chat, and consumes updates with that.
func (m *chatMemory) change(id chat.ID, used []chat.UpdateID, alter func(*chat.Chat)) {
	remembered := m.chat(id)
	before := remembered
	if alter(&remembered); remembered != before {
		remembered.Seen = time.Now().Round(0)
	}
	m.put(remembered)
	if remembered != before || len(used) > 0 {
		m.records.commit(storage.Change{Chats: []chat.Chat{remembered}, Consumed: used})
	}
}

func (m *chatMemory) chat(id chat.ID) chat.Chat {
	chat := m.known[id]
	chat.ID = id
	return chat
}

// allowHint lets the chat be told again, after this question, that nothing is asked.
func (m *chatMemory) allowHint(id chat.ID) []chat.Chat {
	remembered, ok := m.known[id]
	if !ok || !remembered.Hinted {
		return nil
	}
	remembered.Hinted = false
	m.known[id] = remembered
	return []chat.Chat{remembered}
}

// current follows a chat that became another one.
func (m *chatMemory) current(id chat.ID) chat.ID {
	for range len(m.known) {
		next := m.known[id].MovedTo
		if next == 0 {
			break
		}
		id = next
	}
	return id
}
