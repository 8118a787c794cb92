package bridge

import "hermes/internal/question"

// attached acts on a message that is no text. None answers an ask; what means none is
// for whoever takes what means none.
func (b *Bridge) attached(in question.Input) {
	if !b.access.knowsPerson(in.User.ID) {
		b.strangers.count()
		b.records.consume(in.Update)
		return
	}
	past := b.answers.retiredThread(in)
	switch {
	case past.ID == "" && b.answers.isUnreadable(in):
		b.answers.refuseUnreadable(in)
	case in.ReplyTo != 0 && b.threads.withMessage(in.Chat, in.ReplyTo) != nil:
		b.noFile(in)
	case past.ID != "" && b.answered(in):
		b.records.consume(in.Update)
	case past.ID != "":
		b.answers.refuseLate(in, past, in.Update)
	case b.elsewhere(in):
	case in.Private && b.threads.waitIn(in.Chat):
		b.noFile(in)
	default:
		b.nothingAsked(in)
	}
}

// noFile says that it is no answer.
func (b *Bridge) noFile(in question.Input) {
	said := b.answered(in)
	b.records.consume(in.Update)
	if !said {
		b.replies.reply(in, question.NoteNoFile)
	}
}

// answered reports whether something was said already of a message that is shown as one
// with this one.
func (b *Bridge) answered(in question.Input) bool {
	before := b.albums[in.Chat]
	if b.albums[in.Chat] = in.Album; in.Album == "" {
		delete(b.albums, in.Chat)
	}
	return in.Album != "" && before == in.Album
}
