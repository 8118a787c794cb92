package bridge

import (
	"errors"

	"hermes/internal/question"
)

// setAside reports whether a tap or a reply is on a card of a thread that the store
// could not read. Nothing more is known of that thread; if OpenCode still waits, the
// request is heard of again, and has another thread then.
func (b *Bridge) setAside(in question.Input) bool {
	key := question.Key{Chat: in.Chat, Message: in.ReplyTo}
	if in.Kind == question.Tapped {
		key.Message = in.Message
	}
	if key.Message == 0 {
		return false
	}
	_, _, err := b.config.Store.Find(key)
	return errors.Is(err, question.ErrUnreadable)
}

// tellSetAside says that a text or a file is an answer to nothing that is known.
func (b *Bridge) tellSetAside(in question.Input) {
	b.records.consume(in.Update, stamp(question.Thread{}, []question.Entry{
		{Kind: question.EntryRefused, By: author(in), Detail: string(question.AlertSetAside)},
	})...)
	b.replies.tell(in, question.NoteSetAside)
}
