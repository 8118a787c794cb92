package bridge

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
)

// decide stores a change before anything acts on it. A crash before the commit: it never happened, and Telegram or the caller
// says it again. A crash behind it: what it owes is done at the next start.
func (b *Bridge) decide(l *liveThread, next question.Thread, used []chat.UpdateID, entries ...storage.Entry) {
	next.Delivery.Begun = next.Decision != nil && !next.IsHeld() && !next.Away && b.reachable(next) // sent at once
	change := storage.Change{
		Threads: []question.Thread{next.Clone()}, Entries: stampEntries(next, slices.Clone(entries)), Consumed: used,
	}
	followers := b.followersDecided(next)
	for _, f := range followers {
		t := f.Clone()
		if next.IsHeld() {
			t.HoldAs(f.Thread, next.Held.Until)
		}
		t.Decision, t.Votes = next.Decision, next.Votes
		t.Delivery.Begun = !t.IsHeld() && !t.Away && b.reachable(t)
		t.Rev++
		change.Threads = append(change.Threads, t)
		change.Entries = append(change.Entries, stampEntries(t, slices.Clone(entries))...)
	}
	b.commit(change)
	l.Thread = next
	l.publishView()
	for i, f := range followers {
		f.Thread = change.Threads[i+1]
		b.reconcile(f)
	}
}

// followRules notes what the rules say of an open ask, and shows it so. It is called whenever
// the rules change, or something of the ask that they look at. Approvals and a claim of
// those who may not answer any more are over; fewer that are needed decide nothing by
// themselves.
func (b *Bridge) followRules(l *liveThread) {
	if !l.Open() {
		return
	}
	needs, claim, may, moved := l.Needs, l.ClaimFor, l.May, b.followOwner(l)
	rule := b.access.ruleFor(l)
	b.access.noteRule(&l.Thread, rule)
	entries := append(b.access.dropInvalidVotes(l, rule), b.access.dropInvalidClaim(l, rule)...)
	if moved || l.Needs != needs || l.ClaimFor != claim || !slices.Equal(l.May, may) || len(entries) > 0 {
		l.Rev++
		b.saveThread(l, entries...)
		b.reconcile(l)
	}
}

// A decision that a person makes with a tap or a text can be held for a while, so that it can be taken back
// (HERMES_UNDO, and undo in a rule). Whoever may answer the ask may take it back: that asks people again, and sends
// nothing. What a rule decides is held where that rule says so; what a program or the deadline decides never is.
//
// The hold is stored in the commit of the decision. A crash before that: the tap comes again. A crash behind it: the
// rest of the hold runs. What ends it, by time or by Undo, is one commit for all equal asks: nothing is sent before
// it, and nothing is taken back behind it.

// undoPause is how long what was held is held at least after a restart: a tap on Undo may wait in the inbox or at
// Telegram.
const undoPause = 2 * time.Second

// undonePause is how long people have, at least, when a decision was taken back: its deadline may be over.
const undonePause = 2 * time.Minute

// keepBack holds the new decision of next, which people have made on before, as long as the rule says. It returns what
// to journal.
func (b *Bridge) keepBack(before question.Thread, next *question.Thread, rule policy.Rule) []storage.Entry {
	undo := rule.UndoOr(b.config.Undo)
	if undo <= 0 || next.Decision == nil || next.Request.Admission != nil {
		return nil
	}
	next.HoldAs(before, next.Decision.At.Add(undo))
	return []storage.Entry{heldEntry(*next, undo)}
}

func heldEntry(t question.Thread, undo time.Duration) storage.Entry {
	return storage.Entry{Kind: storage.EntryHeld, By: t.Decision.By, Detail: undo.String()}
}

// endHold ends the hold of an ask, and of all that are decided with it. What was decided by somebody who may not decide it
// any more is not sent: people are asked again, with sound.
func (b *Bridge) endHold(l *liveThread) {
	now, held := time.Now(), b.heldWith(l)
	if slices.ContainsFunc(held, func(one *liveThread) bool { return !b.access.stillCounts(one) }) {
		by := l.Decision.By
		b.askTakenBack(held, question.WizardInput{}, func(t *question.Thread) {
			t.Wizard.Notice = question.Notice{Kind: question.LostRight, Text: by.Name}
			t.RemindAt = slices.Insert(t.RemindAt, 0, now)
		}, storage.Change{}, storage.Entry{Kind: storage.EntryUndone, By: by, Detail: "rights"})
		return
	}
	b.changeHeld(held, func(t question.Thread) question.Thread {
		t = t.Released(now)
		t.Delivery.Begun = !t.Away && b.reachable(t) // sent at once
		return t
	}, storage.Change{}, nil)
}

// takeBackHeld takes back what is held, for whoever tapped.
func (b *Bridge) takeBackHeld(l *liveThread, in inbound.Input) {
	entry := storage.Entry{Kind: storage.EntryUndone, By: in.Author()}
	b.askTakenBack(b.heldWith(l), in.Move, func(*question.Thread) {}, storage.Change{Consumed: in.Updates()}, entry)
}

