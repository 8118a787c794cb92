package bridge

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

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
	boxSteps     map[int]int          // steps for the card's reply boxes that run
	passingLooks int                  // looks in a row that found the request neither open nor ended
	failedSteps  int                  // steps in a row for which OpenCode did not answer
	toldBarred   map[chat.UserID]bool // that their texts do not count
	unloaded     bool                 // OpenCode has unloaded its directory, which cancels and rejects it
	declined     bool                 // its turn ended as somebody dismissed or rejected what it asked
	reported     *reportedEnd         // of a permission ask: how it was decided, by OpenCode's word
	callWentOn   bool                 // of a permission ask: its call went on to ask for something else
	timer        *time.Timer

	mu     sync.Mutex
	views  []question.View // what its cards should show, for steps that run beside the loop; the last is for one that is gone
	wanted bool            // a chat that shows nothing of it is to see it
}

func (l *liveThread) publishView() {
	views := make([]question.View, 0, len(l.Cards)+1)
	for i := range l.Cards {
		views = append(views, l.ViewIn(i))
	}
	views = append(views, l.View())
	l.mu.Lock()
	l.views, l.wanted = views, l.Wanted()
	l.mu.Unlock()
}

// firstView is what a chat that shows nothing of it should show now, and whether it should at all:
// a first message may have come too late. Safe beside the loop.
func (l *liveThread) firstView(card int) (v question.View, wanted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v = l.viewOf(card)
	return v, l.wanted && v.Phase != question.PhaseTaken
}

// currentView is what a card should show now. Safe beside the loop.
func (l *liveThread) currentView(card int) question.View {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.viewOf(card)
}

// viewOf is what a card should show; the caller has the lock.
func (l *liveThread) viewOf(card int) question.View { return l.views[min(card, len(l.views)-1)] }

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
	l := &liveThread{Thread: t, sending: map[int]bool{}}
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

// countWaiting counts the asks of a source that wait.
func (s *threads) countWaiting(source string) (n int) {
	for _, l := range s.byID {
		if l.Outcome == nil && l.LastOrigin().Source() == source {
			n++
		}
	}
	return n
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

// commit stores a change in one transaction. One that the store does not take ends the loop, and hermes with it: commit does
// not return then. So what follows a call of it is stored, and what it leads to may leave. Telegram still has the update, or it is in the
// inbox, and OpenCode still has the ask: the next start takes them up.
func (b *Bridge) commit(c storage.Change) {
	if err := b.config.Store.Commit(c); err != nil {
		b.loop.Fail(err)
	}
	if len(c.Chats) > 0 {
		b.limitChats()
	}
}

// consume stores that updates which changed no thread are done with.
func (b *Bridge) consume(used []chat.UpdateID, entries ...storage.Entry) {
	b.commit(storage.Change{Consumed: used, Entries: entries})
}

// saveThread stores the thread as it is now, together with what happened to it, and lets those see it who work beside the loop.
func (b *Bridge) saveThread(l *liveThread, entries ...storage.Entry) {
	if b.threads.byID[l.ID] == l { // else it is retired, and must not come back
		b.commit(storage.Change{Threads: []question.Thread{l.Clone()}, Entries: stampEntries(l.Thread, entries)})
	}
	l.publishView()
}

// stampEntries completes journal entries with what is the same in all of a thread's, and with the
// time, unless they have it.
func stampEntries(t question.Thread, entries []storage.Entry) []storage.Entry {
	for i := range entries {
		if !entries[i].At.IsZero() {
			continue
		}
		entries[i].At = time.Now()
		entries[i].Thread, entries[i].Request, entries[i].Session = t.ID, t.Request.ID, t.Request.Session
		switch by := entries[i].By; by.Kind {
		case question.Caller, question.OpenCode: // no rule binds them
			if entries[i].Kind == storage.EntryAsked {
				entries[i].Rule = t.Rule
			}
		case question.RuleActor:
			entries[i].Rule = by.Name // whatever rule fits by now
		case question.Person, question.Deadline, "":
			entries[i].Rule = t.Rule
		}
	}
	return entries
}
