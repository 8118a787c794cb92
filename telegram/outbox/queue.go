package outbox

import (
	"cmp"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"hermes/internal/chat"
	"hermes/internal/retry"
)

// queue is that of one chat. Its fields are guarded by Outbox.mu.
type queue struct {
	out    *Outbox
	id     chat.ID
	pace   *rate.Limiter
	edits  *rate.Limiter // see editBurst
	minute *window       // groups only
	notes  *window       // what notes and live messages used of it

	parked      time.Time // no note and no live message is sent before
	parkedCards time.Time // and no card, but for one ask
	mayTry      bool      // that one ask
	slowUntil   time.Time // it was told to wait within a day before
	lastLive    time.Time // when a live message is edited next, or was

	jobs    []*job // that wait, in the order in which they came
	sources map[string]*source
	turns   uint64        // how many turns the sources had
	working bool          // it has a goroutine
	wake    chan struct{} // has a value when a job was added
	next    chan struct{} // gets a value when the job that runs has ended, or waits for another turn

	held      Reason // what holds it up now; empty: nothing
	heldSince time.Time

	places [ranks]time.Time // when the place comes that the chat waits for among all chats; zero: it waits for none
}

// job is one that waits for a turn in its chat, or has it.
type job struct {
	Job
	lane  Lane
	came  uint64
	begun bool
	kind  Kind       // of the call that its turn is for
	ready bool       // it has a turn that it did not use
	calls int        // that it made
	turn  chan error // tells one that has begun of its next turn, or why there is none
}

func newQueue(o *Outbox, id chat.ID) *queue {
	q := &queue{
		out: o, id: id, pace: rate.NewLimiter(1, chatBurst), edits: rate.NewLimiter(rate.Every(editEvery), editBurst), sources: map[string]*source{},
		wake: make(chan struct{}, 1), next: make(chan struct{}),
	}
	if id < 0 {
		q.edits.SetLimit(rate.Every(editEveryGroup))
		q.minute, q.notes = newWindow(groupMinute), newWindow(noteMinute)
	}
	return q
}

// serve works until nothing waits. One job runs at a time, and makes one call; before its next call others may have their turns.
// A job is looked at only when its first call may be made: what changes meanwhile is then in it, and what goes before it may have come.
func (q *queue) serve() {
	for {
		j, err := q.awaitNext()
		if j == nil {
			return
		}
		j.ready = err == nil
		if j.begun {
			j.turn <- err
		} else {
			j.begun = true
			go func() {
				j.Run(q.out.calls, &Chat{q, j}, err)
				q.next <- struct{}{}
			}()
		}
		<-q.next
	}
}

// awaitNext waits until a job may make its next call, and takes it out of the queue. It returns nil where nothing waits: the
// queue has no goroutine from then on.
func (q *queue) awaitNext() (*job, error) {
	q.out.mu.Lock()
	defer q.out.mu.Unlock()
	for len(q.jobs) > 0 {
		now := time.Now()
		j, at, why := q.choose(now)
		switch {
		case q.out.Closed():
			return q.take(q.jobs[0]), stoppingError()
		case j == nil:
			q.pause(at.Sub(now), why)
		case j.kind == Free:
			return q.take(j), nil
		default:
			if wait := q.placeAt(now).Sub(now); wait > 0 {
				q.pause(wait, HeldByAll)
				continue
			}
			q.places[q.rank()] = time.Time{}
			q.out.floods.noteCall(now)
			return q.take(j), nil
		}
	}
	q.working = false
	return nil, nil
}

// add puts a job at its place in the queue.
func (q *queue) add(j *job) {
	i, _ := slices.BinarySearchFunc(q.jobs, j.came, func(other *job, came uint64) int { return cmp.Compare(other.came, came) })
	q.jobs = slices.Insert(q.jobs, i, j)
}

// take takes a job out of the queue.
func (q *queue) take(j *job) *job {
	q.jobs = slices.DeleteFunc(q.jobs, func(other *job) bool { return other == j })
	return j
}

