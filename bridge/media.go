package bridge

import (
	"hermes/internal/inbound"
	"hermes/internal/outbound"
)

// takeMedia acts on a message that is no text. None answers an ask; what is about none is
// offered to Config.Else.
func (k *intake) takeMedia(in inbound.Input) {
	if !k.access.knowsPerson(in.User.ID) {
		k.strangers.count()
		k.records.consume(in.Update)
		return
	}
	past := k.addressing.retiredThread(in)
	switch {
	case past.ID == "" && k.addressing.isUnreadable(in):
		k.answers.refuseUnreadable(in)
	case k.addressing.repliesToLive(in):
		k.refuseMedia(in)
	case past.ID != "" && k.albumAnswered(in):
		k.records.consume(in.Update)
	case past.ID != "":
		k.answers.refuseLate(in, past, in.Update)
	case k.offerElsewhere(in):
	case in.Private && k.addressing.asksIn(in.Chat):
		k.refuseMedia(in)
	default:
		k.hintNothingAsked(in)
	}
}

// refuseMedia says that it is no answer.
func (k *intake) refuseMedia(in inbound.Input) {
	said := k.albumAnswered(in)
	k.records.consume(in.Update)
	if !said {
		k.replies.reply(in, outbound.NoteNoFile)
	}
}

// albumAnswered reports whether something was said already of a message that is shown as one
// with this one.
func (k *intake) albumAnswered(in inbound.Input) bool {
	before := k.albums[in.Chat]
	if k.albums[in.Chat] = in.Album; in.Album == "" {
		delete(k.albums, in.Chat)
	}
	return in.Album != "" && before == in.Album
}
