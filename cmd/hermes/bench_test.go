package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
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
	x := &bench{
		B: b, sent: make(chan time.Time, 4096), replied: make(chan time.Time, 4096), polled: make(chan time.Time, 4096),
		telegram: telegram.New(telegram.Options{Token: testToken}),
		opencode: opencode.New(opencode.Options{Directory: "/home/ada/src/shop-api"}),
	}
	x.telegram.AddUser(telegram.User{ID: ada, FirstName: "Ada", LanguageCode: "en"})
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
	x.start(fill)
	return x
}

func (x *bench) tell(c chan time.Time) {
	select {
	case c <- time.Now():
	default:
	}
}

func (x *bench) start(fill func(*pending.Store)) {
	c := config{
		TelegramToken: testToken, TelegramAPIURL: "https://api.telegram.test",
		TelegramUsers: []question.UserID{ada}, TelegramChats: []chat{{ID: ada}},
		DB: filepath.Join(x.TempDir(), "hermes.db"), OpenCodeURLs: []string{server}, OnExpiry: question.ExpireReject,
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
	d, err := newDaemon(c, hookKey, slog.New(slog.DiscardHandler), outside{
		telegram: x.telegram.Transport(), opencode: x.opencode.Transport(), listener: newPipeListener(),
	})
	if err != nil {
		x.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.run(ctx, func() {}, func() {}) }()
	x.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			x.Error(err)
		}
		x.telegram.Close()
	})
	x.ReportMetric((<-x.polled).Sub(began).Seconds()*1000, "ms-to-first-poll")
	if _, err := x.telegram.Say(ada, ada, "/start"); err != nil {
		x.Fatal(err)
	}
	<-x.sent // the greeting
}

// question asks, answers by tap, and returns how long each half took.
func (x *bench) question(session string) (shown, delivered time.Duration) {
	began := time.Now()
	_, call := x.opencode.Ask(x.opencode.Directory(), session, database())
	shown = (<-x.sent).Sub(began)
	message, err := x.telegram.AwaitText(context.Background(), ada, "❓ Database")
	if err != nil {
		x.Fatal(err)
	}
	began = time.Now()
	if _, err := x.telegram.Tap(ada, ada, message.ID, "1."); err != nil {
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
	for _, m := range x.telegram.Messages(ada) {
		if m.ID == message {
			return strings.HasPrefix(m.Text, "✅")
		}
	}
	return false
}

// pace is how long a chat needs until it takes a message and an edit at once.
const pace = 2100 * time.Millisecond

// BenchmarkQuestion is one question after the other: asked, shown, tapped,
// delivered, confirmed on screen.
func BenchmarkQuestion(b *testing.B) {
	for _, n := range []int{0, 1000} {
		b.Run(fmt.Sprintf("open=%d", n), func(b *testing.B) {
			x := newBench(b, func(s *pending.Store) { fillStore(b, s, n, 10*n) })
			session := x.opencode.NewSession(x.opencode.Directory(), "fix checkout flow")
			var shown, delivered time.Duration
			b.ResetTimer()
			for range b.N {
				s, d := x.question(session)
				shown, delivered = shown+s, delivered+d
				b.StopTimer()
				time.Sleep(pace) // hermes sends a chat one message a second
				b.StartTimer()
			}
			b.ReportMetric(shown.Seconds()*1000/float64(b.N), "ms-asked-to-send")
			b.ReportMetric(delivered.Seconds()*1000/float64(b.N), "ms-tap-to-post")
		})
	}
}

// fillStore makes open questions that were shown, of an OpenCode that is away, and
// settled ones.
func fillStore(b *testing.B, s *pending.Store, open, settled int) {
	b.Helper()
	make1 := func(i int) question.Thread {
		id := question.NewID()
		return question.Thread{
			ID: id, Request: question.Request{
				ID: question.RequestID(fmt.Sprintf("que_%d_%s", i, id)), Session: "ses_1", Message: "msg_1", Call: "call_1",
				Items: []question.Item{{Header: "Database", Text: "Which database?", Options: []question.Option{{Label: "A"}, {Label: "B"}}}},
			},
			Origins: []question.Origin{{Way: question.Link, Process: "gone", Directory: "/home/ada/other"}},
			Asked:   time.Now(), Rev: 1, Cards: []question.Card{{Chat: 7, Messages: []question.PostedID{question.PostedID(i + 1)}, Rev: 1}},
		}
	}
	var c question.Change
	for i := range open {
		c.Threads = append(c.Threads, make1(i))
	}
	for i := range settled {
		t := make1(open + i)
		t.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, At: time.Now()}
		c.Retired = append(c.Retired, t)
	}
	if err := s.Commit(c); err != nil {
		b.Fatal(err)
	}
}
