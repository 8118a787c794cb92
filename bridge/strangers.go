package bridge

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// People who are not on the list are counted, and some of them are told, once, who they are.

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

// namedStrangers are those whom the journal names today.
type namedStrangers struct {
	day   time.Time
	known map[chat.UserID]bool
	more  bool // that there were more is said
}

// beginDay begins a new day.
func (s *namedStrangers) beginDay(now time.Time) {
	if day := now.UTC().Truncate(24 * time.Hour); day.After(s.day) {
		*s = namedStrangers{day: day, known: map[chat.UserID]bool{}}
	}
}

// entryOf is what the journal is to have of something that a stranger did: nothing if it has
// one of the same person and day, or enough of that day.
func (s *namedStrangers) entryOf(e storage.Entry, now time.Time) []storage.Entry {
	s.beginDay(now)
	e.At, e.Kind = now, storage.EntryRefused
	switch {
	case s.known[e.By.User], s.more:
		return nil
	case len(s.known) >= maxStrangers:
		s.more = true
		return []storage.Entry{{At: now, Kind: storage.EntryRefused, Detail: moreStrangers}}
	}
	s.known[e.By.User] = true
	return []storage.Entry{e}
}

// loadStrangers takes in what the journal has of today, so that a restart makes no room
// for more.
func (b *Bridge) loadStrangers() error {
	now := time.Now()
	b.named.beginDay(now)
	entries, err := b.config.Store.EntriesSince(b.named.day, storage.EntryRefused)
	for _, e := range entries {
		switch {
		case e.Detail == moreStrangers:
			b.named.more = true
		case e.By.Kind == question.Person && !b.access.knowsPerson(e.By.User):
			b.named.known[e.By.User] = true
		}
	}
	return err
}

// mayGreetStranger reports whether one more stranger may be told who they are.
func (b *Bridge) mayGreetStranger() bool {
	now := time.Now()
	return b.greetings.Take(0, now) == pace.Yes && b.greeted.Take(0, now) == pace.Yes
}

// takeFromStranger passes over what a stranger did. Who begins is told who they are, and the journal has
// their taps.
func (b *Bridge) takeFromStranger(in inbound.Input) {
	switch {
	case in.Kind == inbound.Tapped:
		b.passOver(in, false, b.named.entryOf(storage.Entry{By: in.Author(), Detail: string(storage.RefusedStranger)}, time.Now()))
		b.alert(in, ui.Stranger())
	case in.Kind == inbound.Typed && !in.Forwarded:
		b.passOver(in, in.Private && in.Command == "start", nil)
	default:
		b.config.Strange()
		b.consume(in.Updates())
	}
}

// passOver consumes what a stranger did, and tells them once, if hello, what all
// strangers are told: their own id, which the owner needs to let them in.
func (b *Bridge) passOver(in inbound.Input, hello bool, entries []storage.Entry) {
	b.config.Strange()
	remembered := b.chatOf(in.Chat)
	c := storage.Change{Consumed: in.Updates(), Entries: entries}
	if hello = hello && !remembered.Greeted && b.mayGreetStranger(); hello {
		remembered.Greeted, remembered.Seen = true, time.Now().Round(0)
		b.known[in.Chat] = remembered
		c.Chats = []chat.Chat{remembered}
	}
	b.commit(c)
	if hello {
		b.tell(in, ui.StrangersID(in.User.ID, in.Chat))
	}
}

// How often hermes replies to what one person on the list writes: so many times at once,
// and once more after each while. What they mean as an answer counts all the same.
const (
	replyBurst = 10
	replyEvery = 6 * time.Second
	// refuseEvery is the same for being told that something does not count.
	refuseEvery = time.Minute
)

// alert answers a tap.
func (b *Bridge) alert(in inbound.Input, say ui.Line) {
	b.config.Chat.Answer(in.Callback, say, in.User.Lang)
}

// mayReply reports whether a person may cause one more reply. If not, they are told so
// once.
func (b *Bridge) mayReply(in inbound.Input) bool {
	verdict := b.replies.Take(int64(in.User.ID), time.Now())
	if verdict == pace.Last {
		b.tell(in, ui.Paced())
	}
	if verdict != pace.Yes {
		b.config.Skipped()
	}
	return verdict == pace.Yes
}

// reply tells a person something because of what they wrote, as often as they may cause it.
func (b *Bridge) reply(in inbound.Input, say ui.Line) {
	if b.mayReply(in) {
		b.tell(in, say)
	}
}

func (b *Bridge) tell(in inbound.Input, say ui.Line) { b.sendText(in, say.Text()) }

func (b *Bridge) sendText(in inbound.Input, text ui.Text) {
	b.sendLoose(outbound.Message{Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message, Lang: in.User.Lang, Answer: true, Text: text})
}

// sendLoose sends a note that belongs to no thread. It is not sent again: at worst a
// person asks again.
func (b *Bridge) sendLoose(n outbound.Message) {
	b.config.Chat.Tell(n, func(s outbound.MessageShown) {
		if s.Err != nil {
			b.log.Warn("a note was not sent", "chat", n.Chat, "err", s.Err)
		}
	})
}
