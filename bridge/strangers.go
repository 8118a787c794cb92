package bridge

import (
	"log/slog"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// strangers is what hermes does about people who are not on the list: it counts them, and
// tells some of them, once, who they are.
type strangers struct {
	store   Journal
	records *records
	access  *access
	chats   *chatMemory
	replies *replies
	strange func() // called for each thing that a stranger does; may be nil

	named     namedStrangers
	greetings pace.People // as if they were one person
	greeted   pace.People // the same, in a day
}

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

func newStrangers(c Config, r *records, a *access, m *chatMemory, replies *replies) *strangers {
	return &strangers{
		store: c.Store, records: r, access: a, chats: m, replies: replies, strange: c.Strange,
		greetings: pace.People{Burst: greetBurst, Every: greetEvery},
		greeted:   pace.People{Burst: greetDaily, Every: 24 * time.Hour / greetDaily},
	}
}

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

// load takes in what the journal has of today, so that a restart makes no room
// for more.
func (s *strangers) load() error {
	now := time.Now()
	s.named.beginDay(now)
	entries, err := s.store.EntriesSince(s.named.day, storage.EntryRefused)
	for _, e := range entries {
		switch {
		case e.Detail == moreStrangers:
			s.named.more = true
		case e.By.Kind == question.Person && !s.access.knowsPerson(e.By.User):
			s.named.known[e.By.User] = true
		}
	}
	return err
}

// mayGreet reports whether one more stranger may be told who they are.
func (s *strangers) mayGreet() bool {
	now := time.Now()
	return s.greetings.Take(0, now) == pace.Yes && s.greeted.Take(0, now) == pace.Yes
}

// take passes over what a stranger did. Who begins is told who they are, and the journal has
// their taps.
func (s *strangers) take(in inbound.Input) {
	switch {
	case in.Kind == inbound.Tapped:
		s.passOver(in, false, s.named.entryOf(storage.Entry{By: authorOf(in), Detail: string(storage.RefusedStranger)}, time.Now()))
		s.replies.alert(in, ui.Stranger())
	case in.Kind == inbound.Typed && !in.Forwarded:
		s.passOver(in, in.Private && in.Command == "start", nil)
	default:
		s.count()
		s.records.consume(in.Updates())
	}
}

// passOver consumes what a stranger did, and tells them once, if hello, what all
// strangers are told: their own id, which the owner needs to let them in.
func (s *strangers) passOver(in inbound.Input, hello bool, entries []storage.Entry) {
	s.count()
	remembered := s.chats.chat(in.Chat)
	c := storage.Change{Consumed: in.Updates(), Entries: entries}
	if hello = hello && !remembered.Greeted && s.mayGreet(); hello {
		remembered.Greeted, remembered.Seen = true, time.Now().Round(0)
		s.chats.known[in.Chat] = remembered
		c.Chats = []chat.Chat{remembered}
	}
	s.records.commit(c)
	if hello {
		s.replies.tell(in, ui.StrangersID(in.User.ID, in.Chat))
	}
}

// count counts what somebody did who is not on the list.
func (s *strangers) count() {
	if s.strange != nil {
		s.strange()
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

// replies tells people what they caused by what they did, other than by cards: as often as
// each may cause it.
type replies struct {
	chat    Messages
	log     *slog.Logger
	skipped func() // called for each reply that is left out; may be nil

	pace pace.People
}

func newReplies(c Config) *replies {
	return &replies{chat: c.Chat, log: c.Log, skipped: c.Skipped, pace: pace.People{Burst: replyBurst, Every: replyEvery}}
}

// alert answers a tap.
func (r *replies) alert(in inbound.Input, say ui.Line) {
	r.chat.Answer(in.Callback, say, in.User.Lang)
}

// mayReply reports whether a person may cause one more reply. If not, they are told so
// once.
func (r *replies) mayReply(in inbound.Input) bool {
	verdict := r.pace.Take(int64(in.User.ID), time.Now())
	if verdict == pace.Last {
		r.tell(in, ui.Paced())
	}
	if verdict != pace.Yes && r.skipped != nil {
		r.skipped()
	}
	return verdict == pace.Yes
}

// reply tells a person something because of what they wrote, as often as they may cause it.
func (r *replies) reply(in inbound.Input, say ui.Line) {
	if r.mayReply(in) {
		r.tell(in, say)
	}
}

func (r *replies) tell(in inbound.Input, say ui.Line) { r.sendText(in, say.Text()) }

func (r *replies) sendText(in inbound.Input, text ui.Text) {
	r.send(outbound.Message{Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message, Lang: in.User.Lang, Answer: true, Text: text})
}

// send sends a note that belongs to no thread. It is not sent again: at worst a
// person asks again.
func (r *replies) send(n outbound.Message) {
	r.chat.Note(n, func(_ chat.MessageID, err error) {
		if err != nil {
			r.log.Warn("a note was not sent", "chat", n.Chat, "err", err)
		}
	})
}