// choose is the job whose turn it is, of those that may make their next call now. If none may, it tells when the
// first one may, and what holds it up until then. In the other lanes than that of cards no job passes another.
func (q *queue) choose(now time.Time) (best *job, at time.Time, why Reason) {
	var seen [lanes]bool
	for _, j := range q.jobs {
		if seen[j.lane] && j.lane != Cards {
			continue
		}
		seen[j.lane] = true
		switch ready, limit := q.readyAt(j, now); {
		case ready.After(now):
			if at.IsZero() || ready.Before(at) {
				at, why = ready, limit
			}
		case best == nil || q.goesBefore(j, best):
			best = j
		}
	}
	return best, at, why
}

// goesBefore reports whether a goes before b. Sources of cards take turns, with each message; of one source the messages that a card
// begins with go before the rest of others.
func (q *queue) goesBefore(a, b *job) bool {
	if a.lane != b.lane {
		return a.lane < b.lane
	}
	if a.lane == Cards {
		if x, y := q.sourceNamed(a.Source).turn, q.sourceNamed(b.Source).turn; x != y {
			return x < y
		}
		if a.isRest() != b.isRest() {
			return b.isRest()
		}
	}
	return a.came < b.came
}

// isRest reports whether what a card begins with was sent: its first message, which may follow a file.
func (j *job) isRest() bool { return j.calls >= 2 }

// readyAt is when a job may make its next call by the limits of its chat, and which of them takes longest.
func (q *queue) readyAt(j *job, now time.Time) (at time.Time, why Reason) {
	at, why = q.parkedCards, HeldByFlood
	switch {
	case j.lane != Cards:
		at = q.parked
	case q.mayTry && j.Ask && j.calls == 0:
		at = time.Time{}
	}
	at = retry.Later(at, q.out.floods.until)
	if j.kind == Free {
		return at, why
	}
	until := func(t time.Time, limit Reason) {
		if t.After(at) {
			at, why = t, limit
		}
	}
	if j.kind == Edit && !q.slowUntil.After(now) {
		until(now.Add(untilTokens(q.edits, 1, now)), HeldByChat)
		return at, why
	}
	tokens := 1
	if j.lane != Cards {
		tokens += chatBurst - noteBurst
	}
	until(now.Add(untilTokens(q.pace, tokens, now)), HeldByChat)
	if q.minute != nil {
		until(q.minuteFor(j), HeldByGroup)
	}
	return at, why
}

// minuteFor is when a group's minute, and the job's share of it, have room for one call of the job more.
func (q *queue) minuteFor(j *job) time.Time {
	share, most := q.shareOf(j), sourceMinute
	switch {
	case j.lane != Cards:
		most = noteMinute
	case j.isRest():
		most = restMinute
	}
	return retry.Later(q.minute.freeAt(groupMinute), share.freeAt(most))
}

// shareOf is what was used of a group's minute by what the job shares it with: the cards of its source, or all notes.
func (q *queue) shareOf(j *job) *window {
	if j.lane == Cards {
		return q.sourceNamed(j.Source).minute
	}
	return q.notes
}

// countCall counts a call of a job. An edit that did not wait for the pace of messages takes what is left of it.
func (q *queue) countCall(j *job, now time.Time) {
	q.pace.AllowN(now, 1)
	if j.kind == Edit {
		q.edits.AllowN(now, 1)
	}
	if j.lane == Cards {
		q.turns++
		q.sourceNamed(j.Source).turn = q.turns
	}
	if q.minute != nil && (j.kind != Edit || !q.minuteFor(j).After(now)) {
		q.minute.add(now)
		q.shareOf(j).add(now)
	}
}

// pause waits until the time has passed, there is something else to do, or the Outbox is closed. Called with Outbox.mu
// held, it lets others have that meanwhile.
func (q *queue) pause(d time.Duration, why Reason) {
	q.holdOn(why, time.Now())
	q.out.mu.Unlock()
	timer := time.NewTimer(d)
	select {
	case <-q.out.stopping:
	case <-timer.C:
	case <-q.wake:
	}
	timer.Stop()
	q.out.mu.Lock()
	q.holdOn("", time.Now())
}

// untilTokens is how long it takes until the limiter has n tokens.
func untilTokens(l *rate.Limiter, n int, now time.Time) time.Duration {
	missing := float64(n) - l.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	return max(time.Millisecond, time.Duration(missing/float64(l.Limit())*float64(time.Second)))
}
