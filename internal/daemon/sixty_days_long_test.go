//go:build !race

// Not under the race detector, which makes its two hundred thousand polls ten times as slow.

package daemon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/testlevel"
)

const oneDay = 24 * time.Hour

// month is a hermes that lives through many days, and what came of all that was asked.
type month struct {
	*rig.Rig
	day     int
	right   map[string][]string // what each call must have got
	expired map[string]string   // requests whose time was over, by call
	terms   map[string]bool     // calls that were answered in OpenCode
}

// TestSixtyDays lets hermes live through sixty days of work: questions that are tapped, typed, answered in OpenCode and
// left until their time is over, prompts, strangers, restarts, outages on either side, and a week in which nobody says
// anything, after which the ids of updates begin anew. Every answer arrives, once, and what hermes remembers does not grow.
func TestSixtyDays(t *testing.T) {
	testlevel.FullOnly(t)
	rig.Play(t, func(c *config.Config) { c.JournalKeep = 10 * oneDay }, func(r *rig.Rig) {
		m := &month{Rig: r, right: map[string][]string{}, expired: map[string]string{}, terms: map[string]bool{}}
		var early holding
		for m.day = range 60 {
			until := time.Now().Add(oneDay)
			switch {
			case m.day >= 20 && m.day < 28: // a week, and what is left of the day before
			case m.day == 28:
				r.JumpUpdateID(3_000_001)
				m.live()
			default:
				m.live()
			}
			r.Wait(time.Until(until))
			if n := r.Telegram.Pending(); n != 0 {
				t.Errorf("day %d: %d updates wait", m.day, n)
			}
			if m.day == 44 {
				early = look(m.Rig)
			}
		}
		m.judge()
		m.bounded(early, look(m.Rig))
	})
}

// live is a day on which people and agents work.
func (m *month) live() {
	m.trouble()
	m.tapped()
	m.typed()
	m.inOpenCode()
	m.leftAlone()
	m.prompted()
	m.stranger()
}

// trouble is what happens on some days. In the last weeks nothing is restarted, so that what grows can be seen.
func (m *month) trouble() {
	switch {
	case m.day < 40 && m.day%6 == 2:
		m.Halt()
		m.Wait(time.Duration(m.day) * time.Minute)
		m.Start()
	case m.day%6 == 4:
		m.Telegram.SetFault(func(telegram.Call) telegram.Fault { return telegram.Fault{Kind: telegram.Unreachable} })
		m.Wait(time.Hour)
		m.Telegram.SetFault(nil)
		m.Wait(2 * time.Minute)
	case m.day%6 == 5:
		m.Opencode.Stop()
		m.Wait(time.Hour)
		m.Opencode.Start()
		m.Wait(2 * time.Minute)
	}
}

func (m *month) tapped() {
	_, call := m.Ask(rig.DatabaseQuestion())
	m.Tap("2.")
	m.Wait(2 * time.Second)
	m.right[call] = []string{"PostgreSQL (Recommended)"}
}

func (m *month) typed() {
	_, call := m.Ask(rig.ProjectNameQuestion())
	answer := fmt.Sprint("The Bridge of day ", m.day)
	m.Say(answer, 0)
	m.Wait(2 * time.Second)
	m.right[call] = []string{answer}
}

func (m *month) inOpenCode() {
	request, call := m.Ask(rig.DatabaseQuestion())
	if !m.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}}) {
		m.T.Errorf("day %d: it cannot be answered in OpenCode", m.day)
	}
	m.Wait(2 * time.Second)
	m.right[call], m.terms[call] = []string{"SQLite"}, true
}

func (m *month) leftAlone() {
	request, call := m.Ask(rig.DatabaseQuestion())
	asked := m.Last().ID
	m.Wait(31 * time.Minute)
	m.expired[call] = request
	for _, shown := range m.Telegram.Messages(rig.Ada) {
		if shown.ID == asked && !strings.HasPrefix(shown.Text, "⌛") {
			m.T.Errorf("day %d: a question that nobody answered says %q", m.day, shown.Text)
		}
	}
}

