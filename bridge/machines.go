package bridge

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/pace"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// People get codes with which machines of theirs make links, and are told of the links that were made.
//
// A crash before the commit of a code leaves the update in the inbox: there is no code yet. A crash behind it leaves a code that
// nobody was told, which the next one replaces. A link that was made is told to its owner until that was stored: after a crash
// perhaps twice, and never not.

// takeWish acts on /link.
func (b *Bridge) takeWish(in inbound.Input) {
	switch {
	case !in.Private && !b.homes.has(in.Chat): // it may be for another bot
		b.consume(in.Updates())
	case !b.mayLink(in.User.ID):
		b.replyTo(in, ui.NoRole(nil))
	case !in.Private:
		b.replyTo(in, ui.LinkInPrivate())
	case b.linkURL == "":
		b.replyTo(in, ui.NoLinkURL())
	case b.mayReply(in):
		b.giveLinkCode(in)
	default: // what nobody would be told is not made
		b.consume(in.Updates())
	}
}

func (b *Bridge) giveLinkCode(in inbound.Input) {
	c, code := storage.NewLinkCode(time.Now(), in.User.ID, in.Chat, in.User.Lang)
	b.commit(storage.Change{
		LinkCodes: []storage.LinkCode{c}, Consumed: in.Updates(),
		Entries: []storage.Entry{{At: c.Made, Kind: storage.EntryLinkCode, Thread: c.ID, By: in.Author()}},
	})
	b.sendText(in, ui.LinkCode(b.linkURL, code, storage.LinkCodeFor))
}

// mayLink reports whether a person may have links: who may answer anything.
func (b *Bridge) mayLink(id chat.UserID) bool {
	return slices.ContainsFunc(peopleWhoAnswer(b.access.rules), func(p policy.Person) bool { return p.ID == id })
}

// tellAllLinked tells of the links that were made and not told of.
func (b *Bridge) tellAllLinked() error {
	codes, err := b.config.Store.LinkCodes()
	for _, c := range codes {
		if !c.Used.IsZero() && !c.Told {
			b.tellLinkedOnce(c)
		}
	}
	return err
}

// tellAgain is how long after a failure the owner is told again.
const tellAgain = time.Minute

// tellLinkedOnce begins to tell the owner, unless that was begun: the machine may ask again for an answer that it did not get.
func (b *Bridge) tellLinkedOnce(c storage.LinkCode) {
	if b.telling[c.ID] {
		return
	}
	b.telling[c.ID] = true
	b.tellLinked(c)
}

// tellLinked tells the owner of the link that was made with their code.
func (b *Bridge) tellLinked(c storage.LinkCode) {
	done := make(chan error, 1)
	b.config.Chat.Tell(outbound.Message{Chat: c.Chat, Lang: c.Lang, Text: ui.MachineLinked(c.Link, c.Host)}, func(s outbound.MessageShown) { done <- s.Err })
	b.loop.Beside(func(context.Context) func() {
		err := <-done
		return func() { b.noteLinkedTold(c, err) }
	})
}

func (b *Bridge) noteLinkedTold(c storage.LinkCode, err error) {
	if retry.IsTemporary(err) {
		b.log.Warn("the owner of a new link was not told of it yet", "link", c.Link, "chat", c.Chat, "err", err)
		b.loop.After(tellAgain, func() { b.tellLinked(c) })
		return
	}
	if err != nil {
		b.log.Error("the owner of a new link cannot be told of it", "link", c.Link, "chat", c.Chat, "err", err)
	}
	c.Told = true
	b.commit(storage.Change{LinkCodes: []storage.LinkCode{c}})
}

// Linked tells the owner of a code of the link that was made with it. The error is ctx's, or loop.ErrEnded: then the next start does.
func (b *Bridge) Linked(ctx context.Context, c storage.LinkCode) error {
	return b.loop.Do(ctx, func() { b.tellLinkedOnce(c) })
}

// Linkers are those who may have links: who may answer anything. The error is ctx's, or loop.ErrEnded.
func (b *Bridge) Linkers(ctx context.Context) (map[chat.UserID]bool, error) {
	list := map[chat.UserID]bool{}
	err := b.loop.Do(ctx, func() {
		for _, p := range peopleWhoAnswer(b.access.rules) {
			list[p.ID] = true
		}
	})
	return list, err
}

// reaching gives the agent that can answer the thread, by whichever way is alive.
func (b *Bridge) reaching(t question.Thread) (Agent, bool) {
	for _, o := range t.Origins {
		if a, ok := b.config.Agents(o); ok {
			return a, true
		}
	}
	return nil, false
}

func (b *Bridge) reachable(t question.Thread) bool {
	if t.Request.Admission != nil {
		return true // hermes itself carries it out
	}
	_, ok := b.reaching(t)
	return ok
}

// quotas counts how much each machine asks, and says when that is too much.
type quotas struct {
	threads  *threads
	log      *slog.Logger
	heldBack func() // called whenever an ask is not taken in; may be nil

	asks  pace.Each[string] // of links, by source
	kib   pace.Each[string] // the same, in KiB of what they ask
	noisy map[string]bool   // sources that ask too much, as logged
}

// What the asks of one machine may use, so that a noisy one neither fills the chats nor, soon, the disk. An ask beyond that
// is not taken in: it waits at its OpenCode, where it can be answered, and comes with a later listing when there is room. Servers
// that the configuration names, and programs, which have the API's token, are not bounded.
const (
	maxOpen  = 200         // asks that wait
	askBurst = 200         // asks at once
	askEvery = time.Second // and one more after each

	// And how large they may be: as much at once as the largest request of a link has, and then 6 GB in the week for which asks
	// that have ended are kept.
	kibBurst = 8 << 10
	kibEvery = time.Second / 10
)

func newQuotas(t *threads, log *slog.Logger, heldBack func()) *quotas {
	return &quotas{
		threads: t, log: log, heldBack: heldBack, noisy: map[string]bool{},
		asks: pace.Each[string]{Burst: askBurst, Every: askEvery}, kib: pace.Each[string]{Burst: kibBurst, Every: kibEvery},
	}
}

// holdsBack reports whether an ask is too much of its machine, and says so in the log, once until there is room again.
func (q *quotas) holdsBack(o session.Origin, r question.Request) bool {
	if o.Way != session.Link {
		return false
	}
	source := o.Source()
	now, kib := time.Now(), min((r.Size()+1023)>>10, kibBurst)
	if q.threads.countWaiting(source) < maxOpen && q.kib.TakeN(source, kib, now) == pace.Yes {
		if q.asks.Take(source, now) == pace.Yes {
			delete(q.noisy, source)
			return false
		}
		q.kib.TakeN(source, -kib, now) // it comes again
	}
	q.heldBack()
	if !q.noisy[source] && len(q.noisy) < maxNoisy {
		q.noisy[source] = true
		q.log.Error("an OpenCode asks too much; what it asks beyond waits there until there is room", o.Logged()...)
	}
	return true
}

// maxNoisy bounds for how many sources it is remembered that the log has it.
const maxNoisy = 256
