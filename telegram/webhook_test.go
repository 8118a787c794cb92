package telegram_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/cardtest"
)

const hookSecret = "a-secret-of-the-webhook"

func hooked(c *telegram.Config) {
	c.Webhook = telegram.Webhook{URL: "https://hermes.example/telegram", Secret: hookSecret}
}

func knock(b *telegram.Bot, method, secret, body string) int {
	r := httptest.NewRequest(method, "/telegram", strings.NewReader(body))
	r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	w := httptest.NewRecorder()
	b.Webhook().ServeHTTP(w, r)
	return w.Code
}

func update9(text string) string {
	return `{"update_id":9,"message":{"message_id":5,"date":1,` + chatJSON + `,` + adaJSON + `,"text":"` + text + `"}}`
}

func TestWebhook_Admission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hooked)
		for name, c := range map[string]struct {
			method, secret, body string
			want                 int
		}{
			"get":          {http.MethodGet, hookSecret, update9("x"), 405},
			"no secret":    {http.MethodPost, "", update9("x"), 401},
			"wrong secret": {http.MethodPost, hookSecret + "x", update9("x"), 401},
			"too big":      {http.MethodPost, hookSecret, strings.Repeat("x", 4<<20+1), 413},
			"no update":    {http.MethodPost, hookSecret, "hello", 200},
		} {
			if got := knock(w.bot, c.method, c.secret, c.body); got != c.want {
				t.Errorf("%s: got %d, want %d", name, got, c.want)
			}
		}
		if w.inbox.waiting() != 0 {
			t.Error("something was stored")
		}
		if got := knock(newWorld(t).bot, http.MethodPost, hookSecret, update9("x")); got != 404 {
			t.Errorf("without a webhook: got %d", got)
		}
	})
}

func TestWebhook_StoresBeforeItAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hooked)
		w.inbox.fault = func(string) error { return errDisk }
		if got := knock(w.bot, http.MethodPost, hookSecret, update9("x")); got != 500 {
			t.Errorf("the store failed: got %d", got)
		}
		w.inbox.fault = nil
		for range 2 { // Telegram sends again what it got no answer for
			if got := knock(w.bot, http.MethodPost, hookSecret, update9("x")); got != 200 || w.inbox.waiting() != 1 {
				t.Errorf("got %d, %d in the inbox", got, w.inbox.waiting())
			}
		}
	})
}

// door is Telegram's way to the webhook. It may be shut, or slow.
type door struct {
	mu   sync.Mutex
	bot  *telegram.Bot
	shut bool
	slow time.Duration
	late func(update string) time.Duration // nil: none is
}

func (d *door) set(f func(*door)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(d)
}

func (d *door) RoundTrip(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	bot, shut, slow, late := d.bot, d.shut, d.slow, d.late
	d.mu.Unlock()
	if late != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		slow += late(textOf(body))
	}
	time.Sleep(slow)
	if shut {
		return nil, errors.New("Connection refused")
	}
	rec := httptest.NewRecorder()
	bot.Webhook().ServeHTTP(rec, r)
	return rec.Result(), nil
}

// hookWorld is a world with a webhook behind a door.
func hookWorld(t *testing.T) (*world, *door) {
	d := new(door)
	tele := telegramsim.New(telegramsim.Options{Token: testToken, Webhook: d})
	tele.AddUser(telegramsim.User{ID: 7, FirstName: "Ada"})
	w := newWorld(t, hooked, func(c *telegram.Config) { c.Transport = tele.Transport() })
	w.tele = tele
	d.bot = w.bot
	return w, d
}

