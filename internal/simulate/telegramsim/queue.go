package telegramsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// How long updates wait for the bot (Bot API server).
const (
	messageLife  = 24 * time.Hour
	callbackLife = 150 * time.Second
)

// maxResponse cuts a batch of updates.
const maxResponse = 4 << 20

type update struct {
	id       int
	body     json.RawMessage
	expires  time.Time
	callback *callback
	line     int64         // see [Server.deliverAll]
	failed   int           // deliveries to a webhook
	pause    time.Duration // before the next one, as it grows
}

// queue holds the updates that the bot has not confirmed.
type queue struct {
	next    int
	pending []*update
	allowed []string // nil: Telegram's default
}

// firstUpdateID is the id of the first update.
const firstUpdateID = 100000001

func newQueue() queue { return queue{next: firstUpdateID} }

// allows applies allowed_updates, which Telegram does when an update is made.
func (q *queue) allows(kind string) bool {
	if len(q.allowed) == 0 {
		return !slices.Contains([]string{"chat_member", "message_reaction", "message_reaction_count"}, kind)
	}
	return slices.Contains(q.allowed, kind)
}

// allow remembers an allowed_updates parameter; without one nothing changes.
func (q *queue) allow(p params) {
	var kinds []string
	if p.text("allowed_updates") != "" && p.object("allowed_updates", &kinds) == nil {
		q.allowed = kinds
	}
}

// add queues an update of a kind that the bot wants, in a line (see [Server.deliverAll]).
func (q *queue) add(kind string, line int64, payload any) *update {
	body, err := json.Marshal(map[string]any{"update_id": q.next, kind: payload})
	if err != nil {
		panic("simulator: update cannot be encoded: " + err.Error())
	}
	u := &update{id: q.next, body: body, expires: time.Now().Add(messageLife), line: line}
	if q.allows(kind) {
		q.pending = append(q.pending, u)
		q.next++
	}
	return u
}

// confirm forgets what an offset confirms. An offset more than ten past the next
// id is ignored (TQueue.cpp, get; Client.cpp:16333-16358): the updates are handed out
// from the first that waits, and none is confirmed. A negative one keeps only the
// newest updates.
func (q *queue) confirm(offset int) {
	q.expire()
	switch {
	case offset < 0:
		q.pending = q.pending[max(0, len(q.pending)+offset):]
	case offset <= q.next+10:
		q.pending = slices.DeleteFunc(q.pending, func(u *update) bool { return u.id < offset })
	}
}

func (q *queue) expire() {
	now := time.Now()
	q.pending = slices.DeleteFunc(q.pending, func(u *update) bool { return !now.Before(u.expires) })
}

// take returns up to limit updates, which stay until they are confirmed.
func (q *queue) take(limit int) []json.RawMessage {
	q.expire()
	batch, size := []json.RawMessage{}, 0
	for _, u := range q.pending[:min(limit, len(q.pending))] {
		if size += len(u.body); size > maxResponse && len(batch) > 0 {
			break
		}
		batch = append(batch, u.handOut())
	}
	return batch
}

// handOut starts the time in which a callback can be answered.
func (u *update) handOut() json.RawMessage {
	if u.callback != nil && u.callback.handedOut.IsZero() {
		u.callback.handedOut = time.Now()
	}
	return u.body
}

// remove takes one update away, after a webhook took it.
func (q *queue) remove(u *update) {
	q.pending = slices.DeleteFunc(q.pending, func(v *update) bool { return v == u })
}

// Pending returns how many updates wait for the bot.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.expire()
	return len(s.queue.pending)
}

// LastUpdateID returns the id of the newest update.
func (s *Server) LastUpdateID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.next - 1
}

// Poison queues an update whose content is given as JSON: a kind that does not
// exist yet, or a known one that the bot's library cannot decode.
func (s *Server) Poison(kind, raw string) error {
	if !json.Valid([]byte(raw)) {
		return errors.New("poison must be valid JSON, as everything that Telegram sends")
	}
	defer s.acting()()
	allowed := s.queue.allowed
	s.queue.allowed = []string{kind}
	s.queue.add(kind, 0, json.RawMessage(raw))
	s.queue.allowed = allowed
	return nil
}

// JumpUpdateID makes id the next update's id. The Bot API server goes on with any id,
// also a lower one, when it has forgotten the last one, which it does after a week
// without updates (Bot API, Update; TQueue.cpp, push). It forgets none that still waits
// for the bot, so there is an error while some do.
func (s *Server) JumpUpdateID(id int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.expire()
	if n := len(s.queue.pending); n > 0 {
		return fmt.Errorf("ids do not jump while %d updates wait", n)
	}
	s.queue.next = id
	return nil
}
