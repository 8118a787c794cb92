package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// People and groups are let in by invitations. Whoever opens the link of one is not in yet: somebody who has all that the
// invitation gives must let them in, in the chat. That is a thread of its own, with the
// invitation's ID, shown to all who may answer. Until somebody may answer at all there is
// nobody to ask: then the link alone lets in the first person.
//
// A crash before the commit that begins the thread: the link was not opened yet. A crash
// behind it: the thread is asked at the next start. A decision is stored before anything
// acts on it, and the end of the thread, those who come in with it, and the journal's
// entry are one commit.

// What Unpair says of what it did not remove.
var (
	ErrNotPaired = errors.New("nobody of this id was paired, and no invitation has it; " +
		"who is in HERMES_TELEGRAM_USERS or the rules file is removed there")
	ErrLastPerson = errors.New("nobody else may answer, so the next link would let in whoever opens it; " +
		"let in somebody else first, or name them in HERMES_TELEGRAM_USERS")
)

// ErrAdmission is what Answer says of an ask about who is let in.
var ErrAdmission = errors.New("who is let in is decided in the chat")

// askToLetIn asks whether somebody who has opened a link may come in.
func (b *Bridge) askToLetIn(in inbound.Input, i storage.Invitation) {
	now := time.Now()
	i.Used = now
	a := newAdmission(in, i)
	t := question.Thread{
		ID: i.ID, Asked: now, ShowAt: now, Deadline: i.Until, OnExpiry: question.ExpireReject, Needs: 1, Rev: 1, Cards: b.cardsForAnswerers(),
	}
	t.Postpone(now.Add(restartPause)) // also of a link that was opened in its last moment
	if a.Waits = t.Card(in.Chat) < 0; a.Waits {
		t.Cards = append(t.Cards, question.Card{Chat: in.Chat, Topic: in.Topic})
	}
	t.Request = newAdmissionRequest(i.ID, a)
	remembered := b.chatOf(in.Chat)
	remembered.Greeted, remembered.Lang = true, cmp.Or(in.User.Lang, remembered.Lang)
	b.commit(storage.Change{
		Threads: []question.Thread{t.Clone()}, Paired: storage.Pairings{Invitations: []storage.Invitation{i}},
		Chats: []chat.Chat{remembered}, Consumed: []chat.UpdateID{in.Update},
		Entries: stampEntries(t, []storage.Entry{{
			Kind: storage.EntryOpened, By: in.Author(), Detail: kindOfInvitation(i.Group), Note: strings.Join(i.Roles, ", "),
		}}),
	})
	b.access.mergePairings(storage.Pairings{Invitations: []storage.Invitation{i}}, storage.Pairings{})
	b.putChat(remembered)
	b.log.Info("somebody asks to be let in", "kind", kindOfInvitation(i.Group), "chat", in.Chat)
	b.reconcile(b.threads.add(t))
}

func newAdmission(in inbound.Input, i storage.Invitation) question.Admission {
	return question.Admission{
		User: in.User, Name: i.Name, Roles: i.Roles, Chat: in.Chat, Title: in.Title, Made: i.Made, Group: i.Group,
	}
}

// newAdmissionRequest has an id of hermes' own, which no agent and no program uses.
func newAdmissionRequest(id question.ID, a question.Admission) question.Request {
	return question.Request{ID: question.RequestID("pair_" + id), Admission: &a}
}

