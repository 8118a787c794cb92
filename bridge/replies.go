package bridge

import (
	"log/slog"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/pace"
)

// How often hermes replies to what one person on the list writes: so many times at once,
// and once more after each while. What they mean as an answer counts all the same.
const (
	replyBurst = 10
	replyEvery = 6 * time.Second
	// refuseEvery is the same for being told that something does not count.
	refuseEvery = time.Minute
)

// replies tells people what they caused by what they did, other than by cards: as often as
// each may cause it, and nothing again for an update that comes again.
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
func (r *replies) alert(in inbound.Input, a outbound.Alert) {
	if !in.Redelivered {
		r.chat.Answer(in.Callback, a, in.User.Lang)
	}
}

// mayReply reports whether a person may cause one more reply. If not, they are told so
// once.
func (r *replies) mayReply(in inbound.Input) bool {
	if in.Redelivered {
		return false
	}
	verdict := r.pace.Take(int64(in.User.ID), time.Now())
	if verdict == pace.Last {
		r.tell(in, outbound.NotePaced)
	}
	if verdict != pace.Yes && r.skipped != nil {
		r.skipped()
	}
	return verdict == pace.Yes
}

// reply tells a person something because of what they wrote, as often as they may cause it.
func (r *replies) reply(in inbound.Input, kind outbound.NoteKind) {
	if r.mayReply(in) {
		r.tell(in, kind)
	}
}

func (r *replies) tell(in inbound.Input, kind outbound.NoteKind) {
	r.answer(in, outbound.Note{
		Kind: kind, Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message, Lang: in.User.Lang, User: in.User,
	})
}

// answer sends a note because of an input, unless that comes once more.
func (r *replies) answer(in inbound.Input, n outbound.Note) {
	if !in.Redelivered {
		r.send(n)
	}
}

// send sends a note that belongs to no thread. It is not sent again: at worst a
// person asks again.
func (r *replies) send(n outbound.Note) {
	r.chat.Note(n, func(_ chat.MessageID, err error) {
		if err != nil {
			r.log.Warn("a note was not sent", "chat", n.Chat, "kind", string(n.Kind), "err", err)
		}
	})
}
