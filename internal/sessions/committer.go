package sessions

import (
	"errors"
	"log/slog"
	"time"

	"hermes/internal/chat"
	"hermes/internal/loop"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// retryStore is when a change that the store did not take is offered again.
const retryStore = 5 * time.Second

// committer writes changes, and knows which of them the store has not taken, and which updates
// are worked on.
type committer struct {
	Store
	loop *loop.Loop
	log  *slog.Logger

	trouble  string                 // the failure that was logged last; empty: the store works
	unstored []storage.Change       // what has happened, and the store did not take; oldest first
	working  map[chat.UpdateID]bool // begun, and still in the inbox
}

func newStorage(store Store, l *loop.Loop, log *slog.Logger) *committer {
	return &committer{Store: store, loop: l, log: log, working: map[chat.UpdateID]bool{}}
}

// beginUpdate notes that an update is worked on. It reports false if it was already: the update
// came again meanwhile.
func (s *committer) beginUpdate(id chat.UpdateID) bool {
	if s.working[id] {
		return false
	}
	s.working[id] = true
	return true
}

// abandon notes that updates are not worked on any more. Those in the inbox come again.
func (s *committer) abandon(ids ...chat.UpdateID) {
	for _, id := range ids {
		delete(s.working, id)
	}
}

// commit stores a change. Without an error the store has it, also if it said otherwise.
// The store's failure is logged once until it is another.
func (s *committer) commit(c storage.Change) error {
	stampEntries(c.Entries)
	err := s.Commit(c)
	if err != nil && s.trouble != err.Error() {
		s.log.Error("the store does not take changes", "err", err)
	}
	s.trouble = ""
	if err != nil && !c.StoredAnyway(s.Recorded) {
		s.trouble = err.Error()
		return err
	}
	s.abandon(c.Consumed...)
	return nil
}

// commitSurely stores what has happened already. If the store fails, the change is offered
// again until it is stored, with the time at which it happened. A crash before that: it is
// not stored, and neither is that its update was handled.
func (s *committer) commitSurely(c storage.Change) {
	stampEntries(c.Entries)
	if len(s.unstored) == 0 && s.commit(c) == nil {
		return
	}
	s.unstored = append(s.unstored, c)
	s.loop.Retry(s, retryStore, s.commitRest)
}

// commitRest offers what has happened, oldest first, until the store fails.
func (s *committer) commitRest() {
	for len(s.unstored) > 0 {
		if s.commit(s.unstored[0]) != nil {
			s.loop.Retry(s, retryStore, s.commitRest)
			return
		}
		s.unstored = s.unstored[1:]
	}
}

// stampEntries gives entries the time, unless they have it.
func stampEntries(entries []storage.Entry) {
	now := time.Now()
	for i := range entries {
		if entries[i].At.IsZero() {
			entries[i].At = now
		}
	}
}

// messageOf is what the store has of a message that belongs to a session.
func (s *committer) messageOf(chat chat.ID, message chat.MessageID) (remote.MessageRef, bool) {
	said, found, err := s.MessageRef(chat, message)
	if err != nil {
		s.log.Error("cannot read the store", "err", err)
	}
	return said, found
}

// sessionOf is the session that a message belongs to, the card of an ask included.
func (s *committer) sessionOf(chat chat.ID, message chat.MessageID) (target, bool) {
	said, found := s.messageOf(chat, message)
	switch {
	case !found:
		return s.askerOf(chat, message)
	case said.Session == "": // a text that has no session
		return target{}, false
	}
	return target{session: said.Session, origin: said.Origin, title: said.Title, answers: said.Answers, asked: said.Asked}, true
}

// askerOf is the session that asked what a card shows, if people can drive it.
func (s *committer) askerOf(chat chat.ID, message chat.MessageID) (target, bool) {
	t, ok, err := s.Find(storage.Key{Chat: chat, Message: message})
	if err != nil && !errors.Is(err, question.ErrNoThread) {
		s.log.Error("cannot read the store", "err", err)
	}
	if err != nil || !ok || t.Card(chat) < 0 || !t.HasSession() {
		return target{}, false
	}
	to := target{session: t.LateSession(), origin: t.LastOrigin(), title: t.Place.Title, asked: true}
	if t.Unanswered() {
		to.answers = t.ID
	}
	return to, true
}

// target is a session, and where it was last.
type target struct {
	session session.ID
	origin  session.Origin
	title   string
	answers question.ID // of a reply: the question that it is a late answer to; empty: it is a prompt
	asked   bool        // it is known from an ask of an OpenCode, which counts only where that may speak of the session
}

// asSession is the session as far as it was known last.
func (t target) asSession() session.Session {
	return session.Session{ID: t.session, Title: t.title, Directory: t.origin.Directory}
}

// messages are those with these ids, as ones that belong to the session from now on.
func (t target) messages(chat chat.ID, ids []chat.MessageID) []remote.MessageRef {
	var all []remote.MessageRef
	for _, id := range ids {
		all = append(all, remote.MessageRef{
			Chat: chat, Message: id, Session: t.session, Origin: t.origin, Title: t.title, At: time.Now(), Asked: t.asked,
		})
	}
	return all
}
