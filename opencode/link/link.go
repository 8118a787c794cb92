package link

import (
	"sync"
	"time"
)

// Reason says why a link has ended.
type Reason int

const (
	Open     Reason = iota // it has not
	Lost                   // the plugin no longer polls
	Disposed               // the plugin said that OpenCode closed its instance, or exits
	Replaced               // the same process opened the same directory anew
	Stopping               // hermes stops
	Revoked                // the token that opened it counts no more
)

func (r Reason) String() string {
	switch r {
	case Open:
		return "open"
	case Lost:
		return "lost"
	case Disposed:
		return "disposed"
	case Replaced:
		return "replaced"
	case Stopping:
		return "stopping"
	case Revoked:
		return "revoked"
	}
	return "unknown"
}

// Link is one OpenCode instance, a directory in a process, that hermes can reach. It is safe for concurrent use. It belongs to
// the Hub that opened it and is of no more use after Closed.
type Link struct {
	id    string
	hello Hello
	order sync.Mutex // held while a function of Config runs

	mu     sync.Mutex
	reason Reason
	done   chan struct{}        // closed when reason is set
	last   int                  // number of the newest call
	queue  []*pendingCall       // to be handed out, in order
	handed map[int]*pendingCall // handed out, without a result
	wake   chan struct{}        // has room for one: the queue was filled
	poll   int                  // number of the newest poll; those before it have no say any more
	newer  chan struct{}        // closed when the newest poll is replaced by a newer one
	timer  *time.Timer          // runs out when no poll comes
}

func newLink(id string, hello Hello) *Link {
	return &Link{
		id:     id,
		hello:  hello,
		done:   make(chan struct{}),
		handed: make(map[int]*pendingCall),
		wake:   make(chan struct{}, 1),
		newer:  make(chan struct{}),
	}
}

// ID is the random name of the link. It is no secret: every request needs the token too.
func (l *Link) ID() string { return l.id }

// Hello is what the plugin said when it opened the link. The caller must not change it.
func (l *Link) Hello() Hello { return l.hello }

// Reason says why the link has ended; Open if it has not.
func (l *Link) Reason() Reason {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reason
}

// endAs gives every call and poll its end.
func (l *Link) endAs(why Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reason = why
	close(l.done)
	if l.timer != nil {
		l.timer.Stop()
	}
}

// startGrace starts the time in which the poll after the given one must come; nothing if that has begun already.
func (l *Link) startGrace(poll int, grace time.Duration, lost func(*Link, int)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.poll == poll && l.reason == Open {
		l.timer = time.AfterFunc(grace, func() { lost(l, poll) })
	}
}

// isNewestPoll says whether poll is still the newest poll.
func (l *Link) isNewestPoll(poll int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.poll == poll
}
