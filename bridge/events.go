package bridge

import (
	"cmp"
	"time"

	"hermes/internal/event"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// What OpenCode says changes threads: what waits there, where, and how it ended.
//
// A request belongs to the OpenCode process that announced it. What another process says of the same request id is about a request
// of that other process, or about nothing: it never changes the first one's record, card or answer, and no answer goes there. Two links are
// never one process, whatever they say: equal requests of both are two cards.

// signPause is how long after a sign that a request may have ended hermes looks:
// an answer that caused the sign is reported by an event of its own just before.
const signPause = 100 * time.Millisecond

func (b *Bridge) takeEvent(e event.Event) {
	switch e.Kind {
	case event.Opened:
		b.takeOpened(e)
	case event.Asked:
		for _, ask := range e.Asks {
			b.takeAsked(e.Origin, ask)
		}
	case event.Captured:
		for _, ask := range e.Asks {
			b.takeCaptured(e.Origin, ask)
		}
	case event.Replied, event.Rejected:
		b.takeEnd(e)
	case event.Unloaded:
		for _, l := range b.threads.seenAt(e.Origin, "") {
			l.unloaded = true
		}
		b.checkSoon(e)
	case event.Declined:
		for _, l := range b.threads.seenAt(e.Origin, e.Session) {
			l.declined = true
		}
	case event.Touched:
		b.checkSoon(e)
	case event.Finished:
		b.checkSoon(e)
		b.forum.SessionEnded(e.Origin, e.Session)
	case event.Named:
		b.takeNames(e)
	case event.Lost:
		b.takeLost(e.Origin)
	case event.Closed:
		b.takeClosed(e.Origin)
	}
}

// takeOpened compares what waits at an origin with the records. A record that is not
// in the list is only a reason to look.
func (b *Bridge) takeOpened(e event.Event) {
	listed := map[question.RequestID]bool{}
	for _, ask := range e.Asks {
		listed[ask.Request.ID] = true
		b.takeAsked(e.Origin, ask)
	}
	for _, l := range b.threads.seenAt(e.Origin, "") {
		b.noteReachable(l)
		if !listed[l.Request.ID] && l.Outcome == nil {
			l.CheckAt = time.Now()
			l.Delivery.Next = time.Time{}
		}
		b.reconcile(l)
	}
}

// takeAsked takes in a request that waits. The same one may be reported many times, and for
// several directories of its process.
func (b *Bridge) takeAsked(o session.Origin, ask event.Ask) {
	if l := b.threads.ofRequest(o, ask.Request.ID); l != nil {
		b.addWay(l, o, ask)
		return
	}
	l := b.threads.capturedCall(o, ask.Request)
	if l != nil {
		b.noteResolved(l, ask.Request)
		b.addWay(l, o, ask)
		return
	}
	if !b.isNoNews(o, ask.Request.ID) {
		b.beginThread(o, ask)
	}
}

// isNoNews reports whether a retired thread proves that the request is no
// news. One that ended without proof and waits all the same is news.
func (b *Bridge) isNoNews(o session.Origin, id question.RequestID) bool {
	t, ok, err := b.config.Store.Find(storage.Key{Request: id, Origin: o})
	if err != nil {
		b.log.Error("cannot read the store", "err", err)
	}
	if !ok || t.Outcome == nil {
		return false
	}
	return t.Outcome.Kind.Decided()
}

// addWay adds a way to a thread.
func (b *Bridge) addWay(l *liveThread, o session.Origin, ask event.Ask) {
	changed := !l.From(o)
	if changed {
		l.Origins = append(l.Clone().Origins, o)
	}
	if l.setPlace(ask.Place) {
		changed = true
		b.forum.SessionRenamed(l.Thread)
	}
	changed = l.addDetails(ask.Request) || changed
	if l.Away {
		b.noteReachable(l)
	} else if changed {
		b.saveThread(l)
	}
	l.start = cmp.Or(ask.Start, l.start)
	b.applyRule(l)
	b.followRules(l) // another rule may fit what is known now
	b.reconcile(l)
}

// addDetails takes in what was not known of an ask before; of a permission ask, unless a
// chat shows it: what is on screen says that it is not all, and does not change its
// meaning.
func (l *liveThread) addDetails(r question.Request) bool {
	if r.Agent == "" || l.Request.Agent != "" || !l.Open() {
		return false
	}
	if r.Permission == nil {
		l.Request.Agent = r.Agent
		return true
	}
	if l.Shown() || len(l.sending) > 0 {
		return false
	}
	if len(r.Links()) == 0 {
		r = r.WithLinks(l.Request.Links())
	}
	l.Request.Agent, l.Request.Permission = r.Agent, r.Permission
	l.Rev++
	return true
}

// noteReachable notes that a thread can be reached again.
func (b *Bridge) noteReachable(l *liveThread) {
	if !l.Away {
		return
	}
	if time.Since(l.AwaySince) > restartGap {
		l.start = ""
	}
	l.Return(time.Now())
	l.Delivery.Next = time.Time{}
	l.tellOnItsWay()
	b.saveThread(l)
}

// tellOnItsWay has the cards of a decision that has not arrived say whether it is on its way or waits. An end says neither.
func (l *liveThread) tellOnItsWay() {
	if l.Decision != nil && !l.Settled() {
		l.Rev++
	}
}

// restartGap is how long an OpenCode is away at most that was only started anew: that takes seconds. In a longer time an ask
// may have been settled there before a start.
const restartGap = 30 * time.Second

// takeCaptured takes in a question tool call whose request is not known yet.
func (b *Bridge) takeCaptured(o session.Origin, ask event.Ask) {
	for _, l := range b.threads.byID {
		same := l.Request.Session == ask.Request.Session && l.Request.Call == ask.Request.Call && l.FromProcess(o)
		if same && l.Outcome == nil {
			return
		}
	}
	b.beginThread(o, ask)
}

func (b *Bridge) checkSoon(e event.Event) {
	for _, l := range b.threads.seenAt(e.Origin, e.Session) {
		if l.Outcome == nil {
			l.CheckAt = time.Now().Add(signPause)
			if !l.Delivery.SentAt.IsZero() {
				l.Delivery.Next = l.CheckAt
			}
			b.reconcile(l)
		}
	}
}

// takeNames takes in the new name of the place that a question comes from.
func (b *Bridge) takeNames(e event.Event) {
	for _, ask := range e.Asks {
		if l := b.threads.ofRequest(e.Origin, ask.Request.ID); l != nil && l.setPlace(ask.Place) {
			b.saveThread(l)
			b.forum.SessionRenamed(l.Thread)
			b.applyRule(l)
			b.followRules(l)
			b.reconcile(l)
		}
	}
}

// setPlace notes where a question comes from, and reports whether that is new. A card
// that was shown without is changed for it; another name waits for the next edit.
func (l *liveThread) setPlace(p session.Place) bool {
	if p.Root == "" || p == l.Place {
		return false
	}
	if l.Place.Root == "" && l.Outcome == nil {
		l.Rev++
	}
	l.Place = p
	return true
}

func (b *Bridge) takeLost(o session.Origin) {
	for _, l := range b.threads.seenAt(o, "") {
		l.declined = false // the end of OpenCode has the same reason
		if l.reported != nil && l.Outcome == nil && !b.reachable(l.Thread) && !l.maybeUnloaded() {
			b.settleReported(l, l.unseenNote())
		}
		if !l.Away && !b.reachable(l.Thread) {
			l.Leave(time.Now())
			l.tellOnItsWay()
			b.saveThread(l)
		}
		b.reconcile(l)
	}
}

// takeClosed settles what waited in a process or instance that is gone for good,
// unless another way reaches it: that one is asked.
func (b *Bridge) takeClosed(o session.Origin) {
	for _, l := range b.threads.seenAt(o, "") {
		switch {
		case l.Outcome != nil:
		case b.reachable(l.Thread):
			l.CheckAt = time.Now()
			b.reconcile(l)
		case l.reported != nil && !l.maybeUnloaded():
			b.settleReported(l, l.unseenNote())
		case l.maybeSent() || l.agentBusy && l.Decision != nil && !l.IsHeld():
			l.Delivery.Made = max(l.Delivery.Made, 1) // one may be under way
			b.settle(l, question.Outcome{Kind: question.OutcomeUnknown})
		default:
			b.settle(l, question.Outcome{Kind: question.OutcomeRestarted})
		}
	}
}

// takeEnd takes in the event that a request was answered or dismissed. It proves
// what the agent got: if hermes has sent just that, it was hermes.
func (b *Bridge) takeEnd(e event.Event) {
	l := b.threads.ofRequest(e.Origin, e.ID)
	if l == nil || l.Outcome != nil {
		return
	}
	kind := question.OutcomeAnswered
	if e.Kind == event.Rejected {
		kind = question.OutcomeDismissed
	}
	if l.Request.Permission != nil && e.Origin.Way != session.AskAPI {
		b.takeReportedEnd(l, reportedEnd{kind, e.Answers})
		return
	}
	b.settleFor(l, question.Outcome{Kind: kind, Answers: e.Answers, Note: e.Note}, l.agentBusy || l.maybeSent())
}

// beginThread begins a thread, unless there are too many of one machine: the next listing brings it again.
func (b *Bridge) beginThread(o session.Origin, ask event.Ask) {
	if b.quotas.holdsBack(o, ask.Request) {
		return
	}
	owner, known := b.access.ownerAt(o)
	if !known {
		return
	}
	now := time.Now()
	link, byMachine := b.access.linkOf(o)
	rule := b.access.rules.Rule(policy.Ask{
		Request: ask.Request, Directory: o.Directory, Resolved: o.Resolved, Place: ask.Place, Link: link, LinkByMachine: byMachine, Owner: owner.ID, At: now,
	})
	t := question.Thread{
		ID: question.NewID(), Request: ask.Request, Origins: []session.Origin{o}, Owner: owner,
		Place: ask.Place, Project: b.threads.projectName(o), Asked: now, ShowAt: now.Add(b.config.NotifyDelay),
		Rev: 1,
	}
	if b.config.Context {
		t.Said = ask.Said
	}
	if t.Request.ID == "" {
		t.Resolving.Next = now.Add(resolvePause)
	}
	b.access.noteRule(&t, rule)
	b.setTerms(&t, rule)
	if ask.Terms.TTL != nil {
		t.TTL = *ask.Terms.TTL
	}
	t.OnExpiry = cmp.Or(ask.Terms.OnExpiry, t.OnExpiry)
	entries := append([]storage.Entry{{Kind: storage.EntryAsked, By: b.askerOf(o)}}, b.decideByRule(&t, rule)...)
	change := storage.Change{Entries: stampEntries(t, entries)}
	leader := b.equalTo(o, ask.Request)
	switch {
	case t.ByRule():
		leader = nil
		if t.Announce {
			t.Cards = b.cardsWanted(ask.Terms, rule)
		}
	case leader != nil:
		change.Threads = append(change.Threads, leader.withFollower(&t))
	default:
		t.Cards = b.cardsWanted(ask.Terms, rule)
	}
	for _, c := range t.Cards {
		change.Chats = append(change.Chats, b.allowHint(c.Chat)...)
	}
	change.Threads = append(change.Threads, t.Clone())
	b.commit(change)
	b.log.Info("asked", "question", t.ID, "session", t.Request.Session)
	b.logByRule(t)
	if leader != nil {
		leader.Thread = change.Threads[0]
		leader.publishView()
		b.reconcile(leader)
	}
	l := b.threads.add(t)
	l.start = ask.Start
	if t.Request.Permission != nil {
		b.notePassed(l)
	}
	b.reconcile(l)
}

// resolvePause is how long a captured call waits for the event of its ask. That comes a few
// milliseconds behind, with all that a card shows; looking for it earlier costs a busy
// OpenCode time.
const resolvePause = 150 * time.Millisecond

// askerOf names who asked: a program, by the HTTP interface; nobody in particular for an
// agent, but for the token that its OpenCode has.
func (b *Bridge) askerOf(o session.Origin) question.Actor {
	if o.Way == session.AskAPI {
		return question.OverAPI()
	}
	return question.Actor{Token: b.access.tokenName(o)}
}
