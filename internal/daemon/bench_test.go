package daemon_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
)

// bench is the assembled daemon on a real disk and a real clock, between the
// stand-ins. Stages of a question are told by the calls that arrive at them.
type bench struct {
	*testing.B
	telegram *telegram.Server
	opencode *opencode.Simulator
	sent     chan time.Time // sendMessage arrived
	replied  chan time.Time // POST …/reply arrived
	polled   chan time.Time
}

func newBench(b *testing.B, fill func(*pending.Store)) *bench {
	return newBenchOn(b, daemon.Outside{}, fill)
}

// newBenchOn is newBench with a store of another kind.
func newBenchOn(b *testing.B, out daemon.Outside, fill func(*pending.Store)) *bench {
	x := &bench{
		B: b, sent: make(chan time.Time, 4096), replied: make(chan time.Time, 4096), polled: make(chan time.Time, 4096),
		telegram: telegram.New(telegram.Options{Token: rig.TestToken}),
		opencode: opencode.New(opencode.Options{Directory: "/home/ada/src/shop-api"}),
	}
	x.telegram.AddUser(telegram.User{ID: rig.Ada, FirstName: "Ada", LanguageCode: "en"})
	x.telegram.SetFault(func(c telegram.Call) telegram.Fault {
		switch c.Method {
		case "sendMessage":
			x.sent <- time.Now()
		case "getUpdates":
			x.tell(x.polled)
		}
		return telegram.Fault{}
	})
	x.opencode.SetFault(func(r *http.Request) opencode.Fault {
		if strings.HasSuffix(r.URL.Path, "/reply") {
			x.replied <- time.Now()
		}
		return opencode.NoFault
	})
	x.start(out, fill)
	return x
}

func (x *bench) tell(c chan time.Time) {
	select {
	case c <- time.Now():
	default:
	}
}

func (x *bench) start(out daemon.Outside, fill func(*pending.Store)) {
	c := config.Config{
		TelegramToken: rig.TestToken, TelegramAPIURL: "https://api.telegram.test",
		TelegramUsers: []chat.UserID{rig.Ada}, TelegramChats: []config.Chat{{ID: rig.Ada}},
		DB: filepath.Join(x.TempDir(), "hermes.db"), OpenCodeURLs: []string{rig.Server}, OnExpiry: question.ExpireReject,
		ResolveAttempts: 20, ResolveInterval: 300 * time.Millisecond, Lang: "en",
	}
	if fill != nil {
		store, err := pending.Open(c.DB, pending.Options{})
		if err != nil {
			x.Fatal(err)
		}
		fill(store)
		if err := store.Close(); err != nil {
			x.Fatal(err)
		}
	}
	began := time.Now()
	out.Telegram, out.Opencode, out.Listener = x.telegram.Transport(), x.opencode.Transport(), rig.NewPipeListener()
	d, err := daemon.New(c, rig.HookKey, slog.New(slog.DiscardHandler), out)
	if err != nil {
		x.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx, func() {}, func() {}) }()
	x.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			x.Error(err)
		}
		x.telegram.Close()
	})
	x.ReportMetric((<-x.polled).Sub(began).Seconds()*1000, "ms-to-first-poll")
	if _, err := x.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		x.Fatal(err)
	}
	<-x.sent // the greeting
}

// question asks, answers by tap, and returns how long each half took.
func (x *bench) question(session string) (shown, delivered time.Duration) {
	began := time.Now()
	_, call := x.opencode.Ask(x.opencode.Directory(), session, rig.DatabaseQuestion())
	shown = (<-x.sent).Sub(began)
	message, err := x.telegram.AwaitText(context.Background(), rig.Ada, "❓ Database")
	if err != nil {
		x.Fatal(err)
	}
	began = time.Now()
	if _, err := x.telegram.Tap(rig.Ada, rig.Ada, message.ID, "1."); err != nil {
		x.Fatal(err)
	}
	delivered = (<-x.replied).Sub(began)
	if err := x.telegram.Await(context.Background(), func() bool { return x.ended(message.ID) }); err != nil {
		x.Fatal(err)
	}
	if _, ok := x.opencode.Received(call); !ok {
		x.Fatal("the agent got no answer")
	}
	return shown, delivered
}

func (x *bench) ended(message int) bool {
	for _, m := range x.telegram.Messages(rig.Ada) {
		if m.ID == message {
			return strings.HasPrefix(m.Text, "✅")
		}
	}
	return false
}

// pace is how long a chat needs until it takes one more message at once.
const pace = 1100 * time.Millisecond

// measure asks one question after the other.
func (x *bench) measure() {
	session := x.opencode.NewSession(x.opencode.Directory(), "fix checkout flow")
	var shown, delivered time.Duration
	x.ResetTimer()
	for range x.N {
		s, d := x.question(session)
		shown, delivered = shown+s, delivered+d
		x.StopTimer()
		time.Sleep(pace) // hermes sends a chat one message a second
		x.StartTimer()
	}
	x.ReportMetric(shown.Seconds()*1000/float64(x.N), "ms-asked-to-send")
	x.ReportMetric(delivered.Seconds()*1000/float64(x.N), "ms-tap-to-post")
}

// BenchmarkQuestion is one question after the other: asked, shown, tapped,
// delivered, confirmed on screen.
func BenchmarkQuestion(b *testing.B) {
	for _, n := range []int{0, 1000} {
		b.Run(fmt.Sprintf("open=%d", n), func(b *testing.B) {
			x := newBench(b, func(s *pending.Store) { rig.FillStore(b, s, n, 10*n) })
			x.measure()
		})
	}
}
