//go:build !race

// Not under the race detector, which makes its fifteen thousand asks ten times as slow.

package daemon_test

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/testlevel"
)

const oneDay = 24 * time.Hour

// workDay is how long a day's work lasts; the rest is night.
const workDay = 16 * time.Hour

// TestThirtyDays lets hermes carry five hundred asks a working day, with a trouble each day: a restart, a kill, Telegram or OpenCode away for an hour, a
// disk that is full for one, a flood of strangers, an hour in which Telegram takes a call in ten. Each answer arrives, once. At the end
// hermes holds what it held after the first day: as much memory, as many goroutines and open files, and in its database what is
// kept for some days, as many times as there are such days. What has grown is named.
func TestThirtyDays(t *testing.T) {
	sampleHeap(t, 128<<10)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the stand-ins keep everything
	synctest.Test(t, func(t *testing.T) {
		w := &working{asks: testlevel.Choose(100, 500), dice: rand.New(rand.NewPCG(30, 500)), strangers: 10_000}
		w.Rig = rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
			c.JournalKeep, c.LogLevel = 7*oneDay, 8 // errors alone
		})
		w.Wrap = w.disk
		w.Start()
		defer w.End()
		w.Say("/start", 0)
		var first holding
		days := testlevel.Choose(3, 30)
		for w.day = range days {
			until := time.Now().Add(oneDay)
			w.live()
			w.Wait(time.Until(until))
			w.judge()
			now := look(w.Rig)
			t.Logf("after day %d: %v", w.day+1, now)
			if w.day == 0 {
				first = now
			}
		}
		if err := w.Daemon.Store.Verify(); err != nil {
			t.Error(err)
		}
		last := look(w.Rig)
		t.Log("of what hermes holds, this has grown most:\n" + last.grownSince(first))
		wantNoGrowth(t, first, last, days)
	})
}

// working is a hermes that many ask, and what each ask must come to.
type working struct {
	*rig.Rig
	dice      *rand.Rand
	asks, day int
	full      atomic.Bool // the disk
	asked     int         // so far
	today     []*ask
	first     int       // message of the day
	sessions  []string  // the agent works in the last one
	leftAlone time.Time // when an ask was last left without an answer
	newest    int       // message of the bot
	strangers int64
}

// ask is one question or request, and what it must come to.
type ask struct {
	request, call, text string
	answer              []string // what the agent must get; nil: nothing
	permission          bool     // which must be granted
	since               int      // the newest message when it was asked
}

func (w *working) disk(out daemon.Outside) daemon.Outside {
	out.Store.Write = func(write func() error) error {
		if w.full.Load() {
			return syscall.ENOSPC
		}
		return write()
	}
	return out
}

// live is a day's work, with the trouble of the day in the middle. On two days of a week there is a tenth of it.
func (w *working) live() {
	w.today, w.first = nil, w.last()
	if w.day == 0 { // so that there is then what strangers leave
		w.strangersFlood()
	}
	asks := w.asks
	if w.day%7 >= 5 {
		asks /= 10
	}
	for n := range asks {
		if n == asks/2 {
			w.trouble()
		}
		if n%10 == 0 {
			w.newSession()
		}
		w.one()
		w.Wait(workDay/time.Duration(asks) - 5*time.Second)
	}
}

// newSession goes on in another session, and deletes an old one, in which nothing is open any more.
func (w *working) newSession() {
	w.sessions = append(w.sessions, w.Opencode.NewSession(w.Opencode.Directory(), fmt.Sprint("work of ", w.asked)))
	if len(w.sessions) > 40 {
		w.Opencode.Delete(w.sessions[0])
		w.sessions = w.sessions[1:]
	}
}

func (w *working) session() string { return w.sessions[len(w.sessions)-1] }

// one is an ask, and what becomes of it.
func (w *working) one() {
	switch n := w.dice.IntN(100); {
	case n < 60:
		w.tap(w.question())
	case n < 70:
		a := w.question()
		a.answer = []string{fmt.Sprint("In words, ", w.asked)}
		w.replyTo(a)
	case n < 85:
		w.tap(w.permission())
	case n < 93:
		a := w.question()
		a.answer = []string{"SQLite"}
		if !w.Opencode.AnswerAtTUI(a.request, [][]string{a.answer}) {
			w.T.Errorf("%s cannot be answered in OpenCode", a.text)
		}
	case n < 95:
		w.question().answer, w.leftAlone = nil, time.Now() // nobody answers
	case time.Since(w.leftAlone) > w.Config.QuestionTTL: // a text would be its answer
		w.prompt()
	}
	w.Wait(3 * time.Second)
}

