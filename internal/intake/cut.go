package intake

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// writer is one person in one chat.
type writer struct {
	chat chat.ID
	user chat.UserID
}

// begun is what its writer's client may send more of: a text that it cut (see inbound), or an
// album. Whom it is for was decided with its first message. One is begun at most for each
// writer: whatever they send that is no more of it makes it whole.
type begun struct {
	*delivery
	last  inbound.Input // the last message of it
	until time.Time     // when no more is waited for
	timer *time.Timer
}

// mayGoOn reports whether more may come of an input. Nobody waits for more from strangers.
func (d *delivery) mayGoOn(known bool) bool {
	switch {
	case d.whole || !known || d.in.Forwarded:
		return false
	case d.in.Kind == inbound.Attached:
		return d.in.Album != "" && (d.to == inbound.ForSession || d.to == inbound.ForLater) // else it is said at once that it does not count
	}
	return d.in.Kind == inbound.Typed && inbound.MayBeContinued(d.in.Text)
}

// hold waits for more of what is begun. When the loop ends it waits for ever: all of it is in
// the inbox, for the next start.
func (k *Intake) hold(b *begun) {
	w := writer{b.in.Chat, b.in.User.ID}
	k.begun[w] = b
	within := inbound.RestWithin
	if b.in.Kind == inbound.Attached {
		within = inbound.AlbumWithin
	}
	b.until = time.Now().Add(within)
	b.timer = k.loop.After(within, func() {
		if k.begun[w] == b && !time.Now().Before(b.until) && k.loop.Running() {
			k.complete(w)
		}
	})
}

// goesOn reports whether an input is more of what its writer has begun, and joins it then.
// Any other message of theirs makes that whole first.
func (k *Intake) goesOn(in inbound.Input) bool {
	w := writer{in.Chat, in.User.ID}
	b := k.begun[w]
	if b == nil || in.Forwarded || in.Kind != inbound.Typed && in.Kind != inbound.Attached {
		return false
	}
	if !b.takes(in) {
		k.complete(w)
		return false
	}
	b.timer.Stop()
	b.join(in)
	if in.Kind == inbound.Typed && !inbound.MayBeContinued(in.Text) {
		k.complete(w)
		return true
	}
	k.hold(b)
	return true
}

// takes reports whether an input can be more of what is begun.
func (b *begun) takes(in inbound.Input) bool {
	switch {
	case in.Kind != b.in.Kind || in.Topic != b.in.Topic:
		return false
	case in.Kind == inbound.Attached:
		return in.Album == b.in.Album
	}
	return in.CanContinue(b.last) && b.takesCommand(in.Command)
}

// takesCommand reports whether a text that begins like a command can be the rest of another
// one: of words for an ask, which are cut at any place.
func (b *begun) takesCommand(name string) bool {
	return name == "" || name != "start" && (b.to == inbound.ForCard || b.to == inbound.ForDoubt)
}

// join adds a message.
func (b *begun) join(in inbound.Input) {
	in.User = b.in.User
	if in.Kind == inbound.Typed {
		b.in.Text += "\n" + in.Text
	}
	b.in.Rest = append(b.in.Rest, in)
	b.last.Sent = in.Sent
}

// complete passes on what a writer has begun.
func (k *Intake) complete(w writer) {
	b := k.begun[w]
	delete(k.begun, w)
	b.timer.Stop()
	k.pass(b.delivery)
}
