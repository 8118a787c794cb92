package bridge_test

import (
	"fmt"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// What the model does where a team decides: several must approve commands, the rules
// are exchanged meanwhile, and questions can be claimed.

// epoch is the rules that were in force from a time on.
type epoch struct {
	from  time.Time
	needs int
	book  *policy.Ruleset
}

// laws are rules of the team: how many must approve a command, and who may.
var laws = []struct {
	needs int
	roles []string
}{{2, everybody}, {3, everybody}, {1, everybody}, {2, []string{"dev", "ops"}}}

const questionsOfTeam = "\n[[rule]]\nname = \"questions\"\nask = \"question\"\nclaim = \"10m\"\nclaim_exclusive = true\nchats = [1, 2]\n"

func law(t *testing.T, n int) epoch {
	t.Helper()
	rules := needing(laws[n].needs, laws[n].roles...) + "chats = [1, 2]\nescalate = [{ after = \"7m\", chats = [-7, 1] }]\n"
	return epoch{time.Now(), laws[n].needs, crew(t, rules+questionsOfTeam)}
}

// legislate exchanges the rules, while hermes runs or while it does not.
func (m *model) legislate() {
	n := m.r.IntN(len(laws))
	down := m.r.IntN(3) == 0
	m.note("the rules: %d of %v, at a restart: %v", laws[n].needs, laws[n].roles, down)
	if down {
		m.kill()
		m.crashed = true
		m.epochs = append(m.epochs, law(m.t, n))
		m.start()
		return
	}
	next := law(m.t, n)
	if m.bridge.SetRules(m.t.Context(), next.book) == nil {
		m.epochs = append(m.epochs, next)
	}
}

// inForce are the rules of a time.
func (m *model) inForce(at time.Time) epoch {
	e := m.epochs[0]
	for _, next := range m.epochs {
		if !next.from.After(at) {
			e = next
		}
	}
	return e
}

func (m *model) claim() {
	if id, ok := m.anyRequest(); ok {
		chat, user := m.who()
		on := m.r.IntN(3) > 0
		m.note("%s claims %s: %v", name(user), id, on)
		m.press(chat, user, id, question.WizardInput{Action: question.Take, On: on})
	}
}

// judgePolls holds all permission asks against what is promised of approvals, while
// some of them still wait.
func (m *model) judgePolls() {
	for id, r := range m.agent.requests {
		if t, ok, err := m.store.Find(storage.Key{Request: id}); r.leave != nil && ok && err == nil {
			m.judgeVotes(t)
		}
	}
}

// judgeVotes: what was allowed was approved by enough people who might, each once and
// by a tap of their own; and no approval is lost while the ask waits.
func (m *model) judgeVotes(t question.Thread) {
	if len(m.epochs) == 0 {
		return
	}
	voters := map[chat.UserID]bool{}
	for _, v := range t.Votes {
		if voters[v.By.User] {
			m.t.Errorf("%s: %s approved twice: %+v", t.Request.ID, v.By.Name, t.Votes)
		}
		voters[v.By.User] = true
		if !m.tapped(v.By.User, v.At) {
			m.t.Errorf("%s: %s approved without a tap", t.Request.ID, v.By.Name)
		}
	}
	if d := t.Decision; d != nil && !d.Reject && d.By.Kind == question.Person {
		m.judgeDecision(t, d, voters)
	}
	if t.Open() && t.Leader == "" {
		m.judgeOpen(t, voters)
	}
}

func (m *model) judgeDecision(t question.Thread, d *question.Decision, voters map[chat.UserID]bool) {
	law := m.inForce(d.At)
	voters[d.By.User] = true
	if len(voters) < law.needs {
		m.t.Errorf("%s: allowed by %d, %d were needed", t.Request.ID, len(voters), law.needs)
	}
	rule := law.book.Rule(policy.Ask{Request: t.Request, Directory: t.Origins[0].Directory, Place: t.Place})
	for user := range voters {
		if law.book.May(rule, user) != policy.May {
			m.t.Errorf("%s: %s counts, and might not approve", t.Request.ID, name(user))
		}
	}
	if len(t.Votes) > 0 && !question.Together(t.Votes).Equal(d.Answers) {
		m.t.Errorf("%s: %v was sent for %+v", t.Request.ID, d.Answers, t.Votes)
	}
}

// judgeOpen holds the approvals on record against those that count.
func (m *model) judgeOpen(t question.Thread, voters map[chat.UserID]bool) {
	given := map[chat.UserID]bool{}
	m.journal(func(e storage.Entry) {
		switch {
		case e.Request != t.Request.ID:
		case e.Kind == storage.EntryApproved:
			given[e.By.User] = true
		case e.Kind == storage.EntryLapsed:
			delete(given, e.By.User)
		}
	})
	for user := range given {
		if !voters[user] {
			m.t.Errorf("%s: the approval of %s is lost", t.Request.ID, name(user))
		}
	}
	if _, v := m.shownOf(t.ID); fmt.Sprint(v.Votes) != fmt.Sprint(t.Votes) || v.Needs != t.Needs {
		m.t.Errorf("%s: the card says %d of %d, it is %d of %d", t.Request.ID, len(v.Votes), v.Needs, len(t.Votes), t.Needs)
	}
}

// tapped reports whether the person tapped just then.
func (m *model) tapped(user chat.UserID, at time.Time) bool {
	for _, in := range m.inputs {
		if in.User.ID == user && in.Kind == inbound.Tapped && in.at.Equal(at) {
			return true
		}
	}
	return false
}
