package bridge

import (
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"hermes/internal/chat"
	"hermes/internal/loop"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// engine is what all parts have that work on threads.
type engine struct {
	loop    *loop.Loop
	log     *slog.Logger
	threads *threads
	records *records

	// reconcile starts what a thread needs now: it is called whenever its record has changed.
	reconcile func(*liveThread)
}

// threads are the asks that are not retired, and the ways to find one.
type threads struct {
	byID      map[question.ID]*liveThread
	byRequest map[askKey]question.ID
}

func newThreads() *threads {
	return &threads{byID: map[question.ID]*liveThread{}, byRequest: map[askKey]question.ID{}}
}

// liveThread is an unretired thread and what is under way for it.
type liveThread struct {
	question.Thread
	agentBusy    bool                 // a step that asks OpenCode runs
	start        string               // tells at which start of its OpenCode it was heard to wait, since hermes started; empty: not known
	offered      atomic.Bool          // the decision is being sent, or was
	sending      map[int]bool         // a step for the card runs
	searching    map[int]bool         // copies of the card are looked for
	boxSteps     map[int]int          // steps for the card's reply boxes that run
	passingLooks int                  // looks in a row that found the request neither open nor ended
	failedSteps  int                  // steps in a row for which OpenCode did not answer
	toldBarred   map[chat.UserID]bool // that their texts do not count
	reported     *reportedEnd         // of a permission ask: how it was decided, by OpenCode's word
	callWentOn   bool                 // of a permission ask: its call went on to ask for something else
	timer        *time.Timer

	owed  []storage.Entry // happened, and in no journal yet
	stale bool            // the store has it as it was before

	echoes  map[string]bool     // links, by process, that tell what the ask's server says itself
	accused map[accusation]bool // other processes that spoke of it, as logged

	mu     sync.Mutex
	view   question.View // what its cards should show, for steps that run beside the loop
	taken  []bool        // which of its cards show that it was taken from there
	wanted bool          // a chat that shows nothing of it is to see it
}

func (l *liveThread) publishView() {
	v, taken := l.View(), make([]bool, len(l.Cards))
	for i, c := range l.Cards {
		taken[i] = c.Taken > 0
	}
	l.mu.Lock()
	l.view, l.taken, l.wanted = v, taken, l.Wanted()
	l.mu.Unlock()
}

// firstView is what a chat that shows nothing of it should show now, and whether it should at all:
// a first message may have come too late. Safe beside the loop.
func (l *liveThread) firstView(card int) (v question.View, wanted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.view, l.wanted && !l.isTaken(card)
}

// shownView is the same for a chat that shows it, or may: that sees the end too.
func (l *liveThread) shownView(card int) (question.View, bool) { return l.currentView(card), true }

// currentView is what a card should show now. Safe beside the loop.
func (l *liveThread) currentView(card int) question.View {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isTaken(card) {
		return l.view.Take()
	}
	return l.view
}

// isTaken reports whether the ask was taken from a card's chat; the caller has the lock.
func (l *liveThread) isTaken(card int) bool { return card < len(l.taken) && l.taken[card] }

func (l *liveThread) stopTimer() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// askKey names an ask: request ids belong to a process.
type askKey struct {
	way     session.Way
	process string
	request question.RequestID
}

func keyOf(o session.Origin, id question.RequestID) askKey { return askKey{o.Way, o.Process, id} }

// add takes a thread into the loop.
func (s *threads) add(t question.Thread) *liveThread {
	l := &liveThread{Thread: t, sending: map[int]bool{}, searching: map[int]bool{}}
	l.publishView()
	s.byID[t.ID] = l
	s.index(l)
	return l
}

// projectName names the directory, by one part more when another open question comes
// from a directory whose last part is the same.
func (s *threads) projectName(o session.Origin) string {
	for _, l := range s.byID {
		for _, other := range l.Origins {
			if other.Project() == o.Project() && other.Directory != o.Directory {
				return o.LongProject()
			}
		}
	}
	return o.Project()
}

// capturedCall finds the captured call that a request belongs to.
func (s *threads) capturedCall(o session.Origin, r question.Request) *liveThread {
	for _, l := range s.byID {
		if l.Request.ID == "" && l.FromProcess(o) && l.Request.Session == r.Session && l.Request.Call == r.Call && l.Outcome == nil {
			return l
		}
	}
	return nil
}

// seenAt lists the threads seen at an origin, of one session or of all.
func (s *threads) seenAt(o session.Origin, session session.ID) []*liveThread {
	var list []*liveThread
	for _, l := range s.byID {
		if l.From(o) && (session == "" || l.Request.Session == session) {
			list = append(list, l)
		}
	}
	return list
}

// revive takes a thread back into the loop, until its chats show what is new. Should its
// request be asked all the same, that is news, as it was before.
func (s *threads) revive(t question.Thread) *liveThread {
	before := maps.Clone(s.byRequest)
	l := s.add(t)
	s.byRequest = before
	return l
}

// ofRequest finds the ask of this id that the process at the origin announced; nil: none.
func (s *threads) ofRequest(o session.Origin, id question.RequestID) *liveThread {
	return s.byID[s.byRequest[keyOf(o, id)]]
}

// index lets the ask be found by its request and its process.
func (s *threads) index(l *liveThread) {
	if l.Request.ID == "" {
		return
	}
	for _, o := range l.Origins {
		s.byRequest[keyOf(o, l.Request.ID)] = l.ID
	}
}

func (s *threads) unindex(l *liveThread) {
	for _, o := range l.Origins {
		if key := keyOf(o, l.Request.ID); s.byRequest[key] == l.ID {
			delete(s.byRequest, key)
		}
	}
}

// ofOtherProcesses lists the asks with the same id that other processes announced.
func (s *threads) ofOtherProcesses(o session.Origin, id question.RequestID) []*liveThread {
	var list []*liveThread
	for _, l := range s.byID {
		if id != "" && l.Request.ID == id && !l.FromProcess(o) {
			list = append(list, l)
		}
	}
	return list
}

// countWaiting counts the asks of a source that wait.
func (s *threads) countWaiting(source string) (n int) {
	for _, l := range s.byID {
		if l.Outcome == nil && l.LastOrigin().Source() == source {
			n++
		}
	}
	return n
}

// messagesIn are the messages in a chat that are known as a card's, as far as the loop
// knows; the store knows of those of retired threads.
func (s *threads) messagesIn(chat chat.ID) (list []chat.MessageID) {
	for _, l := range s.byID {
		for _, c := range l.Cards {
			if c.Chat == chat {
				list = append(append(list, c.Messages...), c.Others...)
			}
		}
	}
	return list
}

// withMessage finds the live thread that has this message.
func (s *threads) withMessage(chat chat.ID, message chat.MessageID) *liveThread {
	for _, l := range s.byID {
		for _, c := range l.Cards {
			if c.Chat == chat && c.Has(message) {
				return l
			}
		}
	}
	return nil
}
