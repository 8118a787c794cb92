//go:build e2e

package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/telegramsim"
)

// BenchmarkQuestion measures, with the real hermes and the newest real OpenCode, the two
// paths that people wait for: from question.asked to the arrival of the sendMessage, and
// from a tap to question.replied. Beside it stands the floor, which is OpenCode's own
// share: a plain POST of the reply to the same process by a client that looks at nothing.
// The two take turns, so that both meet the same machine. The figures are medians.
func BenchmarkQuestion(b *testing.B) {
	for _, w := range []way{direct, linkedServe} {
		b.Run(strings.ReplaceAll(string(w), " ", "-"), func(b *testing.B) { newRace(b, w).run() })
	}
}

// race is a desk with somebody who notes when things happen.
type race struct {
	*testing.B
	desk  *desk
	sent  chan time.Time // a sendMessage arrived
	asked chan heardAsk  // OpenCode said so
	ended chan time.Time // OpenCode said question.replied
}

// heardAsk is a question.asked of OpenCode's event stream.
type heardAsk struct {
	at      time.Time
	id      string
	session string
}

func newRace(b *testing.B, w way) *race {
	d := newDesk(b, entry{newest, w}, "shop-api")
	r := &race{B: b, desk: d, sent: make(chan time.Time, 64), asked: make(chan heardAsk, 64), ended: make(chan time.Time, 64)}
	d.hermes.start(b, "HERMES_NOTIFY_DELAY=0")
	d.hermes.awaitReady(b)
	d.phone.await("the greeting", func() bool { return d.phone.telegram.Count("sendMessage") > 0 })
	d.phone.telegram.SetFault(func(c telegramsim.Call) telegramsim.Fault {
		if c.Method == "sendMessage" {
			r.sent <- time.Now()
		}
		return telegramsim.Fault{}
	})
	r.listen()
	return r
}

// listen hears OpenCode's event stream on a connection of its own.
func (r *race) listen() {
	res, err := r.desk.here.HTTP.Get(r.desk.here.URL + "/global/event")
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { res.Body.Close() })
	connected := make(chan bool, 1)
	go func() {
		lines := bufio.NewReader(res.Body)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			r.hear(strings.TrimPrefix(line, "data: "), connected)
		}
	}()
	<-connected
}

func (r *race) hear(frame string, connected chan<- bool) {
	now := time.Now()
	var e struct {
		Payload struct {
			Type       string
			Properties struct{ ID, SessionID string }
		}
	}
	if json.Unmarshal([]byte(frame), &e) != nil {
		return
	}
	switch p := e.Payload.Properties; e.Payload.Type {
	case "server.connected":
		connected <- true
	case "question.asked":
		r.asked <- heardAsk{now, p.ID, p.SessionID}
	case "question.replied":
		r.ended <- now
	}
}

// run lets a tap and a plain reply take turns. The first of each warms up.
func (r *race) run() {
	var shown, tapped, floor, calls []time.Duration
	for n := range 2 * (r.N + 1) {
		answer := r.tap
		if n%2 == 1 {
			answer = r.reply
		}
		show, took, made := r.question(n, answer)
		switch {
		case n < 2:
		case n%2 == 0:
			shown, tapped, calls = append(shown, show), append(tapped, took), append(calls, time.Duration(made))
		default:
			shown, floor = append(shown, show), append(floor, took)
		}
	}
	r.ReportMetric(0, "ns/op")
	r.ReportMetric(milliseconds(shown), "ms-asked-to-send")
	r.ReportMetric(milliseconds(tapped), "ms-tap-to-replied")
	r.ReportMetric(milliseconds(floor), "ms-floor")
	r.ReportMetric(milliseconds(tapped)/milliseconds(floor), "times-the-floor")
	r.ReportMetric(float64(median(calls)), "telegram-calls")
}

// rest is how long a person reads at least, and how long a chat needs until it takes a
// message and an edit at once.
const rest = 2 * time.Second

// question asks, answers, and returns how long each half took, and how many calls of the
// Bot API it was.
func (r *race) question(n int, answer func(card int, ask heardAsk)) (shown, took time.Duration, calls int) {
	d, q := r.desk, database(fmt.Sprintf("Which database does question %d need?", n))
	before := r.changes()
	d.here.ask(fmt.Sprintf("session %d", n), call(q))
	ask := <-r.asked
	shown = (<-r.sent).Sub(ask.at)
	card := d.phone.card(q)
	time.Sleep(rest)
	began := time.Now()
	answer(card, ask)
	took = (<-r.ended).Sub(began)
	d.phone.await("the end", func() bool { return strings.HasPrefix(d.phone.message(card).Text, "✅") })
	time.Sleep(rest)
	return shown, took, r.changes() - before
}

// changes counts the calls of the Bot API that are not polls.
func (r *race) changes() int {
	return len(slices.DeleteFunc(r.desk.phone.telegram.Calls(), func(c telegramsim.Call) bool {
		return c.Method != "sendMessage" && c.Method != "editMessageText" && c.Method != "answerCallbackQuery"
	}))
}

func (r *race) tap(card int, _ heardAsk) { r.desk.phone.tap(card, "1.") }

func (r *race) reply(_ int, ask heardAsk) {
	status, raw := r.desk.here.Call(http.MethodPost, "/question/"+ask.id+"/reply", map[string]any{"answers": [][]string{{"SQLite"}}})
	if status != http.StatusOK {
		r.Fatalf("a plain reply: %d %s", status, raw)
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

func milliseconds(list []time.Duration) float64 {
	return float64(median(list).Microseconds()) / 1000
}
