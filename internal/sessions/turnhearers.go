package sessions

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
)

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
