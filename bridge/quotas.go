package bridge

import (
	"log/slog"
	"time"

	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/session"
)

// quotas counts how much each machine asks, and says when that is too much.
type quotas struct {
	threads  *threads
	log      *slog.Logger
	heldBack func() // called whenever an ask is not taken in; may be nil

	asks   pace.Each[string] // of links, by source
	pieces pace.Each[string] // the same, in pieces of what they ask
	noisy  map[string]bool   // sources that ask too much, as logged
}

// What the asks of one machine may use, so that a noisy one neither fills the chats nor, soon, the disk. An ask beyond that
// is not taken in: it waits at its OpenCode, where it can be answered, and comes with a later listing when there is room. Servers
// that the configuration names, and programs, which have the API's token, are not bounded.
const (
	maxOpen  = 200         // asks that wait
	askBurst = 200         // asks at once
	askEvery = time.Second // and one more after each

	// The same for what is large in asks, such as the difference that an edit makes: pieces of 32 KiB, of which one ask counts as
	// 100 at the most.
	pieceSize  = 32 << 10
	maxPieces  = 100
	pieceBurst = 200
	pieceEvery = 5 * time.Second
)

func newQuotas(t *threads, log *slog.Logger, heldBack func()) *quotas {
	return &quotas{
		threads: t, log: log, heldBack: heldBack, noisy: map[string]bool{},
		asks: pace.Each[string]{Burst: askBurst, Every: askEvery}, pieces: pace.Each[string]{Burst: pieceBurst, Every: pieceEvery},
	}
}

// holdsBack reports whether an ask is too much of its machine, and says so in the log, once until there is room again.
func (q *quotas) holdsBack(o session.Origin, r question.Request) bool {
	if o.Way != session.Link {
		return false
	}
	source := o.Source()
	now, pieces := time.Now(), min(r.Size()/pieceSize, maxPieces)
	if q.threads.countWaiting(source) < maxOpen && q.pieces.TakeN(source, pieces, now) == pace.Yes && q.asks.Take(source, now) == pace.Yes {
		delete(q.noisy, source)
		return false
	}
	if q.heldBack != nil {
		q.heldBack()
	}
	if !q.noisy[source] && len(q.noisy) < maxNoisy {
		q.noisy[source] = true
		q.log.Error("an OpenCode asks too much; what it asks beyond waits there until there is room", o.Logged()...)
	}
	return true
}

// maxNoisy bounds for how many sources it is remembered that the log has it.
const maxNoisy = 256
