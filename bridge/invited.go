package bridge

import (
	"slices"
	"strings"
	"time"

	"hermes/question"
)

// codeIn returns the code that came with a /start: what a deep link carries (Bot
// API, "Deep linking").
func codeIn(in question.Input) string {
	words := strings.Fields(in.Text)
	if in.Command != "start" || len(words) != 2 {
		return ""
	}
	return words[1]
}

// invited acts on a link that was opened, and reports whether it was for it to act.
// In a group a code that is none of hermes' may be for another bot.
func (b *Bridge) invited(in question.Input) bool {
	code := codeIn(in)
	if code == "" {
		return false
	}
	hash := question.HashCode(code)
	at := slices.IndexFunc(b.paired.Invitations, func(i question.Invitation) bool { return i.Hash == hash })
	if at < 0 {
		if in.Private {
			b.uninvited(in, question.Invitation{}, "invitation-unknown")
		}
		return in.Private
	}
	i := b.paired.Invitations[at]
	// By Telegram's clock, for hermes may have been down since.
	if why := i.Refusal(!in.Private, in.Sent); why != "" {
		b.uninvited(in, i, why)
	} else {
		b.pair(in, i)
	}
	return true
}

// uninvited passes over a link that lets nobody in. A stranger is told what all
// strangers are, once; who is in already is greeted as ever.
func (b *Bridge) uninvited(in question.Input, i question.Invitation, why string) {
	chat, known := b.chat(in.Chat), b.knows(in.User.ID)
	greet := !known && !chat.Greeted
	chat.Greeted = chat.Greeted || !known
	b.chats[in.Chat] = chat
	_ = b.commit(question.Change{
		Chats: []question.Chat{chat}, Consumed: []question.UpdateID{in.Update},
		Entries: []question.Entry{{
			At: time.Now(), Kind: question.EntryRefused, Thread: i.ID, By: author(in), Detail: why,
		}},
	}) // it comes again after a restart
	if !known {
		b.strange()
	}
	switch {
	case greet:
		b.tell(in, question.NoteStranger)
	case known && in.Private:
		b.tell(in, b.greeting(in.Chat))
	}
}

// pair lets in the person, and in a group the group. A crash before the commit: the
// update is still in the inbox or at Telegram, and counts at the next start. A crash
// behind it: they are in, and only the greeting is lost.
func (b *Bridge) pair(in question.Input, i question.Invitation) {
	i.Used = time.Now()
	chat := b.chat(in.Chat)
	chat.Greeted = false
	if in.User.Lang != "" {
		chat.Lang = in.User.Lang
	}
	err := b.repair(question.Change{
		Paired: b.admitted(in, i), Chats: []question.Chat{chat}, Consumed: []question.UpdateID{in.Update},
		Entries: []question.Entry{{
			At: i.Used, Kind: question.EntryPaired, Thread: i.ID, By: author(in), Detail: kindOf(i), Note: strings.Join(i.Roles, ", "),
		}},
	})
	if err != nil {
		b.tell(in, question.NoteNotSaved)
		return
	}
	b.chats[in.Chat] = chat
	b.langs.Store(in.Chat, chat.Lang)
	b.log.Info("paired", "kind", kindOf(i), "chat", in.Chat)
	b.tell(in, b.greeting(in.Chat))
}

// admitted is what the invitation changes. Who is in the configuration stays as they
// are there, and goes when they go there.
func (b *Bridge) admitted(in question.Input, i question.Invitation) question.Pairings {
	p := question.Pairings{Invitations: []question.Invitation{i}}
	if i.Group {
		p.Groups = []question.GuestGroup{{Chat: in.Chat, By: in.User.ID, Since: i.Used, Invitation: i.ID}}
	}
	if _, ok := b.base.Person(in.User.ID); ok {
		return p
	}
	guest := question.Guest{User: in.User.ID, Name: i.Name, Roles: i.Roles, Since: i.Used, Invitation: i.ID}
	if guest.Name == "" {
		guest.Name = in.User.Name
	}
	for _, before := range b.paired.Guests {
		if before.User == guest.User {
			guest.Chat = before.Chat
		}
	}
	if in.Private {
		guest.Chat = in.Chat
	}
	p.Guests = []question.Guest{guest}
	return p
}

// strange counts what somebody did who is not on the list.
func (b *Bridge) strange() {
	if b.config.Strange != nil {
		b.config.Strange()
	}
}
