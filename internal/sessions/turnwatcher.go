package sessions

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/outbound"
	"hermes/internal/recent"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

const (
	// maxWatched is how many sessions of one source are watched that nobody has written
	// to, for chats that hear of all.
	maxWatched = 200
	// maxCrowded bounds for how many sources it is remembered that the log has it.
	maxCrowded = 256
)

// turnWatcher finds out when turns end, and tells those who wait for it.
type turnWatcher struct {
	*Controller

	watches map[session.ID]*turnWatch
	crowded *recent.Map[string, bool]                  // sources with too many watches, as logged
	told    *recent.Map[session.ID, session.MessageID] // the last turn whose end was reported; what it has forgotten, the store has
	hinting map[chat.ID]bool                           // chats that are being told how to change their level
}

func newTurnWatcher(c *Controller) *turnWatcher {
	return &turnWatcher{
		Controller: c, watches: map[session.ID]*turnWatch{}, crowded: recent.New[string, bool](maxCrowded),
		told: recent.New[session.ID, session.MessageID](maxHeard), hinting: map[chat.ID]bool{},
	}
}

// loadWatches takes over what an earlier life of hermes watched. OpenCode says when it can be
// looked at.
func (t *turnWatcher) loadWatches(list []remote.TurnWatch) {
	for _, w := range list {
		t.watches[w.Session] = &turnWatch{TurnWatch: w, stored: true}
	}
}

// advance does what is owed to a watch, and sets its alarm.
func (t *turnWatcher) advance(w *turnWatch) {
	if t.watches[w.Session] != w {
		return // another has taken its place
	}
	steps, wake := w.Next(time.Now())
	if slices.Contains(steps, storeStep) {
		t.storeWatch(w)
	}
	if slices.Contains(steps, lookStep) {
		t.startLook(w)
	}
	w.alarm.set(t.loop, wake, func() { t.advance(w) })
}

func (t *turnWatcher) storeWatch(w *turnWatch) {
	t.commit(storage.Change{TurnWatches: []remote.TurnWatch{w.TurnWatch}})
	w.storeAt, w.stored = time.Time{}, true
}

// lookIn has a session looked at in a while, and not before.
func (t *turnWatcher) lookIn(w *turnWatch, in time.Duration) {
	w.lookAt = time.Now().Add(in)
	t.advance(w)
}

// lookNow has a session looked at at once, or once more if a look is under way.
func (t *turnWatcher) lookNow(w *turnWatch) {
	if w.looking || w.telling {
		w.again = true
		return
	}
	t.lookIn(w, 0)
}

// prepare gives a copy of the session's watch, or a new one. The copy takes the place of the
// other with watchBy, when it is stored.
func (t *turnWatcher) prepare(to target) *turnWatch {
	w := &turnWatch{TurnWatch: remote.TurnWatch{Session: to.session, Origin: to.origin, Since: time.Now()}}
	if old := t.watches[to.session]; old != nil {
		*w = *old
		w.For, w.Queued = slices.Clone(old.For), slices.Clone(old.Queued)
		w.looking, w.telling = false, false // what is under way is for the old one
		w.lookAt, w.alarm = time.Time{}, alarm{}
	}
	return w
}

// prepareFor does so for somebody whose prompt the session has now, together with which it is stored.
func (t *turnWatcher) prepareFor(l remote.Listener, to target) *turnWatch {
	w := t.prepare(to)
	w.For, w.asked, w.woken, w.stopped = append(w.For, l), time.Now(), false, nil
	w.stored, w.storeAt = true, time.Time{}
	return w
}

// watchBy has the session watched by w, and looked at in a while.
func (t *turnWatcher) watchBy(w *turnWatch, lookIn time.Duration) {
	if old := t.watches[w.Session]; old != nil {
		old.alarm.stop()
	}
	t.watches[w.Session] = w
	t.lookIn(w, lookIn)
}

// sessionWorks notes that a session has begun, or continues.
func (t *turnWatcher) sessionWorks(e event.Event) {
	if w := t.watches[e.Session]; w != nil {
		w.Origin, w.stale, w.stopped = e.Origin, staleTurn{}, nil
		w.again = w.looking || w.telling
		t.lookIn(w, lookAgain)
		return
	}
	if !t.hasRoom(e.Origin) {
		return
	}
	w := t.prepare(target{session: e.Session, origin: e.Origin})
	if w.storeAt = time.Now(); !t.chats.hearsShortTurns(e.Session) {
		w.storeAt = w.storeAt.Add(storeAfter)
	}
	t.watchBy(w, lookAgain)
	t.tellBegin(w)
}

