package bridge_test

import (
	"fmt"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending"
)

// What the model does with permission asks. A few sessions and commands are enough
// for asks to be equal, and to be settled along with others.

func (m *model) askLeave() {
	session := session.ID(fmt.Sprint("ses_", m.r.IntN(2)))
	text := []string{"make", "make", "rm"}[m.r.IntN(3)]
	m.note("%s asks for leave to %s: %s", session, text, m.agent.askLeave(session, text))
}

// anyLeave picks a permission ask of which this is so.
func (m *model) anyLeave(fits func(*asked) bool) (*asked, bool) {
	m.agent.mu.Lock()
	defer m.agent.mu.Unlock()
	var list []*asked
	for _, r := range m.agent.requests {
		if r.leave != nil && fits(r) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *asked) int { return int(a.request.ID[4]) - int(b.request.ID[4]) })
	if len(list) == 0 {
		return nil, false
	}
	return list[m.r.IntN(len(list))], true
}

func (m *model) decideAtScreen() {
	if r, ok := m.anyLeave(func(r *asked) bool { return r.found == event.FoundOpen }); ok {
		reply := []string{question.Once, question.Once, question.Always, "reject"}[m.r.IntN(4)]
		m.note("terminal: %s %s", r.request.ID, reply)
		m.agent.atScreen(r.request.ID, reply)
	}
}

// askNext lets a call that was allowed ask for something else.
func (m *model) askNext() {
	if r, ok := m.anyLeave(func(r *asked) bool { return r.running() && r.leave.next == nil }); ok {
		m.note("%s asks on: %s", r.request.ID, m.agent.askFor(r.request.Session, command("touch"), r.request.ID))
	}
}

// overAPI lets a program answer one ask by its id, one that follows another or not.
func (m *model) overAPI() {
	r, ok := m.anyLeave(func(r *asked) bool { return r.found == event.FoundOpen })
	if !ok {
		return
	}
	t, ok, err := m.store.Find(storage.Key{Request: r.request.ID})
	if err != nil || !ok {
		return
	}
	answers := []question.Answers{{{question.Once}}, {{question.Always}}, nil}[m.r.IntN(3)]
	m.note("a program: %s %v", r.request.ID, answers)
	m.inputs = append(m.inputs, input{time.Now(), inbound.Input{}})
	_ = m.bridge.Answer(m.t.Context(), t.ID, answers) // refused when it is too late
}

func (m *model) abort() {
	session := session.ID(fmt.Sprint("ses_", m.r.IntN(2)))
	m.note("%s is stopped", session)
	m.agent.abort(session)
}

func (m *model) leaveMove() question.WizardInput {
	return []question.WizardInput{
		{Action: question.Pick, Option: question.PickOnce},
		{Action: question.Pick, Option: question.PickOnce},
		{Action: question.Pick, Option: question.PickAlways},
		{Action: question.Send},
		{Action: question.Send},
		{Action: question.Go},
		{Action: question.Type, On: true},
		{Action: question.Dismiss},
	}[m.r.IntN(8)]
}

// judgeLeave holds what was sent for a permission ask, and what is shown of it,
// against what the agent knows.
func (m *model) judgeLeave(id question.RequestID, r *asked) {
	if r.replies > 1 {
		m.t.Errorf("%s was decided %d times", id, r.replies)
	}
	t, ok, err := m.store.Find(storage.Key{Request: id})
	if err != nil || !ok {
		if m.needs(r) {
			m.t.Errorf("%s is not known: %v", id, err)
		}
		return
	}
	m.judgeSent(r)
	m.judgeVotes(t)
	m.judgeEnd(fmt.Sprintf("%s, on record", id), t.View(), r)
	for chat, screens := range m.chat.screens {
		for message, s := range screens {
			if s.view.Request.ID == id && !m.isCopy(chat, message, s) {
				m.judgeEnd(fmt.Sprintf("%s in chat %d, message %d", id, chat, message), s.view, r)
			}
		}
	}
	m.judgeGroup(t, r)
}

