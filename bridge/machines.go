package bridge

import (
	"context"
	"errors"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// machines gives people codes with which machines of theirs make links, and tells them of the links that were made.
//
// A crash before the commit of a code leaves the update in the inbox: there is no code yet. A crash behind it leaves a code that
// nobody was told, which the next one replaces. A link that was made is told to its owner until that was stored: after a crash
// perhaps twice, and never not.
type machines struct {
	*engine
	store    Settings
	access   *access
	places   *places
	replies  *replies
	messages Messages
	url      string // at which machines reach hermes, several with commas between; empty: not known

	telling map[question.ID]bool // the codes whose owners are told, or were, since the start
}

// takeWish acts on /link.
func (m *machines) takeWish(in inbound.Input) {
	switch {
	case !in.Private && !m.places.homes.Load().has(in.Chat): // it may be for another bot
		m.records.consume(in.Updates())
	case !m.mayLink(in.User.ID):
		m.refuse(in, outbound.NoteNoRole)
	case !in.Private:
		m.refuse(in, outbound.NoteLinkOther)
	case m.url == "":
		m.refuse(in, outbound.NoteLinkNoURL)
	case m.replies.mayReply(in):
		m.giveCode(in)
	default: // what nobody would be told is not made
		m.records.consume(in.Updates())
	}
}

func (m *machines) refuse(in inbound.Input, kind outbound.NoteKind) {
	m.records.consume(in.Updates())
	m.replies.reply(in, kind)
}

func (m *machines) giveCode(in inbound.Input) {
	c, code := storage.NewLinkCode(time.Now(), in.User.ID, in.Chat, in.User.Lang)
	err := m.records.commit(storage.Change{
		LinkCodes: []storage.LinkCode{c}, Consumed: in.Updates(),
		Entries: []storage.Entry{{At: c.Made, Kind: storage.EntryLinkCode, Thread: c.ID, By: authorOf(in)}},
	})
	if err != nil {
		m.replies.tell(in, outbound.NoteNotSaved)
		return
	}
	m.replies.answer(in, outbound.Note{
		Kind: outbound.NoteLinkCode, Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message, Lang: in.User.Lang,
		Machine: outbound.Machine{URL: m.url, Code: code, For: storage.LinkCodeFor},
	})
}

// mayLink reports whether a person may have links: who may answer anything.
func (m *machines) mayLink(id chat.UserID) bool {
	return slices.ContainsFunc(peopleWhoAnswer(m.access.rules), func(p policy.Person) bool { return p.ID == id })
}

// tellAll tells of the links that were made and not told of.
func (m *machines) tellAll() error {
	codes, err := m.store.LinkCodes()
	for _, c := range codes {
		if !c.Used.IsZero() && !c.Told {
			m.tellOnce(c)
		}
	}
	return err
}

// tellAgain is how long after a failure the owner is told again.
const tellAgain = time.Minute

// tellOnce begins to tell the owner, unless that was begun: the machine may ask again for an answer that it did not get.
func (m *machines) tellOnce(c storage.LinkCode) {
	if m.telling[c.ID] {
		return
	}
	m.telling[c.ID] = true
	m.tell(c)
}

// tell tells the owner of the link that was made with their code.
func (m *machines) tell(c storage.LinkCode) {
	done := make(chan error, 1)
	m.messages.Note(outbound.Note{
		Kind: outbound.NoteLinked, Chat: c.Chat, Lang: c.Lang, Machine: outbound.Machine{Name: c.Link, Host: c.Host},
	}, func(_ chat.MessageID, err error) { done <- err })
	m.loop.Beside(func(context.Context) func() {
		err := <-done
		return func() { m.noteTold(c, err) }
	})
}

func (m *machines) noteTold(c storage.LinkCode, err error) {
	if isPassing(err) {
		m.log.Warn("the owner of a new link was not told of it yet", "link", c.Link, "chat", c.Chat, "err", err)
		m.loop.After(tellAgain, func() { m.tell(c) })
		return
	}
	if err != nil {
		m.log.Error("the owner of a new link cannot be told of it", "link", c.Link, "chat", c.Chat, "err", err)
	}
	c.Told = true
	if m.records.commit(storage.Change{LinkCodes: []storage.LinkCode{c}}) != nil {
		m.log.Warn("it was not stored that the owner of a new link was told; the next start tells them again", "link", c.Link)
	}
}

// isPassing reports whether a message that failed may be sent later.
func isPassing(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

// Linked tells the owner of a code of the link that was made with it. The error is ctx's, or ErrStopped: then the next start does.
func (b *Bridge) Linked(ctx context.Context, c storage.LinkCode) error {
	return b.loop.Do(ctx, func() { b.machines.tellOnce(c) })
}

// Linkers are those who may have links: who may answer anything. The error is ctx's, or ErrStopped.
func (b *Bridge) Linkers(ctx context.Context) (map[chat.UserID]bool, error) {
	list := map[chat.UserID]bool{}
	err := b.loop.Do(ctx, func() {
		for _, p := range peopleWhoAnswer(b.access.rules) {
			list[p.ID] = true
		}
	})
	return list, err
}
