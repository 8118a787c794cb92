package bridge

import (
	"context"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// Recognize says who did something, and how the asks stand to it, all at one moment. It tries
// what that chat refused once more, notes the language of a person on the list, and, of a text that replies to a reply box whose
// number was not known, that number. The error is ctx's, or ErrStopped.
func (b *Bridge) Recognize(ctx context.Context, in inbound.Input) (found inbound.Found, err error) {
	err = b.loop.Do(ctx, func() { found = b.recognize(in) })
	return found, err
}

func (b *Bridge) recognize(in inbound.Input) inbound.Found {
	known := b.access.knowsPerson(in.User.ID)
	if in.Kind != inbound.Blocked && in.Kind != inbound.Moved {
		b.display.retryRefused(in.Chat)
	}
	if in.User.Lang != "" && known && b.places.concerns(in.Chat) && b.chats.chat(in.Chat).Lang != in.User.Lang {
		b.chats.change(in.Chat, nil, func(c *chat.Chat) { c.Lang = in.User.Lang })
	}
	found := inbound.Found{
		User: b.access.withName(in.User), Known: known, Drives: b.access.mayDrive(in.User.ID),
		Redelivered: b.records.wasHandled(in.Update), Link: in.Kind == inbound.Typed && !in.Forwarded && b.admissions.isLink(in),
	}
	if known && !found.Link && (in.Kind == inbound.Typed || in.Kind == inbound.Attached) {
		b.addressing.addStanding(in, &found)
	}
	return found
}
