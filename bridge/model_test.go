package bridge_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/internal/testlevel"
	"hermes/pending"
)

var (
	sequences = flag.Int("sequences", testlevel.Choose(250, 10_000), "how many random sequences the model test runs")
	seed      = flag.Uint64("seed", 1, "the first seed of the model test; 0: one from the clock")
)

// TestRandomSequences lets anything happen in any order: questions, taps, texts,
// answers at the terminal, aborts, connections and processes lost, and every
// operation failing with or without its effect. Then everything works again, and
// what is owed must have been done.
func TestRandomSequences(t *testing.T) {
	first := *seed
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	}
	n := *sequences
	const lanes = 4
	for lane := range lanes {
		t.Run(fmt.Sprint("lane", lane), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < n && !t.Failed(); i += lanes {
				one := first + uint64(i)
				synctest.Test(t, func(t *testing.T) { sequence(t, one) })
			}
		})
	}
}

func sequence(t *testing.T, seed uint64) {
	m := &model{r: rand.New(rand.NewPCG(seed, 1))}
	m.world = newWorld(t, func(c *bridge.Config) {
		c.OnExpiry, c.NotifyDelay = expiries[seed%3], 300*time.Millisecond
		if seed/12%2 == 0 {
			c.Undo = modelUndo
		}
		if len(m.epochs) > 0 {
			c.Rules = m.epochs[len(m.epochs)-1].book
		}
	})
	m.agent.modern, m.asks = seed%2 == 0, int(seed/2%3)
	if seed/6%2 == 0 {
		m.epochs = []epoch{law(t, 0)}
	}
	m.fell = func() { m.crashed = true }
	m.start()
	for range 4 + m.r.IntN(20) {
		m.act()
		if m.r.IntN(3) > 0 {
			m.wait(time.Duration(m.r.IntN(2000)) * time.Millisecond)
		}
	}
	m.finish()
	if t.Failed() {
		t.Errorf("this was sequence %d: go test ./bridge -run TestRandomSequences -sequences 1 -seed %d", seed, seed)
		for _, line := range m.log {
			t.Log(line)
		}
	}
}

var expiries = []question.Expiry{question.ExpireReject, question.ExpireAccept, question.ExpireWait}

type model struct {
	*world
	r       *rand.Rand
	log     []string
	crashed bool
	asks    int     // what is asked in this sequence
	epochs  []epoch // the rules of a team, in their order; none: everybody may do everything
}

const (
	_ = iota // both
	questionsOnly
	leaveOnly
)

func (m *model) note(format string, args ...any) {
	m.log = append(m.log, time.Now().Format("04:05.000 ")+fmt.Sprintf(format, args...))
}

func (m *model) act() {
	acts := []func(){m.tap, m.tap, m.tap, m.tap, m.type_, m.lose, m.gain, m.faults, m.faults, m.crash, m.longWait, m.rush}
	if m.asks != leaveOnly {
		acts = append(acts, m.askOne, m.askOne, m.askMany, m.atTerminal)
	}
	if m.asks != questionsOnly {
		acts = append(acts, m.askLeave, m.askLeave, m.askLeave, m.decideAtScreen, m.askNext, m.abort, m.overAPI)
	}
	if len(m.epochs) > 0 {
		acts = append(acts, m.legislate, m.claim, m.tap, m.tap)
	}
	acts[m.r.IntN(len(acts))]()
}

func (m *model) askOne() { m.note("ask %s", m.agent.ask(oneItem())) }

func (m *model) askMany() {
	m.note("ask %s", m.agent.ask(oneItem(), question.Item{
		Header: "Features", Text: "Which?", Multiple: true, Custom: true,
		Options: []question.Option{{Label: "A"}, {Label: "B"}, {Label: "C"}},
	}))
}

func oneItem() question.Item {
	return question.Item{
		Header: "Database", Text: "Which database?", Custom: true,
		Options: []question.Option{{Label: "SQLite"}, {Label: "PostgreSQL (Recommended)"}},
	}
}

