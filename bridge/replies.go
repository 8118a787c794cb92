package bridge

import (
	"time"

	"hermes/internal/pace"
	"hermes/internal/question"
)

// How often hermes replies to what one person on the list writes: so many times at once,
// and once more after each while. What they mean as an answer counts all the same.
const (
	replyBurst = 10
	replyEvery = 6 * time.Second
	// refuseEvery is the same for being told that something does not count.
	refuseEvery = time.Minute
)

// mayReply reports whether a person may cause one more reply. If not, they are told so
// once.
func (b *Bridge) mayReply(in question.Input) bool {
	if b.repeated {
		return false
	}
	verdict := b.replies.Take(int64(in.User.ID), time.Now())
	if verdict == pace.Last {
		b.tell(in, question.NotePaced)
	}
	if verdict != pace.Yes && b.config.Skipped != nil {
		b.config.Skipped()
	}
	return verdict == pace.Yes
}

// reply tells a person something because of what they wrote, as often as they may cause it.
func (b *Bridge) reply(in question.Input, kind question.NoteKind) {
	if b.mayReply(in) {
		b.tell(in, kind)
	}
}

// forwarded passes over what a person did not write themselves, whatever it replies to or
// says. They are told so where it was meant for hermes.
func (b *Bridge) forwarded(in question.Input) {
	meant := in.Private || in.ReplyTo != 0 && (b.threads.withMessage(in.Chat, in.ReplyTo) != nil || b.past(in).ID != "")
	switch {
	case !b.knows(in.User.ID):
		b.strange()
		b.records.consume(in.Update)
	case meant:
		b.records.consume(in.Update)
		if b.refusals.Take(int64(in.User.ID), time.Now()) == pace.Yes {
			b.tell(in, question.NoteForwarded)
		}
	case in.ReplyTo != 0 && b.elsewhere(in):
	default:
		b.records.consume(in.Update)
	}
}
