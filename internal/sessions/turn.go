package sessions

import (
	"errors"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
)

const (
	// lookAgain is how long after a look that found a session at work the next is
	// made, should no event come: events can be lost.
	lookAgain = 2 * time.Minute
	// storeAfter is how long a session must work until it is stored that it is watched, where nobody
	// hears of short turns: most turns need no disk, and none just as it asks something. Hermes that is
	// killed before, and comes back after its end, does not tell it.
	storeAfter = 5 * time.Second
	// startsWithin is how long a session may have a prompt and not begin with it.
	startsWithin = 30 * time.Second
	// freshTurn is how old the end of a turn may be that no event announced.
	freshTurn = time.Minute
	// wakesAfter is how long a session may rest with a prompt that it has not begun with,
	// until it is told to.
	wakesAfter = 5 * time.Second
	// tellAttempts bounds how often the end of a turn is sent to chats that do not take it.
	tellAttempts = 20
)

// turnWatch is a session whose end of turn must be reported to somebody. What is
// embedded is stored.
type turnWatch struct {
	remote.TurnWatch
	stored  bool      // the store has it
	storeAt time.Time // when it is to be stored; zero: when somebody waits for it
	lookAt  time.Time // when to look how the session stands; zero: when an event says so
	looking bool      // a look is under way
	telling bool      // its end is being told
	again   bool      // something happened during the look, or the telling
	stale   staleTurn
	failed  int               // tellings in a row that were not sent
	trouble string            // the last error that OpenCode reported
	turn    session.MessageID // the last one whose end was reported, to be stored with the end of the watch
	retried bool              // somebody was told that the model gives errors
	asked   time.Time         // when its last prompt was taken; zero: before the start
	woken   bool              // OpenCode was told to begin with that
	stopped []chat.ID         // who was told there that it was stopped
	alarm   alarm
}

// Next says what is owed to a watch. Nothing is looked at twice at once.
func (w *turnWatch) Next(now time.Time) ([]step, time.Time) {
	d := due{now: now}
	d.add(storeStep, w.storeAt)
	if !w.looking && !w.telling {
		d.add(lookStep, w.lookAt)
	}
	return d.steps, d.wake
}

// lookBy has the session looked at when a time has passed, if not before.
func (w *turnWatch) lookBy(in time.Duration) {
	if at := time.Now().Add(in); w.lookAt.IsZero() || at.Before(w.lookAt) {
		w.lookAt = at
	}
}

func (w *turnWatch) target() target { return target{session: w.Session, origin: w.Origin} }

// isPassedOver reports whether a session at rest has a prompt that OpenCode did not begin
// with: it came in the moment in which a turn ended. Not one whose turn before was
// stopped, or failed: whoever stopped it may have meant the prompt, too.
func (w *turnWatch) isPassedOver(s sight, now time.Time) bool {
	if len(w.For) == 0 || w.woken || w.trouble != "" {
		return false
	}
	prompt := w.For[len(w.For)-1].Prompt
	rests := s.err == nil && !s.session.Busy && !s.asks && !s.turn.Unfinished && s.session.Parent == ""
	return rests && prompt != "" && s.turn.Message < prompt && !s.turn.Aborted && s.turn.Error == "" && now.Sub(w.asked) >= wakesAfter
}

// verdict is what a sight means for a watch.
type verdict string

const (
	verdictWait    verdict = "wait"    // look again later, or when an event says so
	verdictForget  verdict = "forget"  // there is nothing to tell
	verdictGone    verdict = "gone"    // the session is
	verdictNothing verdict = "nothing" // it has a prompt, and did not begin with it
	verdictEnded   verdict = "ended"   // its turn is over
)

// judgeTurn decides what a sight means at a time. told is the last turn of the session
// whose end was reported.
func judgeTurn(w remote.TurnWatch, s sight, told session.MessageID, now time.Time) verdict {
	var last remote.Listener
	if len(w.For) > 0 {
		last = w.For[len(w.For)-1]
	}
	switch {
	case errors.Is(s.err, errGone):
		return verdictGone
	case s.err != nil, s.session.Busy, s.asks, s.open:
		return verdictWait
	case s.session.Parent != "":
		return verdictForget
	case last.Prompt != "" && s.turn.Message < last.Prompt && now.Sub(w.Since) < startsWithin:
		return verdictWait
	case last.Prompt != "" && s.turn.Message < last.Prompt:
		return verdictNothing
	case s.turn.Message == "", s.turn.Message == told && len(w.For) == 0:
		return verdictForget
	case w.Since.IsZero() && now.Sub(s.turn.Ended) > freshTurn:
		return verdictForget
	}
	return verdictEnded
}