// anyRequest picks one that was asked.
func (m *model) anyRequest() (question.RequestID, bool) {
	m.agent.mu.Lock()
	defer m.agent.mu.Unlock()
	var ids []question.RequestID
	for id := range m.agent.requests {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if len(ids) == 0 {
		return "", false
	}
	return ids[m.r.IntN(len(ids))], true
}

func (m *model) who() (chat.ID, chat.UserID) {
	switch {
	case m.r.IntN(2) == 0:
		return adaChat, ada
	case len(m.epochs) > 0 && m.r.IntN(2) == 0:
		return bobChat, cleo
	}
	return bobChat, bob
}

func (m *model) tap() {
	id, ok := m.anyRequest()
	if !ok {
		return
	}
	chat, user := m.who()
	_, view, shown := m.chat.find(chat, id)
	if !shown {
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
	m.press(chat, user, id, move)
	if m.r.IntN(4) == 0 {
		m.note("twice")
		m.press(chat, user, id, move)
	}
}

func (m *model) move(v question.View) question.WizardInput {
	moves := []question.WizardInput{
		{Action: question.Pick, Item: v.Wizard.Step, Option: m.r.IntN(2)},
		{Action: question.Pick, Item: v.Wizard.Step, Option: m.r.IntN(3), On: true},
		{Action: question.Done, Item: v.Wizard.Step},
		{Action: question.Type, Item: v.Wizard.Step, On: true},
		{Action: question.Send},
		{Action: question.Send},
		{Action: question.Go, Item: m.r.IntN(2)},
	}
	switch {
	case v.Wizard.Dismissing && m.r.IntN(2) == 0:
		return question.WizardInput{Action: question.Dismiss, On: m.r.IntN(2) == 0}
	case v.Wizard.Dismissing:
		return question.WizardInput{Action: question.Go, Item: v.Wizard.Step}
	case m.r.IntN(10) == 0:
		return question.WizardInput{Action: question.Dismiss}
	}
	return moves[m.r.IntN(len(moves))]
}

func (m *model) type_() {
	id, ok := m.anyRequest()
	if !ok {
		return
	}
	chat, user := m.who()
	message, _, shown := m.chat.find(chat, id)
	texts := []string{"1", "2", "post", "something else", " ", "send"}
	text := texts[m.r.IntN(len(texts))]
	if !shown || m.r.IntN(3) == 0 {
		message = 0
	}
	m.note("%s types %q to %s (%d)", name(user), text, id, message)
	m.say(chat, user, message, text)
}

func (m *model) atTerminal() {
	id, ok := m.anyRequest()
	if !ok {
		return
	}
	kinds := []event.FindingKind{
		event.FoundAnswered, event.FoundAnswered, event.FoundDismissed, event.FoundStopped, event.FoundDeleted,
	}
	kind := kinds[m.r.IntN(len(kinds))]
	if m.agent.requests[id].leave != nil {
		return
	}
	var answers question.Answers
	if kind == event.FoundAnswered {
		answers = question.Answers{{"SQLite"}}
	}
	m.note("terminal: %s %s", id, kind)
	m.agent.settle(id, kind, answers)
}

func (m *model) lose() { m.note("OpenCode is lost"); m.agent.down() }
func (m *model) gain() {
	forget := m.r.IntN(3) == 0
	m.note("OpenCode is back, forgetting: %v", forget)
	m.agent.comeBack(forget)
}

// faults lets some operations fail for a while, with or without effect.
func (m *model) faults() {
	rate := m.r.IntN(4)
	m.note("faults at %d/8", rate)
	r := rand.New(rand.NewPCG(m.r.Uint64(), 2))
	m.setFault(func(op string) fate {
		switch {
		case r.IntN(8) >= rate:
			return fine
		case r.IntN(2) == 0:
			return fate{apply: true, err: errFault}
		}
		return fate{err: errFault, certain: r.IntN(2) == 0}
	})
}

// rush asks several things at once while answers of Telegram are lost, and kills hermes
// within a second or two: before or behind what is sent again.
func (m *model) rush() {
	n, lost := 1+m.r.IntN(3), 2+m.r.IntN(6)
	m.note("%d at once, with %d/8 of the answers lost", n, lost)
	r := rand.New(rand.NewPCG(m.r.Uint64(), 3))
	m.setFault(func(op string) fate {
		rate := map[string]int{"show": lost, "note": lost}[op]
		if r.IntN(8) >= rate {
			return fine
		}
		return fate{apply: r.IntN(4) > 0, err: errFault}
	})
	for range n {
		if m.asks == leaveOnly || m.asks != questionsOnly && m.r.IntN(2) == 0 {
			m.askLeave()
		} else {
			m.askOne()
		}
	}
	m.wait(time.Duration(m.r.IntN(2500)) * time.Millisecond)
	if m.r.IntN(3) > 0 {
		m.crash()
	}
	if m.r.IntN(2) == 0 {
		m.setFault(func(string) fate { return fine })
	}
}

func (m *model) crash() {
	m.note("hermes is killed")
	m.crashed = true // while a decision was on its way, nobody can tell whose it was
	m.restart()
}

func (m *model) longWait() {
	d := time.Duration(m.r.IntN(40)) * time.Minute
	m.note("%v pass", d)
	m.wait(d)
}

// finish lets everything work again and holds the end against the promise.
func (m *model) finish() {
	m.note("everything works again")
	m.setFault(func(string) fate { return fine })
	m.chat.slowBox = 0
	m.agent.comeBack(false)
	m.restart()
	m.wait(3 * time.Minute)
	m.judgePolls()
	m.wait(3 * time.Hour)
	m.agent.list()
	m.wait(time.Hour)
	m.judgeScreens() // of what hermes knows
	m.tapCopies()
	m.wait(time.Minute)
	m.judgeScreens() // of all that was ever sent
	if err := m.store.Verify(); err != nil {
		m.t.Error("the journal:", err)
	}
	m.judgeAnswers()
	m.judgeTaps()
	m.judgeHolds()
	for _, what := range m.chat.wrong {
		m.t.Error(what)
	}
	m.judgeBoxes()
	m.kill()
}

func (m *model) judgeScreens() {
	for id, r := range m.agent.requests {
		if r.leave != nil {
			m.judgeLeave(id, r)
			continue
		}
		m.judge(id, r)
	}
}

func (m *model) judge(id question.RequestID, r *asked) {
	if r.replies > 1 {
		m.t.Errorf("%s was answered %d times", id, r.replies)
	}
	for chat, screens := range m.chat.screens {
		for message, s := range screens {
			if s.view.Request.ID == id && !m.isCopy(chat, message, s) {
				m.judgeScreen(fmt.Sprintf("%s in chat %d, message %d", id, chat, message), s.view, r)
			}
		}
	}
	if r.found == event.FoundOpen {
		if _, v, ok := m.chat.find(adaChat, id); !ok || v.Phase != question.PhaseAsking {
			m.t.Errorf("%s waits, and Ada's chat does not ask it: %v %+v", id, ok, v.Phase)
		}
	}
}

// judgeAnswers holds every answer that was taken against what the agent got: it
// must have arrived, unless the question had ended.
func (m *model) judgeAnswers() {
	last := map[question.RequestID]storage.Entry{}
	err := m.store.Journal(0, func(line pending.Line) error {
		e := line.Entry
		m.log = append(m.log, fmt.Sprintf("journal: %s %s %s by %s %v %s",
			e.At.Format("04:05.000"), e.Kind, e.Request, string(e.By.Kind)+e.By.Name, e.Answers, e.Detail))
		if line.Entry.Kind == storage.EntryAnswered && m.agent.requests[line.Entry.Request].leave == nil {
			last[line.Entry.Request] = line.Entry
		}
		if line.Entry.Kind == storage.EntryUndone {
			delete(last, line.Entry.Request)
		}
		return nil
	})
	if err != nil {
		m.t.Error("the journal:", err)
	}
	for id, e := range last {
		r := m.agent.requests[id]
		if r.found == event.FoundOpen {
			m.t.Errorf("%s was answered by %s, and still waits", id, e.By.Name)
		}
		if r.replies == 1 && r.found == event.FoundAnswered && !r.answers.Equal(e.Answers) {
			m.t.Errorf("%s: %s said %v, the agent got %v", id, e.By.Name, e.Answers, r.answers)
		}
	}
}

func (m *model) judgeScreen(what string, v question.View, r *asked) {
	want := outcomeOf(r.found)
	switch {
	case r.found == event.FoundOpen && v.Outcome != nil:
		m.t.Errorf("%s: waits, but the message says %s", what, v.Outcome.Kind)
	case r.found == event.FoundOpen:
	case v.Outcome == nil:
		m.t.Errorf("%s: is %s, but the message says %s", what, r.found, v.Phase)
	case v.Outcome.Kind != want:
		m.t.Errorf("%s: is %s, but the message says %s", what, want, v.Outcome.Kind)
	case want == question.OutcomeAnswered && !v.Outcome.Answers.Equal(r.answers):
		m.t.Errorf("%s: the agent got %v, the message says %v", what, r.answers, v.Outcome.Answers)
	case r.replies == 0 && v.Outcome.By.Kind == question.Deadline && !m.crashed:
		m.t.Errorf("%s: says that the deadline decided, but nothing was sent", what)
	}
}

func outcomeOf(f event.FindingKind) question.OutcomeKind {
	return map[event.FindingKind]question.OutcomeKind{
		event.FoundAnswered: question.OutcomeAnswered, event.FoundDismissed: question.OutcomeDismissed,
		event.FoundStopped: question.OutcomeStopped, event.FoundDeleted: question.OutcomeDeleted,
		event.FoundForgotten: question.OutcomeRestarted,
	}[f]
}