// hasRoom reports whether one more session of a source may be watched that nobody has
// written to. What is too much is in the log, once until there is much
// room again.
func (t *turnWatcher) hasRoom(o session.Origin) bool {
	n, source := 0, o.Source()
	for _, w := range t.watches {
		if len(w.For) == 0 && w.Origin.Source() == source {
			n++
		}
	}
	if n < maxWatched/2 {
		t.crowded.Remove(source)
	}
	if n < maxWatched {
		return true
	}
	if _, logged := t.crowded.Peek(source); !logged {
		t.crowded.Add(source, true)
		t.log.Error("an OpenCode says that too many sessions work; the end of what is beyond is not told", o.Logged()...)
	}
	return false
}

// sessionRests has a session looked at that has become idle, when it has been so for a while:
// not when somebody at the keyboard continues at once.
func (t *turnWatcher) sessionRests(e event.Event) {
	w := t.watches[e.Session]
	switch {
	case w != nil:
		if !w.storeAt.IsZero() {
			w.storeAt = w.storeAt.Add(t.config.IdleDelay) // most likely there is nothing to store behind the look
		}
		t.lookIn(w, t.config.IdleDelay)
	case t.hasRoom(e.Origin):
		w = t.prepare(target{session: e.Session, origin: e.Origin})
		w.Since = time.Time{} // nothing was heard of its beginning
		t.watchBy(w, t.config.IdleDelay)
	}
}

// sessionFails keeps the error for those who wait: a prompt that OpenCode could not begin
// with leaves no other trace.
func (t *turnWatcher) sessionFails(e event.Event) {
	if w := t.watches[e.Session]; w != nil {
		w.trouble = e.Text
		t.lookIn(w, t.config.IdleDelay)
	}
}

// sessionRetries tells those whose prompt it is, once, that the model gives errors.
func (t *turnWatcher) sessionRetries(e event.Event) {
	w := t.watches[e.Session]
	if w == nil || w.retried {
		return
	}
	w.retried = true
	for _, l := range audience(t.permitted(w, sight{}), nil) {
		t.tell(outbound.Message{
			Chat: l.Chat, Topic: l.Topic, ReplyTo: l.Message, Lang: l.Lang, Text: ui.AsksAgain(w.target().asSession(), e.Text),
		}, w.target(), nil)
	}
}

// originOpened has those sessions looked at that an OpenCode may have which is there now.
func (t *turnWatcher) originOpened(o session.Origin) {
	for _, w := range t.watches {
		if t.routes.mayHave(o, w.Origin) {
			t.lookNow(w)
		}
	}
}

// originClosed has looked at what worked in an OpenCode that was closed, when that had the
// time to write down its end.
func (t *turnWatcher) originClosed(o session.Origin) {
	for _, w := range t.watches {
		if t.routes.runsAt(w.target()) == o {
			w.stale.closed = true
			t.lookIn(w, t.config.IdleDelay)
		}
	}
}

// startLook looks how the session stands.
func (t *turnWatcher) startLook(w *turnWatch) {
	w.looking, w.again, w.lookAt = true, false, time.Time{}
	along := t.routes.toSession(w.target())
	t.loop.Beside(func(ctx context.Context) func() {
		seen := t.observer.lookAtRest(ctx, along, w.Session)
		return func() { t.takeSight(w, seen) }
	})
}

// takeSight does what a sight of the session means.
func (t *turnWatcher) takeSight(w *turnWatch, s sight) {
	now := time.Now()
	w.looking = false
	if t.watches[w.Session] != w {
		return // another has taken its place, and looks for itself
	}
	if w.again || isDue(w.lookAt, now) {
		t.lookIn(w, t.config.IdleDelay)
		return
	}
	s.open = w.stale.isUncertain(&s, t.routes.runsAt(w.target()), now)
	if w.isPassedOver(s, now) {
		t.wakeSession(w, s)
		return
	}
	w.For = t.permitted(w, s).For
	verdict := judgeTurn(w.TurnWatch, s, t.lastTold(w.Session), now)
	t.log.Debug("looked at a session", "session", string(w.Session), "verdict", string(verdict), "err", s.err)
	switch verdict {
	case verdictWait:
		again := lookAgain
		if s.err == nil && !s.session.Busy && !s.asks && !s.open {
			again = t.config.IdleDelay + time.Second
		}
		w.lookBy(again)
		t.advance(w)
	case verdictForget:
		w.For = nil
		t.tellEnd(w, nil, w.target(), "", nil)
	case verdictGone:
		t.tellEnd(w, always(ui.SessionGone(w.target().asSession())), w.target(), "", nil)
	case verdictNothing:
		t.tellEnd(w, always(ui.DidNothing(s.session, w.trouble)), foundAt(s.route, s.session), "", nil)
	case verdictEnded:
		hearing := t.leaveTold(w, s, t.hearingEnd(w, s, now))
		turn := s.turn.Message
		if s.turn.Unfinished && !s.turn.Aborted {
			turn = "" // its end may be told later
		}
		ended := func(hint bool) ui.Text { return ui.TurnEnded(s.session, s.turn, hint) }
		t.tellEnd(w, ended, foundAt(s.route, s.session), turn, hearing)
	}
}

