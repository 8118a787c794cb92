package bridge

import (
	"time"

	"hermes/internal/pace"
	"hermes/internal/question"
)

// How many strangers are told who they are: at once and every so often, for everybody can
// write to a bot. Who is not told now is told at a later /start.
const (
	greetBurst = 20
	greetEvery = 3 * time.Second
	greetDaily = 500 // and in a day; each is a record of a chat
)

// maxStrangers is how many strangers the journal names in a day (UTC). Everything that
// strangers do is counted, see Config.Strange.
const maxStrangers = 100

// moreStrangers is the detail of the one entry that says that more were only counted.
const moreStrangers = "more-strangers"

// strangers are those whom the journal names today.
type strangers struct {
	day   time.Time
	known map[question.UserID]bool
	more  bool // that there were more is said
}

// on begins a new day.
func (s *strangers) on(now time.Time) {
	if day := now.UTC().Truncate(24 * time.Hour); day.After(s.day) {
		*s = strangers{day: day, known: map[question.UserID]bool{}}
	}
}

// entry is what the journal is to have of something that a stranger did: nothing if it has
// one of the same person and day, or enough of that day.
func (s *strangers) entry(e question.Entry, now time.Time) []question.Entry {
	s.on(now)
	e.At, e.Kind = now, question.EntryRefused
	switch {
	case s.known[e.By.User], s.more:
		return nil
	case len(s.known) >= maxStrangers:
		s.more = true
		return []question.Entry{{At: now, Kind: question.EntryRefused, Detail: moreStrangers}}
	}
	s.known[e.By.User] = true
	return []question.Entry{e}
}

// loadStrangers takes in what the journal has of today, so that a restart makes no room
// for more.
func (b *Bridge) loadStrangers() error {
	now := time.Now()
	b.strangers.on(now)
	entries, err := b.config.Store.EntriesSince(b.strangers.day, question.EntryRefused)
	for _, e := range entries {
		switch {
		case e.Detail == moreStrangers:
			b.strangers.more = true
		case e.By.Kind == question.Person && !b.knows(e.By.User):
			b.strangers.known[e.By.User] = true
		}
	}
	return err
}

// greets reports whether one more stranger may be told who they are.
func (b *Bridge) greets() bool {
	now := time.Now()
	return b.greetings.Take(0, now) == pace.Yes && b.greeted.Take(0, now) == pace.Yes
}

// passOver lets go of what a stranger did, and tells them once, if hello, what all
// strangers are told: their own id, which the owner needs to let them in.
func (b *Bridge) passOver(in question.Input, hello bool, entries []question.Entry) {
	b.strange()
	chat := b.chats.chat(in.Chat)
	c := question.Change{Consumed: []question.UpdateID{in.Update}, Entries: entries}
	if hello = hello && !chat.Greeted && b.greets(); hello {
		chat.Greeted, chat.Seen = true, time.Now().Round(0)
		b.chats.known[in.Chat] = chat
		c.Chats = []question.Chat{chat}
	}
	b.records.consumeWith(c)
	if hello {
		b.tell(in, question.NoteStranger)
	}
}

// strange counts what somebody did who is not on the list.
func (b *Bridge) strange() {
	if b.config.Strange != nil {
		b.config.Strange()
	}
}
