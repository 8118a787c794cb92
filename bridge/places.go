package bridge

import (
	"iter"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/ui"
)

// Asks are shown in the chats that the rules name and those of people, by the ids that they have now.

// homes are the chats that hermes is set up for.
type homes struct {
	rules *policy.Ruleset
	chats map[chat.ID]bool // that the rules name, by the ids they had and have
}

// Home reports whether hermes is set up for a chat: the private chat of a person on the
// list, or one that the configuration names or an invitation let in.
func (b *Bridge) Home(id chat.ID) bool { return b.homes.has(id) }

// GroupMoved follows a group that became a supergroup, as a message there has told. It may be said again.
func (b *Bridge) GroupMoved(from, to chat.ID) { b.followMove(from, to) }

func (h homes) has(id chat.ID) bool {
	_, known := h.rules.Person(chat.UserID(id)) // a private chat has the id of the person
	return h.chats[id] || id > 0 && known
}

// updateHomes takes in that the rules have changed, or where a chat is now.
func (b *Bridge) updateHomes() {
	h := homes{rules: b.access.rules, chats: map[chat.ID]bool{}}
	for _, id := range b.access.rules.Chats() {
		h.chats[id], h.chats[b.Current(id)] = true, true
	}
	b.homes = h
}

// concernsChat reports whether there is anything to remember of a chat: hermes is set up for
// it, shows something there, or knows something of it already. Of others nothing is kept,
// for anybody can add the bot to groups.
func (b *Bridge) concernsChat(id chat.ID) bool {
	if _, ok := b.known[id]; ok || b.homes.has(id) {
		return true
	}
	for _, l := range b.threads.byID {
		if l.Card(id) >= 0 {
			return true
		}
	}
	return false
}

// cardsForAnswerers are empty cards for every chat that is configured or paired, and for the
// private chat of everybody who may answer; one for each chat. A private chat has the id
// of its person (Bot API, Chat.id).
func (b *Bridge) cardsForAnswerers() []question.Card {
	targets := b.access.rules.Targets()
	for _, p := range peopleWhoAnswer(b.access.rules) {
		targets = append(targets, policy.Target{Chat: chat.ID(p.ID)})
	}
	var cards []question.Card
	for _, c := range b.cardsFor(targets) {
		if !slices.ContainsFunc(cards, func(d question.Card) bool { return c.Chat == d.Chat }) {
			cards = append(cards, c)
		}
	}
	return cards
}

// isNewcomer reports whether the chat is where the link was opened, and decides nothing.
func (b *Bridge) isNewcomer(l *liveThread, chat chat.ID) bool {
	a := l.Request.Admission
	return a != nil && a.Waits && b.Current(a.Chat) == chat
}

// neededChats are the chats that are configured or paired, the private ones of people who are
// known, those that show what is open, and all that one of them has become.
func (b *Bridge) neededChats() map[chat.ID]bool {
	all := map[chat.ID]bool{}
	add := func(id chat.ID) {
		for id != 0 && !all[id] {
			all[id] = true
			id = b.known[id].MovedTo
		}
	}
	for _, t := range b.access.rules.Targets() {
		add(t.Chat)
	}
	for _, p := range b.access.rules.People() {
		add(chat.ID(p.ID)) // a private chat has the id of its person (Bot API)
	}
	for _, g := range b.access.paired.Guests {
		add(g.Chat)
	}
	for _, g := range b.access.paired.Groups {
		add(g.Chat)
	}
	for _, l := range b.threads.byID {
		if a := l.Request.Admission; a != nil {
			add(a.Chat)
		}
		for _, c := range l.Cards {
			add(c.Chat)
		}
	}
	return all
}

// cardsWanted are empty cards for the chats that the asker wants, of those that hermes may
// use, else for those of the rule.
func (b *Bridge) cardsWanted(terms event.Terms, rule policy.Rule) []question.Card {
	var cards []question.Card
	for _, c := range terms.Cards {
		if c.Chat = b.Current(c.Chat); b.canReach(c) {
			cards = append(cards, question.Card{Chat: c.Chat, Topic: c.Topic})
		}
	}
	if len(cards) > 0 {
		return cards
	}
	return b.cardsFor(rule.Targets)
}

func (b *Bridge) canReach(c question.Card) bool {
	c.Chat = b.Current(c.Chat)
	return slices.ContainsFunc(b.cardsFor(b.access.rules.Targets()), c.SamePlace)
}

// cardsFor are empty cards for these places, one for each.
func (b *Bridge) cardsFor(targets []policy.Target) []question.Card {
	var cards []question.Card
	for _, target := range targets {
		c := question.Card{Chat: b.Current(target.Chat), Topic: target.Topic}
		if !slices.ContainsFunc(cards, c.SamePlace) {
			cards = append(cards, c)
		}
	}
	return cards
}

// greetingFor greets a person, and tells them whether the questions come to this chat.
func (b *Bridge) greetingFor(id chat.ID, u chat.User) ui.Line {
	for _, t := range b.access.rules.Targets() {
		if b.Current(t.Chat) == id {
			return ui.Greeting(u)
		}
	}
	if o := b.access.owners; o != nil && o.Owns(chat.UserID(id)) { // a private chat has the id of the person
		return ui.Greeting(u)
	}
	return ui.Elsewhere(u)
}

// escalationsOf are the further places of a rule, counted from the first showing.
func (b *Bridge) escalationsOf(rule policy.Rule, now time.Time) []question.Escalation {
	var list []question.Escalation
	for _, e := range rule.Escalation {
		list = append(list, question.Escalation{At: now.Add(e.After), Cards: b.cardsFor(e.Targets)})
	}
	slices.SortStableFunc(list, func(x, y question.Escalation) int { return x.At.Compare(y.At) })
	return list
}

// topicThreads are the threads, as the forum sees them.
type topicThreads struct{ b *Bridge }

func (tt topicThreads) Of(root session.ID) iter.Seq[question.Thread] {
	return func(yield func(question.Thread) bool) {
		for _, l := range tt.b.threads.byID {
			if (root == "" || l.Place.Root == root) && !yield(l.Thread) {
				return
			}
		}
	}
}

func (tt topicThreads) Vacate(chat chat.ID, root session.ID, topic int) (emptied []question.Thread) {
	for _, l := range tt.b.threads.byID {
		for i, c := range l.Cards {
			if l.Place.Root == root && c.Chat == chat && c.Topic == 0 && c.Room == topic {
				l.setCard(i, question.Card{Chat: c.Chat, Refused: c.Refused, Taken: c.Taken})
				emptied = append(emptied, l.Clone())
			}
		}
	}
	return emptied
}

func (tt topicThreads) Reconcile(root session.ID) {
	for _, l := range tt.b.threads.byID {
		if l.Place.Root == root {
			tt.b.reconcile(l)
		}
	}
}
