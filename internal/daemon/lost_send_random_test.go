package daemon_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/testlevel"
)

// storm is a hermes that asks in two chats, while answers of Telegram are lost, edits fail
// and it is killed, all at random.
type storm struct {
	*rig.Rig
	random   *rand.Rand
	killer   *rig.Killer
	sends    int // of 8 sendings, so many fail
	edits    int // the same of edits
	copies   int // how many messages may be in a chat that hermes does not know of
	requests []string
	log      []string

	mu sync.Mutex // of sends, edits and the dice of faults
}

// TestCopies_NoCopyIsLeftLying lets asks of every shape meet lost answers, refused edits and kills
// in any order. Then everything works again, and the copies are tapped: no message keeps buttons of an ask that has
// ended, and every message that asks says how that ended.
func TestCopies_NoCopyIsLeftLying(t *testing.T) {
	for seed := range testlevel.Choose(5, 60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { newStorm(t, uint64(seed)).play() })
		})
	}
}

func newStorm(t *testing.T, seed uint64) *storm {
	r := rig.NewStopped(t, opencode.VersionNew, in(config.Chat{ID: rig.Ada}, config.Chat{ID: rig.Team}))
	r.AddTeam(false)
	s := &storm{Rig: r, random: rand.New(rand.NewPCG(seed, 1))}
	if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	faults := rand.New(rand.NewPCG(seed, 2))
	r.Telegram.SetFault(func(c telegram.Call) telegram.Fault {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case strings.HasPrefix(c.Method, "send") && faults.IntN(8) < s.sends:
			f := pick(faults, telegram.Fault{Kind: telegram.ResetAfter}, telegram.Fault{Kind: telegram.BadGatewayAfter}, telegram.Fault{Kind: telegram.ResetBefore},
				telegram.Fault{Kind: telegram.Unreachable}, telegram.Fault{Kind: telegram.Refuse, RetryAfter: 2}, telegram.Fault{Kind: telegram.Refuse})
			if f.Kind == telegram.ResetAfter || f.Kind == telegram.BadGatewayAfter {
				s.copies++
			}
			return f
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
	s.killer = &rig.Killer{At: -1}
	s.Wrap = s.killer.Around
	s.Start()
}

func (s *storm) note(format string, args ...any) {
	s.log = append(s.log, time.Now().Format("04:05.000 ")+fmt.Sprintf(format, args...))
}

func (s *storm) die() {
	s.note("hermes is killed")
	s.killer.Kill()
	s.mu.Lock()
	s.copies++
	s.mu.Unlock()
	s.Stop()
	<-s.Ended
	s.Wait(time.Duration(s.random.IntN(2000)) * time.Millisecond)
	s.begin()
}

func (s *storm) play() {
	s.begin()
	s.Wait(time.Minute) // the store knows of the greeting
	for range 4 + s.random.IntN(10) {
		pick(s.random, s.ask, s.ask, s.ask, s.tap, s.tap, s.answer, s.die, s.weather, s.weather)()
		if s.random.IntN(2) == 0 {
			s.Wait(time.Duration(s.random.IntN(2500)) * time.Millisecond)
		}
	}
	if s.random.IntN(2) == 0 { // the reminders come in a storm, too
		s.Wait(14*time.Minute + time.Duration(s.random.IntN(120))*time.Second)
		s.die()
	}
	s.mu.Lock()
	s.sends, s.edits = 0, 0
	s.mu.Unlock()
	s.note("everything works again")
	s.die()
	s.Wait(40 * time.Minute)
	s.judge(rig.Ada, rig.Ada)
	s.judge(rig.Bob, rig.Team)
	if s.T.Failed() {
		for _, line := range s.log {
			s.T.Log(line)
		}
	}
	s.Halt()
	s.Close()
}

// weather changes how much of what hermes does fails.
func (s *storm) weather() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sends, s.edits = s.random.IntN(7), s.random.IntN(7)
	s.note("%d/8 of sendings and %d/8 of edits fail", s.sends, s.edits)
}

func (s *storm) ask() {
	dir := s.Opencode.Directory()
	session := s.Opencode.NewSession(dir, "fix checkout flow")
	if s.random.IntN(4) == 0 {
		s.note("asks for leave")
		s.Opencode.AskBash(dir, session, "rm -rf build")
		return
	}
	shape := s.random.IntN(5)
	s.note("asks, in shape %d", shape)
	request, _ := s.Opencode.Ask(dir, session, [][]opencode.Question{
		{rig.DatabaseQuestion()}, {rig.LanguagesQuestion()}, {longQuestion(6000)}, {longQuestion(60000)}, {rig.DatabaseQuestion(), longQuestion(6000), rig.LanguagesQuestion()},
	}[shape]...)
	s.requests = append(s.requests, request)
}

func (s *storm) answer() {
	if len(s.requests) > 0 {
		request := pick(s.random, s.requests...)
		s.note("%s is dismissed there", request)
		s.Opencode.RejectAtTUI(request)
	}
}

// tap presses any button that is on screen, of a copy as well.
func (s *storm) tap() {
	user, chat := int64(rig.Ada), int64(rig.Ada)
	if s.random.IntN(2) == 0 {
		user, chat = rig.Bob, rig.Team
	}
	list := slices.DeleteFunc(s.Telegram.Messages(chat), func(m telegram.Message) bool { return len(m.Rows) == 0 })
	if len(list) == 0 {
		return
	}
	m := pick(s.random, list...)
	label := pick(s.random, pick(s.random, m.Rows...)...).Label
	s.note("taps %q on %d in %d", label, m.ID, chat)
	_, _ = s.Telegram.Tap(user, chat, m.ID, label) // it may have gone
}

// judge holds what a chat shows at the end against the promise. A person of it taps the copies.
func (s *storm) judge(user, chat int64) {
	left := map[int]bool{}
	for _, m := range s.TapCopies(user, chat, s.copies) { // parts without buttons
		left[m.ID] = true
	}
	list := slices.DeleteFunc(s.Telegram.Messages(chat), func(m telegram.Message) bool { return !m.FromBot || m.Deleted })
	wrong := func(m telegram.Message, what string) {
		s.T.Errorf("message %d in %d %s:\n%s", m.ID, chat, what, s.Telegram.History(chat))
	}
	for _, m := range list {
		first := m.Text
		if len(m.Past) > 0 {
			first = m.Past[0]
		}
		switch {
		case slices.ContainsFunc(m.Rows, func(row []telegram.Button) bool { return strings.HasPrefix(row[0].Data, "1") }):
			wrong(m, "has buttons")
		case left[m.ID]:
		case strings.HasPrefix(m.Text, "❓"), strings.HasPrefix(m.Text, "📋"), strings.HasPrefix(m.Text, "🔐"):
			wrong(m, "asks")
		case m.Text != first && slices.ContainsFunc([]string{"👋", "💤", "❗"}, func(sign string) bool { return strings.HasPrefix(first, sign) }):
			wrong(m, "was no copy")
		}
	}
}
