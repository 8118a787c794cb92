package sessions

import (
	"context"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// unlinker revokes links of people's machines, by the buttons below the list of these.
type unlinker struct {
	*services
	machines func(chat.UserID) []remote.Machine // Config.Machines; nil: there are none
	revoke   func(chat.UserID, string, question.Actor) (bool, error)
}

// takeTap acts on a button about a link.
func (u *unlinker) takeTap(in inbound.Input) {
	m, found := u.machineOf(in)
	switch {
	case !found:
		u.respond.reply(in, remote.Message{Kind: remote.TellNoLink})
	case in.Button.Kind == inbound.ButtonLinked:
		u.respond.reply(in, remote.Message{Kind: remote.TellLinked, Machines: []remote.Machine{m}})
	case in.Button.Kind == inbound.ButtonUnlinks, time.Since(in.Button.At) > stopWithin: // it is asked anew
		u.respond.reply(in, remote.Message{Kind: remote.TellUnlink, Machines: []remote.Machine{m}, At: time.Now()})
	default:
		u.unlink(in, m)
	}
}

// machineOf is the one of who taps, in their private chat, that the button means.
func (u *unlinker) machineOf(in inbound.Input) (remote.Machine, bool) {
	if u.machines == nil || !in.Private {
		return remote.Machine{}, false
	}
	for _, m := range u.machines(in.User.ID) {
		if session.ShortTag(m.Link) == in.Button.Tag {
			return m, true
		}
	}
	return remote.Machine{}, false
}

// unlink revokes a link. That is stored, with its entry in the journal, before anybody is told. A crash behind it, and the tap comes again
// and finds no link, which is then told.
func (u *unlinker) unlink(in inbound.Input, m remote.Machine) {
	u.loop.Beside(func(context.Context) func() {
		done, err := u.revoke(in.User.ID, m.Link, author(in))
		t := remote.Message{Kind: remote.TellUnlinked, Machines: []remote.Machine{m}}
		switch {
		case err != nil:
			u.log.Error("a link was not revoked", "link", m.Link, "err", err)
			t.Kind = remote.TellNotSaved
		case !done:
			t.Kind = remote.TellNoLink
		}
		return func() {
			t := addressedTo(in, t)
			t.Edit = in.Message
			u.outbox.tell(t, target{}, func([]chat.MessageID, error) { u.respond.finishSurely(in, storage.Change{}) })
		}
	})
}