// needs reports whether the ask waited long enough to be known.
func (m *model) needs(r *asked) bool { return r.found == event.FoundOpen }

// judgeSent: what reached OpenCode is what was decided, and nothing was sent for a
// session that had been stopped.
func (m *model) judgeSent(r *asked) {
	decided := map[sent]bool{}
	var last sent
	m.journal(func(e storage.Entry) {
		if e.Request == r.request.ID && e.Kind == storage.EntryUndone {
			delete(decided, last)
		}
		if e.Request == r.request.ID && (e.Kind == storage.EntryAnswered || e.Kind == storage.EntryExpired) {
			d := sent{reply: "reject", note: e.Note}
			if e.Answers != nil {
				d.reply = e.Answers[0][0]
			}
			decided[d], last = true, d
		}
	})
	for _, s := range r.leave.sent {
		if !decided[sent{reply: s.reply, note: s.note}] {
			m.t.Errorf("%s: sent %q %q, which nobody decided: %v", r.request.ID, s.reply, s.note, decided)
		}
		if over := r.leave.over; !over.IsZero() && s.at.After(over) {
			m.t.Errorf("%s: sent %q %v after its session was stopped", r.request.ID, s.reply, s.at.Sub(over))
		}
	}
}

func (m *model) judgeEnd(what string, v question.View, r *asked) {
	want := outcomeOf(r.found)
	o := v.Outcome
	switch {
	case r.found == event.FoundOpen && o != nil:
		m.t.Errorf("%s: waits, but is said to be %s", what, o.Kind)
	case r.found == event.FoundOpen:
	case o == nil:
		m.t.Errorf("%s: is %s, but is said to be %s", what, want, v.Phase)
	case r.leave.begun, r.leave.next != nil && (o.Begun || o.By.Kind == question.OpenCode): // what it asked for next is not always heard of
		m.judgeBegun(what, v, r)
	case o.Kind != want:
		m.t.Errorf("%s: is %s, but is said to be %s", what, want, o.Kind)
	case o.Answers != nil && !o.Answers.Equal(r.answers):
		m.t.Errorf("%s: the agent got %v, it says %v", what, r.answers, o.Answers)
	case o.Kind == question.OutcomeDismissed && o.Note != r.leave.note:
		m.t.Errorf("%s: the agent was told %q, it says %q", what, r.leave.note, o.Note)
	default:
		m.judgeAuthor(what, v, r)
	}
}

// judgeBegun: it was let run, and then its session was stopped or OpenCode ended.
func (m *model) judgeBegun(what string, v question.View, r *asked) {
	switch o := v.Outcome; o.Kind {
	case question.OutcomeAnswered, question.OutcomeRestarted:
	case question.OutcomeDismissed:
		if o.By.Kind != question.OpenCode || r.leave.next == nil {
			m.t.Errorf("%s: it had begun to run, and %s %s is said to have rejected it", what, o.By.Kind, o.By.Name)
		}
	case question.OutcomeStopped:
		if !v.Sent && !o.Begun {
			m.t.Errorf("%s: it had begun to run, and is said not to have run", what)
		}
	default:
		m.t.Errorf("%s: it had begun to run, and is said to be %s", what, o.Kind)
	}
}

// judgeAuthor: nobody is named for what they did not decide. Whose of two equal
// decisions it was cannot be told where both may have arrived.
func (m *model) judgeAuthor(what string, v question.View, r *asked) {
	o, by := v.Outcome, r.leave
	if o.By.Kind == question.OpenCode || o.By.Kind == "" || m.crashed {
		return
	}
	tried := func(r *asked) bool { return r.leave.ours || r.leave.tried }
	switch cause := m.agent.requests[by.cause]; {
	case tried(r):
	case cause != nil && tried(cause):
	case m.sentAtOnce(r):
	default:
		m.t.Errorf("%s: says that %s %s decided, and it was not hermes", what, o.By.Kind, o.By.Name)
	}
}

