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

// places says where asks are shown: in the chats that the rules name and those of people, by
// the ids that they have now.
type places struct {
	access  *access
	chats   *chatMemory
	threads *threads

	homes homes
}

func newPlaces(a *access, m *chatMemory, t *threads) *places {
	return &places{access: a, chats: m, threads: t}
}

// homes are the chats that hermes is set up for.
type homes struct {
	rules *policy.Ruleset
	chats map[chat.ID]bool // that the rules name, by the ids they had and have
}

// Home reports whether hermes is set up for a chat: the private chat of a person on the
// list, or one that the configuration names or an invitation let in.
func (b *Bridge) Home(id chat.ID) bool { return b.places.homes.has(id) }

// Current is what a group has become, or the chat itself.
func (b *Bridge) Current(id chat.ID) chat.ID { return b.chats.current(id) }

// GroupMoved follows a group that became a supergroup, as a message there has told. It may be said again.
func (b *Bridge) GroupMoved(from, to chat.ID) { b.display.followMove(from, to) }

func (h homes) has(id chat.ID) bool {
	_, known := h.rules.Person(chat.UserID(id)) // a private chat has the id of the person
	return h.chats[id] || id > 0 && known
}

// updateHomes takes in that the rules have changed, or where a chat is now.
func (pl *places) updateHomes() {
	h := homes{rules: pl.access.rules, chats: map[chat.ID]bool{}}
	for _, id := range pl.access.rules.Chats() {
		h.chats[id], h.chats[pl.chats.current(id)] = true, true
	}
	pl.homes = h
}

// concerns reports whether there is anything to remember of a chat: hermes is set up for
// it, shows something there, or knows something of it already. Of others nothing is kept,
// for anybody can add the bot to groups.
func (pl *places) concerns(id chat.ID) bool {
	if _, ok := pl.chats.known[id]; ok || pl.homes.has(id) {
		return true
	}
	for _, l := range pl.threads.byID {
		if l.Card(id) >= 0 {
			return true
		}
	}
	return false
}

// cardsForAnswerers are empty cards for every chat that is configured or paired, and for the
// private chat of everybody who may answer; one for each chat. A private chat has the id
// of its person (Bot API, Chat.id).
func (pl *places) cardsForAnswerers() []question.Card {
	targets := pl.access.rules.Targets()
	for _, p := range peopleWhoAnswer(pl.access.rules) {
		targets = append(targets, policy.Target{Chat: chat.ID(p.ID)})
	}
	var cards []question.Card
	for _, c := range pl.cardsFor(targets) {
		if !slices.ContainsFunc(cards, func(d question.Card) bool { return c.Chat == d.Chat }) {
			cards = append(cards, c)
		}
	}
	return cards
}

// isNewcomer reports whether the chat is where the link was opened, and decides nothing.
func (pl *places) isNewcomer(l *liveThread, chat chat.ID) bool {
	a := l.Request.Admission
	return a != nil && a.Waits && pl.chats.current(a.Chat) == chat
}

// neededChats are the chats that are configured or paired, the private ones of people who are
// known, those that show what is open, and all that one of them has become.
func (pl *places) neededChats() map[chat.ID]bool {
	all := map[chat.ID]bool{}
	add := func(id chat.ID) {
		for id != 0 && !all[id] {
			all[id] = true
			id = pl.chats.known[id].MovedTo
		}
	}
	for _, t := range pl.access.rules.Targets() {
		add(t.Chat)
	}
	for _, p := range pl.access.rules.People() {
		add(chat.ID(p.ID)) // a private chat has the id of its person (Bot API)
	}
	for _, g := range pl.access.paired.Guests {
		add(g.Chat)
	}
	for _, g := range pl.access.paired.Groups {
		add(g.Chat)
	}
	for _, l := range pl.threads.byID {
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
func (pl *places) cardsWanted(terms event.Terms, rule policy.Rule) []question.Card {
	var cards []question.Card
	for _, c := range terms.Cards {
		if c.Chat = pl.chats.current(c.Chat); pl.canReach(c) {
			cards = append(cards, question.Card{Chat: c.Chat, Topic: c.Topic})
		}
	}
	if len(cards) > 0 {
		return cards
	}
	return pl.cardsFor(rule.Targets)
}

func (pl *places) canReach(c question.Card) bool {
	c.Chat = pl.chats.current(c.Chat)
	return slices.ContainsFunc(pl.cardsFor(pl.access.rules.Targets()), c.SamePlace)
}

// cardsFor are empty cards for these places, one for each.
func (pl *places) cardsFor(targets []policy.Target) []question.Card {
	var cards []question.Card
	for _, target := range targets {
		c := question.Card{Chat: pl.chats.current(target.Chat), Topic: target.Topic}
		if !slices.ContainsFunc(cards, c.SamePlace) {
			cards = append(cards, c)
		}
	}
	return cards
}

// greetingFor greets a person, and tells them whether the questions come to this chat.
func (pl *places) greetingFor(id chat.ID, u chat.User) ui.Line {
	for _, t := range pl.access.rules.Targets() {
		if pl.chats.current(t.Chat) == id {
			return ui.Greeting(u)
		}
	}
	if o := pl.access.owners; o != nil && o.Owns(chat.UserID(id)) { // a private chat has the id of the person
		return ui.Greeting(u)
	}
	return ui.Elsewhere(u)
}

// escalationsOf are the further places of a rule, counted from the first showing.
func (pl *places) escalationsOf(rule policy.Rule, now time.Time) []question.Escalation {
	var list []question.Escalation
	for _, e := range rule.Escalation {
		list = append(list, question.Escalation{At: now.Add(e.After), Cards: pl.cardsFor(e.Targets)})
	}
	slices.SortStableFunc(list, func(x, y question.Escalation) int { return x.At.Compare(y.At) })
	return list
}

// topicThreads are the threads, as the forum sees them.
type topicThreads struct{ *engine }

func (tt topicThreads) Of(root session.ID) iter.Seq[question.Thread] {
	return func(yield func(question.Thread) bool) {
		for _, l := range tt.threads.byID {
			if (root == "" || l.Place.Root == root) && !yield(l.Thread) {
				return
			}
		}
	}
}

func (tt topicThreads) Vacate(chat chat.ID, root session.ID, topic int) (emptied []question.Thread) {
	for _, l := range tt.threads.byID {
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
	for _, l := range tt.threads.byID {
		if l.Place.Root == root {
			tt.reconcile(l)
		}
	}
}