func (m *month) prompted() {
	dir := m.Opencode.Directory()
	session := m.Opencode.NewSession(dir, fmt.Sprint("day ", m.day))
	m.Say("/use "+session, 0)
	m.Wait(2 * time.Second)
	before := len(m.Opencode.Prompts())
	m.Say(fmt.Sprint("Go on with day ", m.day), 0)
	m.Wait(20 * time.Second)
	if got := m.Opencode.Prompts()[before:]; len(got) != 1 {
		m.T.Errorf("day %d: the session got %d prompts", m.day, len(got))
	}
	m.Say("/use off", 0)
	m.Wait(time.Minute)
}

func (m *month) stranger() {
	id := int64(5000 + m.day)
	m.Telegram.AddUser(telegram.User{ID: id, FirstName: "Somebody"})
	if _, err := m.Telegram.Say(id, id, "/start"); err != nil {
		m.T.Fatal(err)
	}
	m.Wait(time.Minute)
}

// judge looks at all that was asked.
func (m *month) judge() {
	m.T.Helper()
	for call, want := range m.right {
		m.WantAnswers(call, want)
	}
	for call, request := range m.expired {
		m.WantNoAnswer(call)
		if n := m.Opencode.Replies(request); n > 1 {
			m.T.Errorf("%s was ended %d times", request, n)
		}
	}
	if n := m.Telegram.Pending(); n != 0 || len(m.Opencode.Pending(m.Opencode.Directory())) != 0 {
		m.T.Errorf("%d updates and %d questions wait", n, len(m.Opencode.Pending(m.Opencode.Directory())))
	}
	for _, shown := range m.Telegram.Messages(rig.Ada) {
		if len(shown.Rows) > 0 && !shown.Deleted && strings.HasPrefix(shown.Text, "❓") {
			m.T.Errorf("a message still asks:\n%s", shown.Text)
		}
	}
	if err := m.Daemon.Store.Verify(); err != nil {
		m.T.Error(err)
	}
	m.WantReady()
}

// ends are the most that may be of what ends only after many days, or at a number. Bounded maps (internal/recent) have a most of
// their own, to which the census holds them.
var ends = map[string]int{
	"chats": 1100, "daemon.Bridge.chats.known": 1100, // strangers
	"daemon.Bot.sender.ids.chats[].last": 9000, // eight of each stranger
	"daemon.Bot.out.chats":               1000, "daemon.Bot.out.chats[].wake": 1000,
	"said": 31 * 4, "told": 31, // thirty days of it
}

// bounded fails the test if anything has grown from one look to the next, fifteen days of work later.
func (m *month) bounded(early, late holding) {
	m.T.Helper()
	for function, n := range late.goroutines {
		if n > early.goroutines[function]+3 {
			m.T.Errorf("%d goroutines of %s became %d", early.goroutines[function], function, n)
		}
	}
	for where, n := range late.entries {
		if n > early.entries[where]+8 && n > early.entries[where]*5/4 && (ends[where] == 0 || n > ends[where]) {
			m.T.Errorf("%s grew from %d to %d", where, early.entries[where], n)
		}
	}
	for bucket, n := range late.records {
		if n > early.records[bucket]+20 && n > early.records[bucket]*5/4 && (ends[bucket] == 0 || n > ends[bucket]) {
			m.T.Errorf("bucket %s grew from %d records to %d", bucket, early.records[bucket], n)
		}
	}
	if late.file > early.file*3/2 {
		m.T.Errorf("the file grew from %d to %d bytes", early.file, late.file)
	}
	if len(late.entries) < 50 || late.records["said"] == 0 || late.records["settled"] == 0 {
		m.T.Errorf("looked at %d lists and maps, and at %v", len(late.entries), late.records)
	}
}
