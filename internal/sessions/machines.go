package sessions

import (
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// A link may belong to a person. What runs on that machine is for them alone: they drive it, and see what it did, in their private
// chat; nobody else finds its sessions in a list, and nothing of them is told in another chat, unless the rules show its asks there
// (see Config.Hearers).

// isOpenTo reports whether who wrote or tapped may drive, and see there, what runs at the origin.
func (r *routes) isOpenTo(in inbound.Input, o session.Origin) bool {
	owner, known := r.ownerOf(o)
	return known && (owner == 0 || owner == in.User.ID && in.Private)
}

// isOpenIn is isOpenTo for what is told in a chat though nobody there has asked for it. A private chat has the id of its
// person (Bot API, Chat.id).
func (r *routes) isOpenIn(id chat.ID, o session.Origin) bool {
	owner, known := r.ownerOf(o)
	return known && (owner == 0 || chat.ID(owner) == id)
}

// ownerOf is the person whose machine it is, 0: nobody's in particular; false: it is a link that was revoked.
func (r *routes) ownerOf(o session.Origin) (chat.UserID, bool) {
	if r.machines == nil || o.Way != session.Link {
		return 0, true
	}
	return r.machines(o.Token)
}

// homeOf is where a target's session is known to be.
func (r *routes) homeOf(to target) session.Origin {
	if home, known := r.owner(to.session); known {
		return home
	}
	return to.origin
}

// isOpenToAuthor is isOpenTo for who wrote a prompt that waits.
func (r *routes) isOpenToAuthor(p remote.QueuedPrompt, o session.Origin) bool {
	owner, known := r.ownerOf(o)
	return known && (owner == 0 || owner == p.By.User && chat.ID(owner) == p.Chat)
}

// isOthers reports whether a prompt that waits is for what is another person's machine by now.
func (r *routes) isOthers(p remote.QueuedPrompt) bool {
	home := r.homeOf(promptTarget(p))
	_, known := r.ownerOf(home)
	return known && !r.isOpenToAuthor(p, home)
}

// openTo are those of the routes that are open to who wrote or tapped.
func (r *routes) openTo(in inbound.Input, list []route) []route {
	return slices.DeleteFunc(list, func(one route) bool { return !r.isOpenTo(in, one.Origin) })
}

// toOpen are the routes that may lead to a session, of those that are open to who wrote or tapped. The session may be
// elsewhere than it was seen: its machine may have got a link with an owner since.
func (r *routes) toOpen(in inbound.Input, to target) []route { return r.openTo(in, r.toSession(to)) }

// toOpenIn are the routes that may lead to a session, of those whose sessions may be told of in a chat.
func (r *routes) toOpenIn(id chat.ID, to target) []route {
	return slices.DeleteFunc(r.toSession(to), func(one route) bool { return !r.isOpenIn(id, one.Origin) })
}

// takeLinkTap acts on a button about a link.
func (c *Controller) takeLinkTap(in inbound.Input) {
	m, found := c.machineOf(in)
	switch {
	case !found:
		c.reply(in, ui.NoSuchLink().Text())
	case in.Button.Kind == inbound.ButtonLinked:
		c.reply(in, ui.StaysLinked(m).Text())
	case in.Button.Kind == inbound.ButtonUnlinks, time.Since(in.Button.At) > stopWithin: // it is asked anew
		c.reply(in, ui.UnlinkAsk(m, time.Now()))
	default:
		c.unlink(in, m)
	}
}

// machineOf is the one of who taps, in their private chat, that the button means.
func (c *Controller) machineOf(in inbound.Input) (remote.Machine, bool) {
	if c.config.Machines == nil || !in.Private {
		return remote.Machine{}, false
	}
	for _, m := range c.config.Machines(in.User.ID) {
		if session.ShortTag(m.Link) == in.Button.Tag {
			return m, true
		}
	}
	return remote.Machine{}, false
}

// unlink revokes a link. That is stored, with its entry in the journal, before anybody is told. A crash behind it, and the tap comes again
// and finds no link, which is then told.
func (c *Controller) unlink(in inbound.Input, m remote.Machine) {
	c.loop.Beside(func(context.Context) func() {
		done, err := c.config.Unlink(in.User.ID, m.Link, in.Author())
		if err != nil {
			c.log.Error("a link was not revoked; the next start takes the tap up", "link", m.Link, "err", err)
			return nil
		}
		said := ui.Unlinked(m)
		if !done {
			said = ui.NoSuchLink()
		}
		return func() {
			c.tell(inPlace(in, said.Text()), target{}, func([]chat.MessageID, error) { c.finish(in, storage.Change{}) })
		}
	})
}