// carryOutAdmission carries out what was decided.
func (b *Bridge) carryOutAdmission(l *liveThread) {
	a, d := *l.Request.Admission, *l.Decision
	next := l.Clone()
	next.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, Answers: d.Answers, By: d.By, At: d.At}
	next.Rev++
	entry := storage.Entry{
		Kind: storage.EntryPaired, Detail: kindOfInvitation(a.Group), Note: strings.Join(a.Roles, ", "),
		By: question.Actor{Kind: question.Person, User: a.User.ID, Name: a.User.Name, Chat: b.Current(a.Chat)},
	}
	var comes storage.Pairings
	if d.Reject {
		next.Outcome.Kind = question.OutcomeDismissed
		entry.Kind, entry.Detail = storage.EntryUnwanted, whyNotLetIn(d.By)
	} else {
		comes = b.additions(a, l.ID)
	}
	b.commit(storage.Change{
		Threads: []question.Thread{next.Clone()}, Paired: comes, Entries: stampEntries(next, []storage.Entry{entry}),
	})
	l.Thread = next
	l.publishView()
	b.log.Info("decided who is let in", "question", l.ID, "outcome", string(next.Outcome.Kind), "by", string(d.By.Kind))
	if !d.Reject {
		b.access.mergePairings(comes, storage.Pairings{})
		b.access.applyPairings()
	}
	b.reconcile(l)
	if !d.Reject {
		chat := b.Current(a.Chat)
		b.sendLoose(outbound.Message{Chat: chat, Lang: a.User.Lang, Answer: true, Text: b.greetingFor(chat, a.User).Text()})
	}
}

// whyNotLetIn is why somebody was not let in, in a closed word.
func whyNotLetIn(by question.Actor) string {
	switch by.Kind {
	case question.Deadline:
		return "expired"
	case question.Caller:
		return "withdrawn"
	case question.Person, question.RuleActor, question.Terminal, question.OpenCode:
	}
	return "refused"
}

// additions is what letting in adds. Who is in the configuration stays as they are there, and
// goes when they go there.
func (b *Bridge) additions(a question.Admission, invitation question.ID) (p storage.Pairings) {
	now := time.Now()
	if a.Group {
		p.Groups = []storage.GuestGroup{{Chat: a.Chat, By: a.User.ID, Since: now, Invitation: invitation}}
	}
	if _, ok := b.access.base.Person(a.User.ID); ok {
		return p
	}
	name := cmp.Or(a.Name, a.User.Name)
	if _, taken := b.access.namesake(name, a.User.ID); taken {
		name += fmt.Sprintf(" (%d)", a.User.ID)
	}
	guest := storage.Guest{User: a.User.ID, Name: name, Roles: a.Roles, Since: now, Invitation: invitation}
	for _, before := range b.access.paired.Guests {
		if before.User == guest.User {
			guest.Chat = before.Chat
		}
	}
	if !a.Group {
		guest.Chat = a.Chat
	}
	p.Guests = []storage.Guest{guest}
	return p
}

// Admissions are the threads of those who wait to be let in, oldest first.
func (b *Bridge) Admissions(ctx context.Context) ([]question.Thread, error) {
	var list []question.Thread
	err := b.loop.Do(ctx, func() {
		for _, l := range b.threads.byID {
			if l.Request.Admission != nil && l.Open() {
				list = append(list, l.Clone())
			}
		}
	})
	slices.SortStableFunc(list, func(x, y question.Thread) int { return x.Asked.Compare(y.Asked) })
	return list, err
}

// removalThread is a thread that tells everybody who may answer, those who go included, that
// somebody or a group was removed.
func (b *Bridge) removalThread(gone storage.Pairings, by question.Actor) (t question.Thread, ok bool) {
	a := question.Admission{Removed: true}
	switch {
	case len(gone.Guests) > 0:
		g := gone.Guests[0]
		a.User, a.Name, a.Roles = chat.User{ID: g.User, Name: g.Name}, g.Name, g.Roles
	case len(gone.Groups) > 0:
		a.Group, a.Chat = true, b.Current(gone.Groups[0].Chat)
	default:
		return t, false
	}
	now := time.Now()
	t = question.Thread{
		ID: question.NewID(), Asked: now, ShowAt: now, Rev: 1, Cards: b.cardsForAnswerers(),
		Outcome: &question.Outcome{Kind: question.OutcomeDismissed, By: by, At: now},
	}
	t.Request = newAdmissionRequest(t.ID, a)
	return t, true
}