// sentAtOnce reports whether hermes sent, in the moment in which the ask was decided, the same
// decision about another one that takes it along.
func (m *model) sentAtOnce(r *asked) bool {
	for _, other := range m.agent.requests {
		if other.leave == nil || other.request.Session != r.request.Session {
			continue
		}
		for _, s := range other.leave.sent {
			same := s.reply == "reject" && r.found == event.FoundDismissed
			if s.reply == question.Always && other.request.Permission.Always[0] == r.request.Permission.Always[0] {
				same = r.answers.Equal(question.Answers{{question.Always}})
			}
			if same && s.at.Equal(r.leave.at) {
				return true
			}
		}
	}
	return false
}

// judgeGroup: an ask without a card is told of by the card that stands for it.
func (m *model) judgeGroup(t question.Thread, r *asked) {
	id := t.ID
	if t.Leader != "" {
		id = t.Leader
	}
	shown, v := m.shownOf(id)
	switch {
	case t.Open() && (!shown || v.Phase != question.PhaseAsking):
		m.t.Errorf("%s waits, and no card of Ada's asks it: %v %s", r.request.ID, shown, v.Phase)
	case t.Open() && v.Count != m.group(id):
		m.t.Errorf("%s: the card speaks of %d asks, %d wait", r.request.ID, v.Count, m.group(id))
	case t.Outcome != nil && shown && v.Outcome != nil && m.leads(id, t.ID) && v.Outcome.Kind != t.Outcome.Kind:
		m.t.Errorf("%s ended as %s, and its card says %s", r.request.ID, t.Outcome.Kind, v.Outcome.Kind)
	}
}

// leads reports whether the card of the one speaks of the other as well.
func (m *model) leads(leader, follower question.ID) bool {
	t, ok, err := m.store.Find(storage.Key{ID: leader})
	return err == nil && ok && slices.Contains(t.Equals, follower)
}

// shownOf is what Ada sees of a thread.
func (m *model) shownOf(id question.ID) (found bool, v question.View) {
	for message, s := range m.chat.screens[adaChat] {
		if s.view.Thread == id && !m.isCopy(adaChat, message, s) {
			found, v = true, s.view
		}
	}
	return found, v
}

// group counts the open asks that a thread's card stands for.
func (m *model) group(id question.ID) (n int) {
	threads, err := m.store.Threads()
	if err != nil {
		m.t.Error(err)
	}
	for _, t := range threads {
		if t.Open() && (t.ID == id || t.Leader == id) {
			n++
		}
	}
	return n
}

// judgeTaps: a tap decides no more asks than the card spoke of when its buttons
// were drawn.
func (m *model) judgeTaps() {
	type who struct {
		at   time.Time
		user chat.UserID
	}
	may, did := map[who]int{}, map[who]int{}
	for _, in := range m.inputs {
		n := 1
		if in.Kind == inbound.Tapped {
			n = m.chat.drawn[drawing{in.Thread, in.Move.Rev}]
		}
		may[who{in.at.UTC(), in.User.ID}] += n
	}
	m.journal(func(e storage.Entry) {
		if e.Kind == storage.EntryAnswered && e.Answers != nil {
			did[who{e.At.UTC(), e.By.User}]++
		}
	})
	for w, n := range did {
		if n > may[w] {
			m.t.Errorf("at %s %s allowed %d asks, having seen %d", w.at.Format("04:05.000"), name(w.user), n, may[w])
		}
	}
}

func (m *model) journal(each func(storage.Entry)) {
	err := m.store.Journal(0, func(line pending.Line) error {
		each(line.Entry)
		return nil
	})
	if err != nil {
		m.t.Error("the journal:", err)
	}
}
