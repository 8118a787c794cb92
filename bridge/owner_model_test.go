package bridge_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/loop"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// owning is a model in which the agent asks over a link that goes from one person to another, and back.
type owning struct {
	*model
	links  *links
	since  []ownedFrom
	unseen map[unseen]time.Time // what was not shown to somebody when the link went away from them
}

type unseen struct {
	id   question.RequestID
	user chat.UserID
}

type ownedFrom struct {
	at    time.Time
	owner chat.UserID
}

// TestRandomOwners lets anything happen in any order while a link changes hands: only whose it is at a time decides then,
// nobody else is shown what they never had, and what waits is asked of whom the link belongs to.
func TestRandomOwners(t *testing.T) {
	for i := range max(1, *sequences/5) {
		synctest.Test(t, func(t *testing.T) { ownersSequence(t, *seed+uint64(i)) })
		if t.Failed() {
			return
		}
	}
}

func ownersSequence(t *testing.T, seed uint64) {
	m := &owning{model: &model{r: rand.New(rand.NewPCG(seed, 4))}, links: &links{owner: ada, known: true}, unseen: map[unseen]time.Time{}}
	m.world = newWorld(t, func(c *bridge.Config) {
		c.Rules, c.Owners, c.NotifyDelay = team(t, ""), m.links, 300*time.Millisecond
		c.TTL, c.OnExpiry = 0, question.ExpireWait
		if seed%3 > 0 {
			c.Undo = modelUndo
		}
	})
	m.agent.at = session.Origin{Way: session.Link, Process: "p", Directory: "/home/ada/shop-api", Token: "laptop"}
	m.agent.modern = seed%2 == 0
	m.fell = func() {
		m.crashed = true
		clear(m.unseen)
	}
	m.start()
	m.since = []ownedFrom{{time.Now(), ada}}
	for range 5 + m.r.IntN(25) {
		acts := []func(){
			m.askOne, m.askLeave, m.askLeave, m.askLeave, m.tapOwn, m.tapOwn, m.tapOwn, m.tapOwn, m.tapOwn, m.give, m.give, m.faults, m.crash, m.lose, m.gain,
			m.atTerminal, m.decideAtScreen,
		}
		acts[m.r.IntN(len(acts))]()
		m.wait(time.Duration(m.r.IntN(4000)) * time.Millisecond)
	}
	m.end()
	if t.Failed() {
		t.Errorf("this was sequence %d: go test ./bridge -run TestRandomOwners -sequences 1 -seed %d", seed, seed)
		for _, line := range m.log {
			t.Log(line)
		}
	}
}

// crash forgets what was not shown: that a message did not arrive may not be stored, and then it is sent again.
func (m *owning) crash() {
	m.model.crash()
	clear(m.unseen)
}

func (m *owning) give() {
	owner := []chat.UserID{ada, bob}[m.r.IntN(2)]
	down := m.r.IntN(4) == 0
	m.note("the link is %s's, at a restart: %v", name(owner), down)
	if down {
		m.kill()
		clear(m.unseen)
	}
	m.links.mu.Lock()
	m.links.owner = owner
	m.links.mu.Unlock()
	m.since = append(m.since, ownedFrom{time.Now(), owner})
	if down {
		m.start()
		return
	}
	if err := m.bridge.LinksChanged(m.t.Context()); err != nil && !errors.Is(err, loop.ErrEnded) {
		m.t.Error(err)
	}
	m.noteUnseen(ada + bob - owner)
}

// noteUnseen notes what is not shown, nor being shown, to a person who has no link now.
func (m *owning) noteUnseen(user chat.UserID) {
	for id := range m.agent.requests {
		t, err := m.bridge.Request(m.t.Context(), m.agent.at, id)
		i := t.Card(chat.ID(user))
		if err == nil && (i < 0 || len(t.Cards[i].Messages) == 0) {
			m.unseen[unseen{id, user}] = time.Now()
		}
	}
}

func (m *owning) tapOwn() {
	id, ok := m.anyRequest()
	user := []chat.UserID{ada, bob}[m.r.IntN(2)]
	_, view, shown := m.chat.find(chat.ID(user), id)
	if !ok || !shown {
		return
	}
	move := m.move(view)
	if view.Request.Permission != nil {
		move = m.leaveMove()
	}
	if undo, ok := m.takeBack(view); ok {
		move = undo
	}
	m.note("%s taps %s %v", name(user), id, move)
	m.press(chat.ID(user), user, id, move)
}

// owned reports whether the link was a person's at some time in between.
func (m *owning) owned(by chat.UserID, from, to time.Time) bool {
	for i, s := range m.since {
		ended := i+1 < len(m.since) && !m.since[i+1].at.After(from)
		if s.owner == by && !s.at.After(to) && !ended {
			return true
		}
	}
	return false
}

func (m *owning) end() {
	m.note("everything works again")
	m.setFault(func(string) fate { return fine })
	m.agent.comeBack(false)
	m.wait(0) // a hermes that a fault has ended starts now
	if m.r.IntN(2) == 0 {
		m.restart()
	}
	m.wait(10 * time.Minute)
	last := m.since[len(m.since)-1].owner
	m.journal(func(e storage.Entry) {
		m.note("journal: %s %s %s by %s %v", e.At.Format("04:05.000"), e.Kind, e.Request, string(e.By.Kind)+e.By.Name, e.Answers)
		if e.Kind == storage.EntryAnswered && e.By.Kind == question.Person && !m.owned(e.By.User, e.At.Add(-1), e.At) { // what a start takes up may be of the instant in which the link changes
			m.t.Errorf("%s: %s answered at %s, and had no link", e.Request, e.By.Name, e.At.Format("04:05.000"))
		}
	})
	for id, r := range m.agent.requests {
		thread, err := m.bridge.Request(m.t.Context(), m.agent.at, id)
		if err != nil {
			continue // it ended before anybody was told
		}
		for _, user := range []chat.UserID{ada, bob} {
			message, v, shown := m.chat.find(chat.ID(user), id)
			isCopy := shown && !slices.ContainsFunc(thread.Cards, func(c question.Card) bool { return c.Chat == chat.ID(user) && c.Has(message) })
			from := thread.Asked
			if at, ok := m.unseen[unseen{id, user}]; ok {
				from = at
			}
			if shown && !isCopy && !m.owned(user, from, time.Now()) {
				m.t.Errorf("%s is shown to %s", id, name(user))
			}
			if thread.Open() && user == last && thread.Leader == "" && (!shown || v.Phase != question.PhaseAsking) {
				m.t.Errorf("%s waits, and %s is not asked: %v %s", id, name(user), shown, v.Phase)
			}
		}
		if thread.Open() && (r.found != event.FoundOpen || thread.Owner.ID != last) {
			m.t.Errorf("%s waits (%s), and is %d's", id, r.found, thread.Owner.ID)
		}
		if len(r.sentAt) > 0 && r.replies > 1 {
			m.t.Errorf("%s: %d answers had an effect", id, r.replies)
		}
	}
	if wrong := slices.Clone(m.chat.wrong); len(wrong) > 0 {
		m.t.Error(wrong)
	}
	m.judgeHolds()
	m.kill()
}