func TestWebhook_ThatIsUnreachable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, d := hookWorld(t)
		w.start()
		w.say("one")
		settle()
		d.set(func(d *door) { d.shut = true })
		w.say("two")
		took, err := w.unhealthyAfter()
		if took > noticedWithin || err.Error() != "Telegram cannot reach the webhook; see the log" {
			t.Errorf("noticed after %v: %v", took, err)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if w.bot.Health() == nil {
			t.Error("healthy, and nothing comes in")
		}
		d.set(func(d *door) { d.shut = false })
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if got := w.texts(); !slices.Equal(got, []string{"one", "two"}) || w.bot.Health() != nil {
			t.Error(got, w.bot.Health())
		}
		w.stop()
		if n := strings.Count(w.log.String(), "Connection refused"); n != 1 {
			t.Errorf("%d lines about one failure:\n%s", n, w.log)
		}
		w.checkRules()
	})
}

// Telegram keeps the last error for ever, and counts updates that are under way as pending.
func TestWebhook_OldErrorIsNone(t *testing.T) {
	for name, again := range map[string]bool{"in one life": false, "of an earlier life": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, d := hookWorld(t)
				w.start()
				d.set(func(d *door) { d.shut = true })
				w.say("fails twice")
				time.Sleep(time.Second)
				d.set(func(d *door) { d.shut = false })
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				if again {
					w.cancel()
					<-w.ended
					w.renew()
					d.set(func(d *door) { d.bot = w.bot })
					w.start()
				}
				d.set(func(d *door) { d.slow = 20 * time.Second })
				for range 30 { // at each look there is one under way
					if _, err := w.tele.Say(7, 7, "slow"); err != nil {
						t.Fatal(err)
					}
					time.Sleep(10 * time.Second)
					synctest.Wait()
					if err := w.bot.Health(); err != nil {
						t.Fatal("updates come in, and health says", err)
					}
				}
				time.Sleep(15 * time.Minute)
				synctest.Wait()
				if n := len(w.texts()); n != 31 {
					t.Errorf("%d texts came in", n)
				}
				w.stop()
				w.checkRules()
			})
		})
	}
}

// textOf names an update: the text of a message, or the data of a tap.
func textOf(body io.Reader) string {
	var u struct {
		Message  struct{ Text string }
		Callback struct{ Data string } `json:"callback_query"`
	}
	_ = json.NewDecoder(body).Decode(&u)
	return u.Message.Text + u.Callback.Data
}

// Telegram delivers taps and texts beside one another, so a tap may come after the text that was written after it. They are handled in
// the order in which they were made: it is the order of their ids (Bot API, Update.update_id).
func TestWebhook_UpdatesInOrder(t *testing.T) {
	for name, late := range map[string]map[string]time.Duration{
		"as they were made": {}, "the tap is late": {"tap": time.Second}, "the text is late": {"after": time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, d := hookWorld(t)
				w.start()
				w.say("/start")
				settle()
				s := w.show(post(7, cardtest.Asks(question.Item{Text: "Which?", Options: []question.Option{{Label: "A"}}})))
				d.set(func(d *door) { d.late = func(u string) time.Duration { return late[u] } })
				if _, err := w.tele.TapData(7, 7, int(s.Messages[0]), "tap"); err != nil {
					t.Fatal(err)
				}
				if _, err := w.tele.Say(7, 7, "after"); err != nil {
					t.Fatal(err)
				}
				settle()
				var got []string
				for _, in := range w.handled()[1:] {
					got = append(got, fmt.Sprint(in.Kind, in.Text))
				}
				if want := []string{fmt.Sprint(inbound.Tapped), fmt.Sprint(inbound.Typed, "after")}; !slices.Equal(got, want) || w.inbox.waiting() != 0 {
					t.Errorf("got %q, want %q; %d in the inbox", got, want, w.inbox.waiting())
				}
				w.stop()
				w.checkRules()
			})
		})
	}
}