// namesOf names people for programs.
func namesOf(people []policy.Person) []string {
	names := make([]string, 0, len(people))
	for _, p := range people {
		names = append(names, cmp.Or(p.Name, fmt.Sprintf("user %d", p.ID)))
	}
	return names
}

// codeIn returns the code that came with a /start: what a deep link carries (Bot
// API, "Deep linking").
func codeIn(in inbound.Input) string {
	words := strings.Fields(in.Text)
	if in.Command != "start" || len(words) != 2 {
		return ""
	}
	return words[1]
}

// opensLink reports whether a text opens a link that it is for hermes to act on. In a group a
// code that hermes does not know may be for another bot.
func (b *Bridge) opensLink(in inbound.Input) bool {
	_, found := b.invitationOf(in)
	return found || in.Private && codeIn(in) != ""
}

// invitationOf finds the invitation whose link a text opens.
func (b *Bridge) invitationOf(in inbound.Input) (storage.Invitation, bool) {
	code := codeIn(in)
	if code == "" {
		return storage.Invitation{}, false
	}
	hash := storage.HashCode(code)
	at := slices.IndexFunc(b.access.paired.Invitations, func(i storage.Invitation) bool { return i.Hash == hash })
	if at < 0 {
		return storage.Invitation{}, false
	}
	return b.access.paired.Invitations[at], true
}

// openInvitation acts on a link that was opened.
func (b *Bridge) openInvitation(in inbound.Input) {
	i, found := b.invitationOf(in)
	if !found {
		b.refuseLink(in, storage.Invitation{}, "invitation-unknown")
		return
	}
	// When it was opened, for hermes may have been down since.
	why := i.Refusal(!in.Private, in.Sent.Add(b.config.Skew()))
	comes := b.additions(newAdmission(in, i), i.ID)
	switch {
	case why != "":
		b.refuseLink(in, i, why)
	case comes.Empty(), len(peopleWhoAnswer(b.access.rules)) == 0 && !b.access.damaged:
		b.letInFirst(in, i, comes)
	default:
		b.askToLetIn(in, i)
	}
}

// refuseLink consumes the update of a link that lets nobody in. A stranger is told what
// all strangers are, once; who is in already gets the usual greeting.
func (b *Bridge) refuseLink(in inbound.Input, i storage.Invitation, why string) {
	e := storage.Entry{At: time.Now(), Kind: storage.EntryRefused, Thread: i.ID, By: in.Author(), Detail: why}
	if !b.access.knowsPerson(in.User.ID) {
		b.passOver(in, true, b.named.entryOf(e, e.At))
		return
	}
	b.consume(in.Updates(), e)
	if in.Private {
		b.reply(in, b.greetingFor(in.Chat, in.User))
	}
}

// letInFirst lets in the first person, and in a group the group, or notes that somebody who is
// in already has used up a link. A crash before the commit: the update is still in the
// inbox or at Telegram, and counts at the next start. A crash behind it: they are in, and
// only the greeting is lost.
func (b *Bridge) letInFirst(in inbound.Input, i storage.Invitation, comes storage.Pairings) {
	i.Used = time.Now()
	remembered := b.chatOf(in.Chat)
	remembered.Greeted = false
	if in.User.Lang != "" {
		remembered.Lang = in.User.Lang
	}
	comes.Invitations = []storage.Invitation{i}
	b.commitPairings(storage.Change{
		Paired: comes, Chats: []chat.Chat{remembered}, Consumed: []chat.UpdateID{in.Update},
		Entries: []storage.Entry{{
			At: i.Used, Kind: storage.EntryPaired, Thread: i.ID, By: in.Author(), Detail: kindOfInvitation(i.Group), Note: strings.Join(i.Roles, ", "),
		}},
	})
	b.putChat(remembered)
	b.log.Info("paired", "kind", kindOfInvitation(i.Group), "chat", in.Chat)
	b.tell(in, b.greetingFor(in.Chat, in.User))
}
