package bridge

import (
	"errors"

	"hermes/internal/question"
)

// isUnreadable reports whether a tap or a reply is on a card of a thread that the store
// could not read. Nothing more is known of that thread; if OpenCode still waits, the
// request is heard of again, and has another thread then.
func (an *answers) isUnreadable(in question.Input) bool {
	key := question.Key{Chat: in.Chat, Message: in.ReplyTo}
	if in.Kind == question.Tapped {
		key.Message = in.Message
	}
	if key.Message == 0 {
		return false
	}
	_, _, err := an.store.Find(key)
	return errors.Is(err, question.ErrUnreadable)
}

// refuseUnreadable says that a text or a file is an answer to nothing that is known.
func (an *answers) refuseUnreadable(in question.Input) {
	an.records.consume(in.Update, stampEntries(question.Thread{}, []question.Entry{
		{Kind: question.EntryRefused, By: authorOf(in), Detail: string(question.AlertSetAside)},
	})...)
	an.replies.tell(in, question.NoteSetAside)
}