// A missing update that comes ends the wait for it, and what follows on one that came too late waits for nothing.
func TestWebhook_NothingWaitsLongerThanForWhatIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := hookWorld(t)
		w.start()
		settle()
		for _, one := range []struct {
			id   int
			then time.Duration // passes until the next one comes
			want string        // is handled by then, in all
		}{
			{id: 5000, then: time.Second, want: "5000"},
			{id: 5002, then: time.Second, want: "5000"},
			{id: 5001, want: "5000 5001 5002"},
			{id: 5004, then: 4 * time.Second, want: "5000 5001 5002 5004"},
			{id: 5003, want: "5000 5001 5002 5004 5003"},
			{id: 5005, want: "5000 5001 5002 5004 5003 5005"},
			{id: 9, want: "5000 5001 5002 5004 5003 5005 9"}, // after a week without updates they have any id
			{id: 11, then: time.Second, want: "5000 5001 5002 5004 5003 5005 9"},
			{id: 10, want: "5000 5001 5002 5004 5003 5005 9 10 11"},
		} {
			knock(w.bot, http.MethodPost, hookSecret, fmt.Sprintf(`{"update_id":%d,"message":{"message_id":5,"date":1,%s,%s,"text":"%[1]d"}}`, one.id, chatJSON, adaJSON))
			time.Sleep(one.then)
			synctest.Wait()
			if got := strings.Join(w.texts(), " "); got != one.want {
				t.Errorf("after %d: handled %q, want %q", one.id, got, one.want)
			}
		}
		w.stop()
	})
}

// restart ends the Bot's Run and makes the Bot anew, behind the same door.
func (w *world) restart(d *door) {
	w.t.Helper()
	w.cancel()
	<-w.ended
	if err := w.bot.Close(w.t.Context()); err != nil {
		w.t.Error(err)
	}
	w.renew()
	d.set(func(d *door) { d.bot = w.bot })
}

// While Telegram does not take the webhook, that of before goes on delivering: its updates are handled, and hermes does not say that
// all is well.
func TestWebhook_UpdatesAreHandledWhileItIsRefused(t *testing.T) {
	for name, fault := range map[string]telegramsim.Fault{
		"refused":         {Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: bad webhook: Failed to resolve host: Name or service not known"},
		"flood":           {Kind: telegramsim.Refuse, RetryAfter: 3600},
		"never an answer": {Kind: telegramsim.ResetBefore},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, d := hookWorld(t)
				w.start()
				w.restart(d)
				w.tele.SetFault(func(c telegramsim.Call) telegramsim.Fault {
					if c.Method == "setWebhook" {
						return fault
					}
					return telegramsim.Fault{}
				})
				w.start()
				time.Sleep(time.Minute)
				w.say("hello")
				time.Sleep(time.Second)
				synctest.Wait()
				if got := w.texts(); !slices.Equal(got, []string{"hello"}) || w.inbox.waiting() != 0 {
					t.Errorf("handled %q, %d in the inbox", got, w.inbox.waiting())
				}
				if w.bot.Health() == nil {
					t.Error("healthy, and Telegram does not take the webhook")
				}
				w.tele.SetFault(nil)
				time.Sleep(2 * time.Hour)
				synctest.Wait()
				if err := w.bot.Health(); err != nil {
					t.Error("the webhook is set, and health says", err)
				}
				w.stop()
			})
		})
	}
}

// What comes while Telegram is asked about the webhook, and does not answer, does not wait for that.
func TestWebhook_UpdatesAreHandledWhileItIsChecked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := hookWorld(t)
		w.start()
		w.tele.SetFault(func(c telegramsim.Call) telegramsim.Fault {
			if c.Method == "getWebhookInfo" {
				return telegramsim.Fault{Kind: telegramsim.Hang}
			}
			return telegramsim.Fault{}
		})
		time.Sleep(31 * time.Second)
		asked := w.tele.Count("getWebhookInfo")
		w.say("hello")
		time.Sleep(1300 * time.Millisecond)
		synctest.Wait()
		if got := w.texts(); !slices.Equal(got, []string{"hello"}) || asked != 2 {
			t.Errorf("handled %q, asked %d times", got, asked)
		}
		w.stop()
	})
}
