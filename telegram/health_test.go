package telegram_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/telegram"
	"hermes/telegram/cardtest"
)

// Everybody may ask for the health, so it names no address. The log does.
func TestHealth_NamesNoAddress(t *testing.T) {
	const address = "192.0.2.7:3128"
	refuse := func(code int, text string) roundTrip {
		return func(*http.Request) (*http.Response, error) { return reply(code, text), nil }
	}
	for name, test := range map[string]struct {
		answer roundTrip
		want   string
	}{
		"dial": {func(*http.Request) (*http.Response, error) {
			return nil, errors.New("proxyconnect tcp: dial tcp " + address + ": connect: connection refused")
		}, "Telegram cannot be reached; see the log"},
		"fault":   {refuse(500, `{"ok":false,"error_code":500,"description":"Internal Server Error: `+address+`"}`), "Telegram has a fault; see the log"},
		"refusal": {refuse(400, `{"ok":false,"error_code":400,"description":"Bad Request: `+address+`"}`), "see the log"},
		"webhook": {func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/getWebhookInfo") {
				return reply(200, `{"ok":true,"result":{"url":"https://hermes.example/telegram","pending_update_count":1,"last_error_date":`+
					strconv.FormatInt(time.Now().Unix(), 10)+`,"last_error_message":"Connection to `+address+` refused"}}`), nil
			}
			return reply(200, `{"ok":true,"result":true}`), nil
		}, "Telegram cannot reach the webhook; see the log"},
		"webhook unknown": {func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/getWebhookInfo") {
				return nil, errors.New("dial tcp " + address + ": connect: connection refused")
			}
			return reply(200, `{"ok":true,"result":true}`), nil
		}, "Telegram cannot be reached; see the log"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				change := func(*telegram.Config) {}
				if strings.HasPrefix(name, "webhook") {
					change = hooked
				}
				w := newWorld(t, func(c *telegram.Config) { c.Transport = test.answer }, change)
				w.start()
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				health := w.bot.Health()
				if health == nil || !strings.Contains(health.Error(), test.want) || strings.Contains(health.Error(), "192.0.2") {
					t.Errorf("the health is %v, want %q", health, test.want)
				}
				w.stop()
				if n := strings.Count(w.log.String(), address); n != 1 {
					t.Errorf("the log names the reason %d times, want once:\n%s", n, w.log)
				}
			})
		})
	}
}

// noticedWithin is how soon hermes knows that updates do not come in.
const noticedWithin = time.Minute

// unhealthyAfter waits until health says that something is wrong, and returns how long that took.
func (w *world) unhealthyAfter() (time.Duration, error) {
	w.t.Helper()
	for began := time.Now(); time.Since(began) < 10*time.Minute; {
		time.Sleep(time.Second)
		synctest.Wait()
		if err := w.bot.Health(); err != nil {
			return time.Since(began), err
		}
	}
	w.t.Error("health never says that something is wrong")
	return 0, errors.New("healthy")
}

// A connection may go silent at any time of a poll.
func TestPoll_NoticesAHalfOpenConnection(t *testing.T) {
	for after := range 30 {
		t.Run(fmt.Sprintf("after %d s", after), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.startChatWithAda()
				w.start()
				time.Sleep(time.Duration(after)*time.Second + 100*time.Millisecond)
				w.tele.Silence()
				began := time.Now()
				w.say("into the silence")
				took, err := w.unhealthyAfter()
				if took > noticedWithin || !strings.Contains(err.Error(), "Telegram cannot be reached") {
					t.Errorf("noticed after %v: %v", took, err)
				}
				for w.bot.Health() != nil && time.Since(began) < noticedWithin {
					time.Sleep(time.Second)
					synctest.Wait()
				}
				if got := w.texts(); !slices.Equal(got, []string{"/start", "into the silence"}) || w.tele.Pending() > 1 || time.Since(began) > noticedWithin {
					t.Errorf("%v later: %q, %d wait", time.Since(began), got, w.tele.Pending())
				}
				if s := w.show(post(7, cardtest.Asks(question.Item{Text: "Which?"}))); s.Err != nil {
					t.Error("a card over the new connection:", s.Err)
				}
				w.stop()
				w.checkRules()
			})
		})
	}
}

// Another program that polls is told of until a poll that waited proves that it is gone, and not forgotten in between.
func TestHealth_SecondPoller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start()
		rival := simulatedRival(w)
		well := 0
		for range 300 {
			time.Sleep(time.Second)
			synctest.Wait()
			if w.bot.Health() == nil {
				well++
			}
		}
		if well > 60 {
			t.Errorf("health was good in %d of 300 seconds, in spite of another program", well)
		}
		rival()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if err := w.bot.Health(); err != nil {
			t.Error("the other program has gone:", err)
		}
		w.stop()
		if n := strings.Count(w.log.String(), "updates do not come in"); n > 2 {
			t.Errorf("%d lines about one failure:\n%s", n, w.log)
		}
	})
}

// simulatedRival is another program that polls the bot as most do: with a long poll, and again three seconds after a failure. It goes on until the returned function is called.
func simulatedRival(w *world) func() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://api.telegram.org/bot"+testToken+"/getUpdates?timeout=30&offset=1", nil)
			if err != nil {
				panic(err)
			}
			res, err := w.tele.Transport().RoundTrip(req)
			if err != nil {
				continue
			}
			res.Body.Close()
			if res.StatusCode != http.StatusOK {
				_ = retry.Wait(ctx, 3*time.Second)
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// Whatever keeps hermes from asking, health is not good for long: here an update whose handling does not end.
func TestHealth_DoesNotOutliveThePolls(t *testing.T) {
	for name, change := range map[string]func(*telegram.Config){"polls": func(*telegram.Config) {}, "webhook": hooked} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				free := make(chan struct{})
				w := newWorld(t, change)
				take := w.config.Handle
				w.config.Handle = func(ctx context.Context, in inbound.Input) {
					<-free
					take(ctx, in)
				}
				w.renew()
				w.start()
				if name == "polls" {
					w.say("and then?")
				} else if got := knock(w.bot, http.MethodPost, hookSecret, update9("and then?")); got != http.StatusOK {
					t.Error(got)
				}
				if took, err := w.unhealthyAfter(); took > noticedWithin || !strings.HasPrefix(err.Error(), "hermes has not heard from Telegram for ") {
					t.Errorf("noticed after %v: %v", took, err)
				}
				close(free)
				settle()
				if err := w.bot.Health(); err != nil {
					t.Error(err)
				}
				w.stop()
			})
		})
	}
}
