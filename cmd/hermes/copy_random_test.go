package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// storm is a hermes that asks in two chats, while answers of Telegram are lost, edits fail
// and it is killed, all at random.
type storm struct {
	*rig
	random   *rand.Rand
	killer   *killer
	sends    int // of 8 sendings, so many fail
	edits    int // the same of edits
	requests []string
	log      []string

	mu sync.Mutex // of sends, edits and the dice of faults
}

// TestNoCopyIsLeftLying lets asks of every shape meet lost answers, refused edits and kills
// in any order. Then everything works again: no message keeps buttons of an ask that has
// ended, and every message that asks says how that ended, or where that is said.
func TestNoCopyIsLeftLying(t *testing.T) {
	n := 60
	if testing.Short() || killStride > 1 {
		n = 8
	}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { newStorm(t, uint64(seed)).play() })
		})
	}
}

func newStorm(t *testing.T, seed uint64) *storm {
	r := makeRig(t, opencode.VersionNew, in(chat{ID: ada}, chat{ID: team}))
	r.addTeam(false)
	s := &storm{rig: r, random: rand.New(rand.NewPCG(seed, 1))}
	if _, err := r.telegram.Say(ada, ada, "/start"); err != nil {
		t.Fatal(err)
	}
	faults := rand.New(rand.NewPCG(seed, 2))
	r.telegram.SetFault(func(c telegram.Call) telegram.Fault {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case strings.HasPrefix(c.Method, "send") && faults.IntN(8) < s.sends:
			return pick(faults, telegram.Fault{Kind: telegram.ResetAfter}, telegram.Fault{Kind: telegram.BadGatewayAfter}, telegram.Fault{Kind: telegram.ResetBefore},
				telegram.Fault{Kind: telegram.Unreachable}, telegram.Fault{Kind: telegram.Refuse, RetryAfter: 2}, telegram.Fault{Kind: telegram.Refuse})
		case strings.HasPrefix(c.Method, "edit") && faults.IntN(8) < s.edits:
			return pick(faults, telegram.Fault{Kind: telegram.ResetAfter}, telegram.Fault{Kind: telegram.ResetBefore}, telegram.Fault{Kind: telegram.BadGateway},
				telegram.Fault{Kind: telegram.Refuse, RetryAfter: 3}, telegram.Fault{Kind: telegram.Refuse, Code: 401})
		}
		return telegram.Fault{}
	})
	return s
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func (s *storm) begin() {
	s.killer = &killer{at: -1}
	s.wrap = s.killer.around
	s.start()
}

func (s *storm) note(format string, args ...any) {
	s.log = append(s.log, time.Now().Format("04:05.000 ")+fmt.Sprintf(format, args...))
}

func (s *storm) die() {
	s.note("hermes is killed")
	s.killer.kill()
	s.stop()
	<-s.ended
	s.wait(time.Duration(s.random.IntN(2000)) * time.Millisecond)
	s.begin()
}

func (s *storm) play() {
	s.begin()
	s.wait(time.Minute) // the store knows of the greeting
	for range 4 + s.random.IntN(10) {
		pick(s.random, s.ask, s.ask, s.ask, s.tap, s.tap, s.answer, s.die, s.weather, s.weather)()
		if s.random.IntN(2) == 0 {
			s.wait(time.Duration(s.random.IntN(2500)) * time.Millisecond)
		}
	}
	if s.random.IntN(2) == 0 { // the reminders come in a storm, too
		s.wait(14*time.Minute + time.Duration(s.random.IntN(120))*time.Second)
		s.die()
	}
	s.mu.Lock()
	s.sends, s.edits = 0, 0
	s.mu.Unlock()
	s.note("everything works again")
	s.die()
	s.wait(40 * time.Minute)
	s.judge(ada)
	s.judge(team)
	if s.t.Failed() {
		for _, line := range s.log {
			s.t.Log(line)
		}
	}
	s.halt()
	s.close()
}

// weather changes how much of what hermes does fails.
func (s *storm) weather() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sends, s.edits = s.random.IntN(7), s.random.IntN(7)
	s.note("%d/8 of sendings and %d/8 of edits fail", s.sends, s.edits)
}

func (s *storm) ask() {
	dir := s.opencode.Directory()
	session := s.opencode.NewSession(dir, "fix checkout flow")
	if s.random.IntN(4) == 0 {
		s.note("asks for leave")
		s.opencode.AskBash(dir, session, "rm -rf build")
		return
	}
	shape := s.random.IntN(5)
	s.note("asks, in shape %d", shape)
	request, _ := s.opencode.Ask(dir, session, [][]opencode.Question{
		{database()}, {languages()}, {longQuestion(6000)}, {longQuestion(60000)}, {database(), longQuestion(6000), languages()},
	}[shape]...)
	s.requests = append(s.requests, request)
}

func (s *storm) answer() {
	if len(s.requests) > 0 {
		request := pick(s.random, s.requests...)
		s.note("%s is dismissed there", request)
		s.opencode.RejectAtTUI(request)
	}
}

// tap presses any button that is on screen, of a copy as well.
func (s *storm) tap() {
	user, chat := int64(ada), int64(ada)
	if s.random.IntN(2) == 0 {
		user, chat = bob, team
	}
	list := slices.DeleteFunc(s.telegram.Messages(chat), func(m telegram.Message) bool { return len(m.Rows) == 0 })
	if len(list) == 0 {
		return
	}
	m := pick(s.random, list...)
	label := pick(s.random, pick(s.random, m.Rows...)...).Label
	s.note("taps %q on %d in %d", label, m.ID, chat)
	_, _ = s.telegram.Tap(user, chat, m.ID, label) // it may have gone
}

// judge holds what a chat shows at the end against the promise.
func (s *storm) judge(chat int64) {
	list := slices.DeleteFunc(s.telegram.Messages(chat), func(m telegram.Message) bool { return !m.FromBot || m.Deleted })
	wrong := func(m telegram.Message, what string) {
		s.t.Errorf("message %d in %d %s:\n%s", m.ID, chat, what, s.telegram.History(chat))
	}
	ended := func(m telegram.Message) bool {
		return !slices.ContainsFunc([]string{"❓", "📋", "🔐", "⏰", "↪", "👋", "💤", "❗", "📎"}, func(sign string) bool { return strings.HasPrefix(m.Text, sign) })
	}
	for _, m := range list {
		first := m.Text
		if len(m.Past) > 0 {
			first = m.Past[0]
		}
		switch {
		case slices.ContainsFunc(m.Rows, func(row []telegram.Button) bool { return strings.HasPrefix(row[0].Data, "1") }):
			wrong(m, "has buttons")
		case strings.HasPrefix(m.Text, "❓"), strings.HasPrefix(m.Text, "📋"), strings.HasPrefix(m.Text, "🔐"):
			wrong(m, "asks")
		case strings.HasPrefix(m.Text, "↪") && !slices.ContainsFunc(list, ended):
			wrong(m, "says that there is another one")
		case m.Text != first && slices.ContainsFunc([]string{"👋", "💤", "❗"}, func(sign string) bool { return strings.HasPrefix(first, sign) }):
			wrong(m, "was no copy")
		}
	}
}