func (w *working) question() *ask {
	w.asked++
	a := &ask{text: fmt.Sprintf("Which database does task %d need?", w.asked), answer: []string{"PostgreSQL (Recommended)"}, since: w.last()}
	q := rig.DatabaseQuestion()
	q.Question = a.text
	a.request, a.call = w.Opencode.Ask(w.Opencode.Directory(), w.session(), q)
	w.today = append(w.today, a)
	w.Wait(2 * time.Second)
	return a
}

func (w *working) permission() *ask {
	w.asked++
	a := &ask{text: fmt.Sprintf("make task-%d", w.asked), permission: true, since: w.last()}
	a.request, a.call = w.Opencode.AskPermission(w.Opencode.Directory(), w.session(), rig.BashPermission(a.text))
	w.today = append(w.today, a)
	w.Wait(2 * time.Second)
	return a
}

// card is the newest message that shows the ask with buttons.
func (w *working) card(a *ask) (telegram.Message, bool) {
	shown := w.Telegram.MessagesSince(rig.Ada, a.since)
	for i := len(shown) - 1; i >= 0; i-- {
		if m := shown[i]; len(m.Rows) > 0 && !m.Deleted && strings.Contains(m.Text, a.text) {
			return m, true
		}
	}
	return telegram.Message{}, false
}

func (w *working) tap(a *ask) {
	label := "2."
	if a.permission {
		label = "✅ Allow once"
	}
	if card, ok := w.card(a); !ok {
		w.T.Errorf("day %d: %s is not asked on the phone", w.day, a.text)
	} else if _, err := w.Telegram.Tap(rig.Ada, rig.Ada, card.ID, label); err != nil {
		w.T.Errorf("day %d: %v", w.day, err)
	}
}

func (w *working) replyTo(a *ask) {
	if card, ok := w.card(a); !ok {
		w.T.Errorf("day %d: %s is not asked on the phone", w.day, a.text)
	} else if _, err := w.Telegram.Say(rig.Ada, rig.Ada, a.answer[0], telegram.ReplyTo(card.ID)); err != nil {
		w.T.Errorf("day %d: %v", w.day, err)
	}
}

func (w *working) prompt() {
	w.Say("/use "+w.session(), 0)
	before := len(w.Opencode.Prompts())
	w.Say(fmt.Sprint("Go on after task ", w.asked), 0)
	w.Wait(20 * time.Second)
	if got := len(w.Opencode.Prompts()) - before; got != 1 {
		w.T.Errorf("day %d: the session got %d prompts", w.day, got)
	}
	w.Say("/use off", 0)
}

// last is the id of the newest message in the chat.
func (w *working) last() int {
	for _, m := range w.Telegram.MessagesSince(rig.Ada, w.newest) {
		w.newest = m.ID
	}
	return w.newest
}

// judge looks at all that was asked today.
func (w *working) judge() {
	w.T.Helper()
	for _, a := range w.today {
		got, received := w.Opencode.Received(a.call)
		switch {
		case a.permission && !w.Opencode.Ran(a.call):
			w.T.Errorf("day %d: %s was not granted", w.day, a.text)
		case !a.permission && (received != (a.answer != nil) || received && fmt.Sprint(got) != fmt.Sprint([][]string{a.answer})):
			w.T.Errorf("day %d: %s got %q, want %q", w.day, a.text, got, a.answer)
		}
		if n := w.Opencode.Replies(a.request); n > 1 {
			w.T.Errorf("day %d: %s was ended %d times", w.day, a.text, n)
		}
	}
	for _, m := range w.Telegram.MessagesSince(rig.Ada, w.first) {
		if len(m.Rows) > 0 && !m.Deleted && !slices.Equal(m.Labels(), []string{rig.LateButton}) {
			w.T.Errorf("day %d: a message is left with %q:\n%s", w.day, m.Labels(), m.Text)
		}
	}
	if n := w.Telegram.Pending(); n != 0 || len(w.Opencode.Pending(w.Opencode.Directory())) != 0 {
		w.T.Errorf("day %d: %d updates and %d requests wait", w.day, n, len(w.Opencode.Pending(w.Opencode.Directory())))
	}
	for _, v := range w.Telegram.Violations() {
		w.T.Logf("day %d: %s", w.day, v)
	}
	w.WantReady()
}
