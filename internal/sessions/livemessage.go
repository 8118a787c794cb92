package sessions

import (
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/ui"
)

// liveMessage shows a session that a chat follows while it works, in one message. Its id is in
// the chat's settings until the message tells how that ended, so that the next start can
// finish what a crash left behind.
type liveMessage struct {
	chat    chat.ID
	topic   int
	about   target
	message chat.MessageID // 0: none that is known
	shown   bool           // the chat was asked to show one
	dead    bool           // the message is: nothing more is shown of this turn
	lookAt  time.Time      // when to look how the session stands; zero: when an event says so
	looking bool           // a look is under way
	stale   staleTurn
	alarm   alarm
	touch   func()
	end     func()

	mu    sync.Mutex
	state liveState
	tell  ui.Text               // its end; nil: it goes on
	goes  bool                  // with its end, where that can be done
	tools []session.StreamChunk // that run, the newest last
	told  bool                  // its end was given to be shown
}

// liveState is what a live message shows until its end.
type liveState struct {
	session session.Session
	live    remote.LiveState
	turn    session.Turn
}

// Next says what is owed to a live message. Nothing is looked at twice at once.
func (m *liveMessage) Next(now time.Time) ([]step, time.Time) {
	d := due{now: now}
	if !m.looking {
		d.add(lookStep, m.lookAt)
	}
	return d.steps, d.wake
}

// lookBy has the session looked at when a time has passed, if not before.
func (m *liveMessage) lookBy(in time.Duration) {
	if at := time.Now().Add(in); m.lookAt.IsZero() || at.Before(m.lookAt) {
		m.lookAt = at
	}
}

// isOutdated reports whether the chat has settled on something else than what is shown.
func (m *liveMessage) isOutdated(chat remote.ChatSettings) bool {
	return !chat.Follow || m.about.session != chat.Session
}

// toShow is what the message is to show, or whether it is to go. It is called beside the loop.
func (m *liveMessage) toShow() (text ui.Text, remove bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told = m.tell != nil; m.told {
		return m.tell, m.goes
	}
	s, tool := m.state, ""
	if n := len(m.tools); n > 0 && s.live == remote.LiveWorks {
		tool = toolLine(m.tools[n-1])
	}
	return ui.Live(s.session, s.live, s.turn, tool), false
}

// toolLine is a tool call in one line.
func toolLine(s session.StreamChunk) string {
	if s.Title == "" {
		return s.Tool
	}
	return s.Tool + ": " + s.Title
}

// changeState alters what the message shows.
func (m *liveMessage) changeState(alter func(*liveState)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	alter(&m.state)
}

// setEnd makes what is told of the session what the message ends as, or has it go where that can be done.
func (m *liveMessage) setEnd(tell func(session.Session) ui.Text, goes bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.state.session
	if s.ID == "" {
		s = m.about.asSession()
	}
	m.tell, m.goes = tell(s), goes
}

// hasEnded reports whether its end was given to be shown.
func (m *liveMessage) hasEnded() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.told
}

// wantsTurn reports whether it is not known when the turn began.
func (m *liveMessage) wantsTurn() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state.turn.Began.IsZero()
}

// setResting notes whether the session rests. It is shown with the next change: most likely
// the turn is over, and the message goes.
func (m *liveMessage) setResting(rests bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case rests:
		m.state.live, m.tools = remote.LiveRests, nil
	case m.state.live == remote.LiveRests:
		m.state.live = remote.LiveWorks
	}
}

// addSpoken notes what the session does just now.
func (m *liveMessage) addSpoken(s session.StreamChunk) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case s.Tool != "":
		m.tools = withoutPart(m.tools, s.Part)
		if !s.Ended {
			m.tools = append(m.tools, s)
		}
	case s.Text != "":
		m.state.turn.Text = s.Text
	}
}

func withoutPart(list []session.StreamChunk, part string) []session.StreamChunk {
	var left []session.StreamChunk
	for _, s := range list {
		if s.Part != part {
			left = append(left, s)
		}
	}
	return left
}

// wasKilled reports whether OpenCode was closed in the midst of a turn. One that was stopped
// has no end for a moment as well, but then the session was heard to rest.
func (m *liveMessage) wasKilled(t session.Turn) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return t.Unfinished && t.Aborted && (m.stale.closed || m.state.live != remote.LiveRests)
}