// ranFor is how long a turn worked by the times that OpenCode has of it: from its prompt to its end, or
// until now if it has none. What it does not say is taken from the watch.
func ranFor(w remote.TurnWatch, turn session.Turn, now time.Time) time.Duration {
	return turn.Worked(w.Since, now)
}

// audience are those to whom the end is reported: once a chat, as a reply to the last
// prompt from there.
func audience(w remote.TurnWatch, hearers []remote.Hearer) []remote.Listener {
	var all []remote.Listener
	for _, l := range slices.Backward(w.For) {
		if !slices.ContainsFunc(all, func(o remote.Listener) bool { return o.Chat == l.Chat && o.Topic == l.Topic }) {
			all = append(all, l)
		}
	}
	slices.Reverse(all)
	for _, h := range hearers {
		if !slices.ContainsFunc(all, func(o remote.Listener) bool { return o.Chat == h.Chat }) {
			all = append(all, remote.Listener{Chat: h.Chat, Topic: h.Topic})
		}
	}
	return all
}

// permitted is a watch for those who may hear of the session: all, but of a machine that belongs to somebody its owner alone, and
// where the rules show what it asks.
func (t *turnWatcher) permitted(w *turnWatch, s sight) remote.TurnWatch {
	only := w.TurnWatch
	only.For = slices.DeleteFunc(slices.Clone(w.For), func(l remote.Listener) bool { return !t.mayHear(w, l.Chat, s) })
	return only
}

// mayHear reports whether a chat may hear of a watched session: where that is known to be, and where it was seen now, if it was.
func (t *turnWatcher) mayHear(w *turnWatch, id chat.ID, s sight) bool {
	isIt := func(h remote.Hearer) bool { return h.Chat == id }
	return t.routes.isOpenIn(id, t.routes.homeOf(w.target())) && t.routes.isOpenIn(id, s.route.Origin) || slices.ContainsFunc(s.hearers, isIt)
}

// hearingEnd are the places that hear of the end of a turn, whoever began it.
func (t *turnWatcher) hearingEnd(w *turnWatch, s sight, now time.Time) []remote.Hearer {
	list := t.chats.hearingEnd(w.Session, ranFor(w.TurnWatch, s.turn, now), s.hearers)
	return slices.DeleteFunc(list, func(h remote.Hearer) bool { return !t.mayHear(w, h.Chat, s) })
}

// leaveTold leaves out those whose chat has said already how the turn ended, with an ask or a stop, if there is nothing else to say. It
// returns who is left of the hearers.
func (t *turnWatcher) leaveTold(w *turnWatch, s sight, hearers []remote.Hearer) []remote.Hearer {
	told := s.told
	if s.turn.Aborted {
		told = slices.Concat(told, w.stopped)
	}
	if s.turn.Text != "" || s.turn.Error != "" {
		return hearers
	}
	isTold := func(id chat.ID) bool {
		return slices.ContainsFunc(told, func(o chat.ID) bool { return t.chats.Current(o) == t.chats.Current(id) })
	}
	w.For = slices.DeleteFunc(w.For, func(l remote.Listener) bool { return isTold(l.Chat) })
	return slices.DeleteFunc(hearers, func(h remote.Hearer) bool { return isTold(h.Chat) })
}

// noteStop notes that a chat is told, or was told, that a session was stopped; or that it was not.
func (t *turnWatcher) noteStop(id session.ID, in chat.ID, told bool) {
	w := t.watches[id]
	if w == nil {
		return
	}
	w.stopped = slices.DeleteFunc(slices.Clone(w.stopped), func(o chat.ID) bool { return o == in })
	if told {
		w.stopped = append(w.stopped, in)
	}
}
