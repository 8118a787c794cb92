package bridge

import (
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Owners knows whose the links are. Its methods never wait.
type Owners interface {
	// OwnerOf is the person to whom the link of this id belongs, 0: nobody; false: there is no such link now.
	OwnerOf(link string) (chat.UserID, bool)
	// NameOf is what the link of this id is called; of one that was revoked, what it was called when it was made.
	NameOf(link string) string
	// NamedByMachine reports whether nobody but its machine has said what the link of this id is called.
	NamedByMachine(link string) bool
	// Owns reports whether the person has a link.
	Owns(chat.UserID) bool
}

// ownerAt is whose agent asks at an origin. It is false for a link that was revoked: what that says is
// nobody's business any more.
func (ac *access) ownerAt(o session.Origin) (question.Owner, bool) {
	if ac.owners == nil || o.Way != session.Link {
		return question.Owner{}, true
	}
	id, known := ac.owners.OwnerOf(o.Token)
	return ac.ownerNamed(id, o), known
}

// ownerNamed is an owner with the name that the rules have for them.
func (ac *access) ownerNamed(id chat.UserID, o session.Origin) question.Owner {
	if id == 0 {
		return question.Owner{}
	}
	p, _ := ac.rules.Person(id)
	return question.Owner{ID: id, Name: p.Name, Link: ac.linkName(o)}
}

// ownerNow is whose ask it is by now: a link may have been given to another person since. What a revoked link has asked
// stays its owner's.
func (ac *access) ownerNow(l *liveThread) question.Owner {
	for _, o := range l.Origins {
		if o.Way != session.Link {
			continue
		}
		if owner, known := ac.ownerAt(o); known {
			return owner
		}
		return l.Owner
	}
	return l.Owner
}

// linkName is what the link of an origin is called now; empty: there is none, or it has the API's token.
func (ac *access) linkName(o session.Origin) string {
	if ac.owners == nil || o.Way != session.Link || o.Token == "" {
		return session.FirstName(o.Token)
	}
	return ac.owners.NameOf(o.Token)
}

// linkOf is what the link is called that an ask came over; empty: none, or one with the API's token. byMachine: nobody but its machine
// says so.
func (ac *access) linkOf(origins ...session.Origin) (name string, byMachine bool) {
	for _, o := range origins {
		if o.Way == session.Link {
			return ac.linkName(o), ac.owners != nil && ac.owners.NamedByMachine(o.Token)
		}
	}
	return "", false
}

// tokenName is how the journal names the token by which the origin reaches hermes.
func (ac *access) tokenName(o session.Origin) string { return o.TokenName(ac.linkName(o)) }

// followOwner notes whose ask it is by now, and moves it if that is another person: from the chats that the rule for them does not name
// to those that it names. It reports whether anything has changed; then the caller changes the revision.
func (b *Bridge) followOwner(l *liveThread) bool {
	owner := b.access.ownerNow(l)
	if owner == l.Owner {
		return false
	}
	moved := owner.ID != l.Owner.ID
	l.Thread = l.Clone()
	l.Owner = owner
	if !moved || l.Leader != "" {
		return true
	}
	rule, places := b.access.ruleFor(l), b
	wanted := places.cardsFor(rule.Targets)
	for _, c := range wanted {
		l.giveCard(c)
	}
	if l.Escalated {
		for _, e := range rule.Escalation {
			wanted = append(wanted, places.cardsFor(e.Targets)...)
		}
	}
	l.takeCards(wanted)
	l.Escalations = sameTimes(places.escalationsOf(rule, time.Now()), l.Escalations)
	return true
}

// giveCard has a place show the ask: once, and again where it was taken from.
func (l *liveThread) giveCard(c question.Card) {
	if !slices.ContainsFunc(l.Cards, c.SamePlace) {
		l.Cards = append(l.Cards, c)
	}
	for i, old := range l.Cards {
		if old.SamePlace(c) {
			l.Cards[i].Taken = 0 // the caller changes the revision
		}
	}
}

// isGivenMore reports whether the ask is shown in more places than those of these cards.
func (l *liveThread) isGivenMore(before []question.Card) bool {
	return !slices.EqualFunc(l.Cards, before, func(a, b question.Card) bool { return a.Taken == b.Taken })
}

// takeCards takes the ask from the chats that are not among the wanted ones: whoever is there sees that it is not theirs any more, and
// nothing of what becomes of it. A chat whose topic is another one now gets it there, unless it was shown before. The caller changes the
// revision.
func (l *liveThread) takeCards(wanted []question.Card) {
	for i, c := range l.Cards {
		stays := slices.ContainsFunc(wanted, func(w question.Card) bool {
			return w.SamePlace(c) || w.Chat == c.Chat && (len(c.Messages) > 0 || l.sending[i])
		})
		if !stays && c.Taken == 0 {
			l.Cards[i].Taken = l.Rev + 1
		}
	}
}

// sameTimes are the last of the escalations of a rule, at the times of those that were left of another one.
func sameTimes(list, left []question.Escalation) []question.Escalation {
	list = list[max(0, len(list)-len(left)):]
	for i := range list {
		list[i].At = left[len(left)-len(list)+i].At
	}
	return list
}

// LinksChanged has what is asked follow the owners and the names of the links: it is called when a link was given to another person, or
// renamed. The error is ctx's, or loop.ErrEnded; a start does the same.
func (b *Bridge) LinksChanged(ctx context.Context) error {
	return b.loop.Do(ctx, b.rulesChanged)
}

// People are the names of those on the list, with those who were let in. The error is ctx's, or loop.ErrEnded.
func (b *Bridge) People(ctx context.Context) (map[chat.UserID]string, error) {
	names := map[chat.UserID]string{}
	err := b.loop.Do(ctx, func() {
		for _, p := range b.access.rules.People() {
			names[p.ID] = p.Name
		}
	})
	return names, err
}