// askTakenBack takes back the decision of all these asks, of which the first leads, and asks people by the rules of now.
func (b *Bridge) askTakenBack(held []*liveThread, move question.WizardInput, alter func(*question.Thread), c storage.Change, entry storage.Entry) {
	until := time.Now().Add(undonePause)
	b.changeHeld(held, func(t question.Thread) question.Thread {
		t = t.TakenBack(move)
		t.Postpone(until)
		alter(&t)
		return t
	}, c, &entry)
	b.dropClosed(held[0])
	for _, one := range held {
		b.followRules(one)
	}
	b.reconcile(held[0])
}

// heldWith are the asks whose decision is held together with this one's, itself first.
func (b *Bridge) heldWith(l *liveThread) []*liveThread {
	leader := l
	if other := b.leaderOf(l); other != nil && other.IsHeld() {
		leader = other
	}
	list := []*liveThread{leader}
	for _, id := range leader.Equals {
		if f := b.threads.byID[id]; f != nil && f.IsHeld() && f.Leader == leader.ID {
			list = append(list, f)
		}
	}
	return list
}

// changeHeld stores a change of all these asks at once.
func (b *Bridge) changeHeld(list []*liveThread, alter func(question.Thread) question.Thread, c storage.Change, entry *storage.Entry) {
	var changed []question.Thread
	for _, l := range list {
		t := alter(l.Thread)
		changed = append(changed, t)
		c.Threads = append(c.Threads, t.Clone())
		if entry != nil {
			c.Entries = append(c.Entries, stampEntries(t, []storage.Entry{*entry})...)
		}
	}
	b.commit(c)
	for i, l := range list {
		l.Thread = changed[i]
		l.publishView()
	}
	for _, l := range list {
		b.reconcile(l)
	}
}

// decideByRule lets the rule decide a thread that is new, or of which all is known by now,
// and returns what to journal. From then on it is owed, sent and proven like a person's
// decision. A call that was only captured is decided when its request is there.
func (b *Bridge) decideByRule(t *question.Thread, rule policy.Rule) []storage.Entry {
	d, ok := rule.Decision(t.Request)
	t.Ruling = rule.Unsure || ok && t.Request.ID == ""
	if t.Ruling {
		t.ShowAt = retry.Later(t.ShowAt, t.Asked.Add(unknownFor))
	}
	if unfit, is := rule.Unfit(t.Request); is && !t.Ruling {
		b.log.Warn("a rule's answer does not fit the question", "question", t.ID, "rule", rule.Name, "reason", unfit)
	}
	if !ok || t.Ruling {
		return nil
	}
	d.At = time.Now()
	t.Decision, t.Announce = &d, rule.Notify
	entries := []storage.Entry{{Kind: storage.EntryAnswered, By: d.By, Answers: d.Answers}}
	if undo := rule.UndoOr(0); undo > 0 {
		before := *t
		before.Decision = nil
		t.HoldAs(before, d.At.Add(undo))
		t.Announce = true // nobody could take back what nobody sees
		return append(entries, heldEntry(*t, undo))
	}
	t.Delivery.Begun = !t.Away // sent at once
	t.ShowAt = retry.Later(t.ShowAt, d.At.Add(ruledShown))
	return entries
}

// ruledShown is how long OpenCode has to take a decision by rule before a chat shows it:
// most are proven by then, and shown once.
const ruledShown = 2 * time.Second

// unknownFor is how long people are not asked what a rule may decide as soon as more
// is known of it: OpenCode tells of a call before it asks, mostly within a tenth of
// this.
const unknownFor = time.Second

// applyRule asks the rules again when more is known of a thread than when it began. A
// thread that somebody has begun to answer is theirs.
func (b *Bridge) applyRule(l *liveThread) {
	if !l.Ruling || !l.Open() || l.Wizard.Last != (question.WizardInput{}) || len(l.Votes) > 0 || l.Claim != nil {
		return
	}
	rule, next := b.access.ruleFor(l), l.Clone()
	entries := b.decideByRule(&next, rule)
	if next.Ruling {
		return
	}
	b.access.noteRule(&next, rule)
	if next.Decision == nil && !next.Shown() && len(l.sending) == 0 {
		b.setTerms(&next, rule)
		if len(next.Cards) > 0 {
			next.Cards = b.cardsFor(rule.Targets) // rules that do not fit after all have no say
		}
		next.ShowAt = next.Asked.Add(b.config.NotifyDelay)
	}
	if next.ByRule() {
		next.Rev++
	}
	b.decide(l, next, nil, entries...)
	if l.ByRule() {
		b.logByRule(l.Thread)
		b.leaveGroup(l)
	}
}

func (b *Bridge) logByRule(t question.Thread) {
	if t.ByRule() {
		b.log.Info("decided by a rule", "question", t.ID, "rule", t.Decision.By.Name, "rejected", t.Decision.Reject)
	}
}