// wakeSession makes the session begin, once, with a prompt that it ignored, and looks at it again
// in a while.
func (t *turnWatcher) wakeSession(w *turnWatch, s sight) {
	w.woken, w.Since = true, time.Now()
	prompt := w.For[len(w.For)-1].Prompt
	t.lookIn(w, t.config.IdleDelay)
	t.loop.Go(func(ctx context.Context) {
		err := s.route.Wake(ctx, w.Session, prompt)
		t.log.Info("a prompt was passed over by OpenCode, and is sent again", "session", string(w.Session), "err", err)
	})
}

// dropWatch ends a watch. Which turn was reported is stored with that, and not before: a
// crash tells it twice to some, and nobody never.
func (t *turnWatcher) dropWatch(w *turnWatch) {
	w.alarm.stop()
	delete(t.watches, w.Session)
	c := storage.Change{}
	if w.stored {
		c.EndedWatches = []session.ID{w.Session}
	}
	if w.turn != "" {
		c.ToldTurns = []remote.ToldTurn{{Session: w.Session, Turn: w.turn, At: time.Now()}}
	}
	t.commit(c)
}

// lastTold is the last turn of a session whose end was reported.
func (t *turnWatcher) lastTold(id session.ID) session.MessageID {
	if turn, ok := t.told.Peek(id); ok {
		return turn
	}
	turn, err := t.config.Store.ToldTurn(id)
	if err != nil {
		t.log.Error("cannot read the store", "err", err)
	}
	return turn
}

// always is a text that gives no hint.
func always(text ui.Text) func(hint bool) ui.Text { return func(bool) ui.Text { return text } }

// tellEnd tells everybody concerned of the end of a turn, or of another reason to wait for
// none; then turn is empty. Who has no part in it but their level hears of each turn once. The
// watch goes when all were told: a crash before that tells some of them twice, and nobody never.
func (t *turnWatcher) tellEnd(w *turnWatch, tell func(hint bool) ui.Text, about target, turn session.MessageID, hearers []remote.Hearer) {
	hearing := hearers
	if turn != "" && t.lastTold(w.Session) == turn {
		hearing = nil
	}
	all := audience(w.TurnWatch, hearing)
	w.telling, w.For = true, nil
	if turn != "" && len(all) > 0 {
		t.told.Add(w.Session, turn)
		w.turn = turn
	}
	queued, left, lost := w.Queued, len(all)+len(w.Queued), []remote.Listener(nil)
	w.Queued = nil
	if left == 0 {
		t.dropWatch(w)
	}
	for _, n := range queued {
		t.endQueued(n, about, func(err error) {
			if left--; retry.IsTemporary(err) {
				w.Queued = append(w.Queued, n)
			}
			if left == 0 {
				t.finishTelling(w, lost)
			}
		})
	}
	for _, l := range all {
		t.tellOne(l, tell, about, hearers, func(err error) {
			if left--; retry.IsTemporary(err) {
				lost = append(lost, l)
			}
			if left == 0 {
				t.finishTelling(w, lost)
			}
		})
	}
}

// tellOne tells one listener. Who only hears of it by their level is left in peace in quiet times, and
// is told once how to change that.
func (t *turnWatcher) tellOne(l remote.Listener, tell func(hint bool) ui.Text, about target, hearers []remote.Hearer, then func(error)) {
	m, hint := outbound.Message{Chat: l.Chat, Topic: l.Topic, ReplyTo: l.Message, Lang: l.Lang}, false
	if l.Prompt == "" {
		m.Silent = slices.ContainsFunc(hearers, func(h remote.Hearer) bool { return h.Chat == l.Chat && h.Silent })
		hint = t.startHint(l.Chat, about.session)
	}
	m.Text = tell(hint)
	t.tell(m, about, func(_ []chat.MessageID, err error) {
		if hint {
			t.endHint(l.Chat, err)
		}
		then(err)
	})
}

