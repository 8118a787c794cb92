package bridge

import (
	"context"

	"hermes/policy"
	"hermes/question"
)

// SetRules exchanges the rules. Rights change at once, also for what is asked
// already; where that is shown stays. Guests stay too. The error is ctx's, or ErrStopped.
func (b *Bridge) SetRules(ctx context.Context, rules *policy.Book) error {
	return b.do(ctx, func() { b.base = rules; b.refresh() })
}

// knows reports whether the person is on the list, with a right to answer or without.
func (b *Bridge) knows(id question.UserID) bool {
	_, ok := b.rules.Person(id)
	return ok
}

// rule finds the rule that fits the thread now, and notes its name: an answer that is
// taken next was taken under it.
func (b *Bridge) rule(l *live) policy.Rule {
	ask := policy.Ask{Request: l.Request, Place: l.Place}
	if len(l.Origins) > 0 {
		ask.Directory = l.Origins[0].Directory
	}
	r := b.rules.Rule(ask)
	l.Rule = r.Name
	return r
}

// bar says why a person may not answer the thread; AlertNone: they may.
func (b *Bridge) bar(l *live, id question.UserID) question.Alert {
	rule := b.rule(l)
	switch b.rules.May(rule, id) {
	case policy.NoRole:
		return question.Alert{Kind: question.AlertNoRole, Roles: rule.Roles}
	case policy.WrongRole:
		return question.Alert{Kind: question.AlertWrongRole, Roles: rule.Roles}
	case policy.Stranger:
		return question.Alert{Kind: question.AlertStranger}
	case policy.May:
	}
	return question.Alert{}
}

// barred passes over a text that does not count, and tells the person once why.
func (b *Bridge) barred(l *live, in question.Input, used []question.UpdateID, a question.Alert) {
	_ = b.commit(question.Change{Consumed: used, Entries: stamp(l.Thread, []question.Entry{
		{Kind: question.EntryRefused, By: author(in), Detail: string(a.Kind)},
	})}) // it comes again after a restart
	kind := question.NoteWrongRole
	if a.Kind == question.AlertNoRole {
		kind = question.NoteNoRole
	}
	if l.told[in.User.ID] || a.Kind == question.AlertStranger {
		return
	}
	if l.told == nil {
		l.told = map[question.UserID]bool{}
	}
	l.told[in.User.ID] = true
	b.send(question.Note{
		Kind: kind, Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message, Lang: in.User.Lang, Roles: a.Roles,
	})
}
