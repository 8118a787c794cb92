package daemon_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// What waits is told with its age, until it has arrived.
func TestMetrics_TellWhatWaits(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		wantSamples(r, "nothing is asked", map[string]float64{
			"hermes_alive": 1, "hermes_questions_open": 0, `hermes_asks{state="unseen"}`: 0, `hermes_asks{state="deciding"}`: 0, "hermes_ask_unseen_oldest_seconds": 0,
			"hermes_answer_undelivered_oldest_seconds": 0, `hermes_ask_shown_seconds_count{way="direct"}`: 0, `hermes_answer_delivered_seconds_count{way="relay"}`: 0,
			`hermes_telegram_queue{kind="cards"}`: 0, `hermes_telegram_queue{kind="notes"}`: 0, `hermes_telegram_queue{kind="live"}`: 0, "hermes_telegram_queue_longest": 0,
		})
		r.Telegram.SetFault(func(c telegram.Call) telegram.Fault {
			if c.Method == "sendMessage" {
				return telegram.Fault{Kind: telegram.Unreachable}
			}
			return telegram.Fault{}
		})
		_, call := r.Opencode.Ask(r.Opencode.Directory(), r.Opencode.NewSession(r.Opencode.Directory(), "unseen"), rig.DatabaseQuestion())
		r.Wait(100 * time.Second)
		wantSamples(r, "unseen", map[string]float64{`hermes_asks{state="unseen"}`: 1, `hermes_ask_shown_seconds_count{way="direct"}`: 0})
		if age := r.Samples()["hermes_ask_unseen_oldest_seconds"]; age < 95 || age > 100 {
			t.Errorf("the unseen ask is %v s old", age)
		}
		r.Telegram.SetFault(nil)
		r.Wait(2 * time.Minute)
		wantSamples(r, "seen", map[string]float64{
			`hermes_asks{state="shown"}`: 1, "hermes_ask_unseen_oldest_seconds": 0, `hermes_ask_shown_seconds_count{way="direct"}`: 1, `hermes_ask_shown_seconds_bucket{way="direct",le="60"}`: 0,
		})
		r.Opencode.SetFault(func(*http.Request) opencode.Fault { return opencode.FailBeforeEffect })
		r.Tap("2.")
		r.Wait(100 * time.Second)
		wantSamples(r, "owed", map[string]float64{`hermes_asks{state="deciding"}`: 1, `hermes_answer_delivered_seconds_count{way="direct"}`: 0})
		if age := r.Samples()["hermes_answer_undelivered_oldest_seconds"]; age < 100 || age > 105 {
			t.Errorf("the answer is %v s old", age)
		}
		r.Opencode.SetFault(nil)
		r.Wait(2 * time.Minute)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		wantSamples(r, "delivered", map[string]float64{
			"hermes_answer_undelivered_oldest_seconds": 0, `hermes_answer_delivered_seconds_count{way="direct"}`: 1, `hermes_answer_delivered_seconds_bucket{way="direct",le="30"}`: 0,
		})
	})
}

func TestMetrics_TellTheStateOfLinks(t *testing.T) {
	rig.Play(t, func(c *config.Config) { c.OpenCodeURLs = nil }, func(r *rig.Rig) {
		if _, err := r.Links().Add(r.T.Context(), "spare", 0); err != nil {
			t.Fatal(err)
		}
		p, q := r.ConnectPluginTo("a", r.Opencode, r.Opencode.Directory()), r.ConnectPluginTo("b", r.Opencode, r.Opencode.Directory())
		defer q.Disconnect()
		r.Wait(10 * time.Second)
		p.Disconnect()
		r.Wait(2 * time.Minute)
		wantSamples(r, "three links", map[string]float64{`hermes_links_made{state="open"}`: 1, `hermes_links_made{state="closed"}`: 1, `hermes_links_made{state="unused"}`: 1, "hermes_links_refused": 0})
		if text := r.Metrics(); strings.Contains(text, "spare") {
			t.Error("a link's name is told")
		}
		r.Request("POST", "/v1/link", `{"protocol":99,"instance":"i","process":"p","directory":"/d","host":"h","version":"1.18.33","complete":true}`)
		wantSamples(r, "a plugin of another protocol", map[string]float64{"hermes_links_refused": 1})
	})
}

// While the disk hangs in a write, /metrics still answers, and says that hermes takes nothing in.
func TestMetrics_AnswerWhileTheDiskHangs(t *testing.T) {
	var freed atomic.Pointer[chan struct{}]
	wrap := func(n daemon.Outside) daemon.Outside {
		n.Store.Write = func(write func() error) error {
			if c := freed.Load(); c != nil {
				<-*c
			}
			return write()
		}
		return n
	}
	rig.PlayWrapped(t, wrap, nil, func(r *rig.Rig) {
		c := make(chan struct{})
		freed.Store(&c)
		r.Opencode.Ask(r.Opencode.Directory(), r.Opencode.NewSession(r.Opencode.Directory(), "hangs"), rig.DatabaseQuestion())
		r.Wait(3 * time.Minute)
		wantSamples(r, "the disk hangs", map[string]float64{"hermes_alive": 0})
		if _, told := r.Samples()["hermes_questions_open"]; told {
			t.Error("asks are counted that nobody can count")
		}
		freed.Store(nil)
		close(c)
		r.Wait(time.Minute)
		wantSamples(r, "it goes on", map[string]float64{"hermes_alive": 1, "hermes_questions_open": 1})
	})
}

// wantSamples fails the test unless these series have these values.
func wantSamples(r *rig.Rig, when string, want map[string]float64) {
	r.T.Helper()
	got := r.Samples()
	for series, value := range want {
		if found, ok := got[series]; !ok || found != value {
			r.T.Errorf("%s: %s is %v (%v), not %v", when, series, found, ok, value)
		}
	}
}