// addQueued notes a message which says that a prompt waits. Where the turn is over by now, it goes at once.
func (t *turnWatcher) addQueued(id session.ID, n remote.Queued) {
	w := t.watches[id]
	if w == nil {
		t.endQueued(n, target{session: id}, func(error) {})
		return
	}
	if slices.ContainsFunc(w.Queued, func(o remote.Queued) bool { return o.Chat == n.Chat && o.Message == n.Message }) {
		return
	}
	w.Queued = append(w.Queued, n)
	if w.stored && !w.telling { // those who are being told are not in it
		t.storeWatch(w)
	}
}

// endQueued takes away a message which says that a prompt waits. One that is too old for that says that the agent has it, and names
// the session as it is known now, or else as it did before.
func (t *turnWatcher) endQueued(n remote.Queued, about target, then func(error)) {
	s := about.asSession()
	s.Title, s.Directory = cmp.Or(s.Title, n.Title), cmp.Or(s.Directory, n.Directory)
	m := outbound.Message{Chat: n.Chat, Edit: n.Message, Remove: !n.Keep, Silent: true, Text: ui.Prompt{Status: remote.PromptTaken, Session: s}.Text()}
	t.tell(m, target{}, func(_ []chat.MessageID, err error) { then(err) })
}

// startHint reports whether a chat is to be told how to change its level: it has not chosen one, hears of
// the session for no other reason, and was not told before.
func (t *turnWatcher) startHint(chat chat.ID, of session.ID) bool {
	s := t.chats.settings(chat)
	follows := s.Follow && s.Session == of
	if s.Level != "" || follows || s.Hinted || t.hinting[s.Chat] {
		return false
	}
	t.hinting[s.Chat] = true
	return true
}

// endHint notes that a chat was told how to change its level. A crash before that is stored, and it is
// told once more.
func (t *turnWatcher) endHint(chat chat.ID, err error) {
	s := t.chats.settings(chat)
	delete(t.hinting, chat)
	delete(t.hinting, s.Chat)
	if err != nil {
		return
	}
	s.Hinted = true
	t.chats.put(s)
	t.commit(storage.Change{ChatSettings: []remote.ChatSettings{s}})
}

// finishTelling drops a watch, or tries again for those who could not be told.
func (t *turnWatcher) finishTelling(w *turnWatch, lost []remote.Listener) {
	w.telling = false
	if t.watches[w.Session] != w {
		return // the watch continues, for a prompt that came since
	}
	if len(lost)+len(w.Queued) == 0 || w.failed >= tellAttempts {
		t.dropWatch(w)
		if w.again || isDue(w.lookAt, time.Now()) {
			t.sessionRests(event.Event{Session: w.Session, Origin: w.Origin})
		}
		return
	}
	w.failed++
	w.For = lost
	t.lookIn(w, time.Minute)
}

// tellBegin tells those who want to know that a session works.
func (t *turnWatcher) tellBegin(w *turnWatch) {
	if len(t.chats.hearingAll()) == 0 {
		return
	}
	along, id := t.routes.toSession(w.target()), w.Session
	t.loop.Beside(func(ctx context.Context) func() {
		by, s, err := findSession(ctx, along, id)
		if err != nil || s.Parent != "" {
			return nil
		}
		return func() {
			for _, chat := range t.chats.hearingAll() {
				if !t.routes.isOpenIn(chat.Chat, by.Origin) {
					continue
				}
				t.tell(outbound.Message{Chat: chat.Chat, Topic: chat.Topic, Silent: true, Text: ui.Works(s)}, foundAt(by, s), nil)
			}
		}
	})
}

func (t *turnWatcher) originOf(id session.ID) session.Origin {
	if w := t.watches[id]; w != nil {
		return w.Origin
	}
	return session.Origin{}
}

func (t *turnWatcher) eachSession(f func(session.ID)) {
	for id := range t.watches {
		f(id)
	}
}

// moveChat has those who listen in one chat listen in another, and returns what to store.
func (t *turnWatcher) moveChat(from, to chat.ID) []remote.TurnWatch {
	var moved []remote.TurnWatch
	for _, w := range t.watches {
		w.Queued = slices.DeleteFunc(slices.Clone(w.Queued), func(q remote.Queued) bool { return q.Chat == from }) // they stay behind
		if !slices.ContainsFunc(w.For, func(l remote.Listener) bool { return l.Chat == from }) {
			continue
		}
		w.For = slices.Clone(w.For)
		for i, l := range w.For {
			if l.Chat == from {
				w.For[i].Chat, w.For[i].Topic, w.For[i].Message = to, 0, 0
			}
		}
		moved = append(moved, w.TurnWatch)
	}
	return moved
}
