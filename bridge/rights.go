package bridge

import (
	"cmp"
	"context"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// SetRules exchanges the rules. Rights change at once, also for what is asked
// already; where that is shown stays. Guests stay too. The error is ctx's, or ErrStopped.
func (b *Bridge) SetRules(ctx context.Context, rules *policy.Book) error {
	return b.loop.Do(ctx, func() {
		b.base = rules
		b.refresh()
	})
}

// ruled notes what the rules say of an open ask, and shows it so. It is called whenever
// the rules change, or something of the ask that they look at. Approvals and a claim of
// those who may not answer any more are over; fewer that are needed decide nothing by
// themselves.
func (b *Bridge) ruled(l *live) {
	if !l.Open() {
		return
	}
	needs, claim := l.Needs, l.ClaimFor
	rule := b.rule(l)
	under(&l.Thread, rule)
	entries := append(b.lapse(l, rule), b.unclaim(l, rule)...)
	if l.Needs != needs || l.ClaimFor != claim || len(entries) > 0 {
		l.Rev++
		b.records.keep(l, entries...)
		b.reconcile(l)
	}
}

// knows reports whether the person is on the list, with a right to answer or without.
func (b *Bridge) knows(id question.UserID) bool {
	_, ok := b.rules.Person(id)
	return ok
}

// under notes the rule that fits a thread: an answer that is taken next was taken under
// it.
func under(t *question.Thread, rule policy.Rule) {
	t.Rule, t.Needs, t.ClaimFor = rule.Name, rule.Approvals, rule.Claim
}

// rule finds the rule that fits the thread now. It changes nothing.
func (b *Bridge) rule(l *live) policy.Rule {
	if l.Request.Admission != nil {
		return policy.Rule{Approvals: 1} // see barAdmission
	}
	ask := policy.Ask{Request: l.Request, Place: l.Place, At: l.Asked}
	if len(l.Origins) > 0 {
		ask.Directory = l.Origins[0].Directory
	}
	for _, o := range l.Origins {
		ask.Resolved = cmp.Or(ask.Resolved, o.Resolved)
	}
	return b.rules.Rule(ask)
}

// bar says why a person may not answer the thread; AlertNone: they may.
func (b *Bridge) bar(l *live, id question.UserID) question.Alert {
	if a := l.Request.Admission; a != nil {
		return b.barAdmission(*a, id)
	}
	rule := b.rule(l)
	switch b.rules.May(rule, id) {
	case policy.NoRole:
		return question.Alert{Kind: question.AlertNoRole, Roles: rule.Sufficient()}
	case policy.WrongRole:
		return question.Alert{Kind: question.AlertWrongRole, Roles: rule.Sufficient()}
	case policy.Stranger:
		return question.Alert{Kind: question.AlertStranger}
	case policy.May:
	}
	return b.claimed(l, id)
}

// barred passes over a text that does not count, and tells the person once why.
func (b *Bridge) barred(l *live, in question.Input, used []question.UpdateID, a question.Alert) {
	b.records.consumeWith(question.Change{Consumed: used, Entries: stamp(l.Thread, []question.Entry{
		{Kind: question.EntryRefused, By: author(in), Detail: string(a.Kind)},
	})})
	kind := question.NoteWrongRole
	switch a.Kind {
	case question.AlertNoRole:
		kind = question.NoteNoRole
	case question.AlertClaimed:
		kind = question.NoteClaimed
	}
	if l.told[in.User.ID] || a.Kind == question.AlertStranger || a.Kind == question.AlertLetIn {
		return
	}
	l.tell(in.User.ID)
	b.send(question.Note{
		Kind: kind, Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message, Lang: in.User.Lang, Roles: a.Roles, Claim: a.Claim,
	})
}

// unsigned tells, once for each question, that an answer without a name does not
// count.
func (b *Bridge) unsigned(in question.Input) {
	b.records.consume(in.Update)
	l := b.threads.withMessage(in.Chat, in.ReplyTo)
	if in.ReplyTo != 0 && l != nil && l.Open() && !l.told[0] {
		l.tell(0)
		b.send(question.Note{Kind: question.NoteUnsigned, Chat: in.Chat, Topic: in.Topic, ReplyTo: in.Message})
	}
}

// tell notes that a person was told why their texts do not count.
func (l *live) tell(id question.UserID) {
	if l.told == nil {
		l.told = map[question.UserID]bool{}
	}
	l.told[id] = true
}
