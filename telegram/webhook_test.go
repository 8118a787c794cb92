package telegram_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
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

func TestWebhook_BringsUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bot *telegram.Bot
		calls := roundTrip(func(r *http.Request) (*http.Response, error) {
			rec := httptest.NewRecorder()
			bot.Webhook().ServeHTTP(rec, r)
			return rec.Result(), nil
		})
		tele := telegramsim.New(telegramsim.Options{Token: testToken, Webhook: calls})
		tele.AddUser(telegramsim.User{ID: 7, FirstName: "Ada"})
		w := newWorld(t, hooked, func(c *telegram.Config) { c.Transport = tele.Transport() })
		w.tele, bot = tele, w.bot
		w.start()
		w.say("one")
		w.say("two")
		settle()
		if got := w.texts(); !slices.Equal(got, []string{"one", "two"}) || w.bot.Health() != nil || w.polls < 2 {
			t.Error(got, w.bot.Health(), w.polls)
		}
		if w.tele.Count("getUpdates") != 0 || w.tele.Count("setWebhook") != 1 {
			t.Error("polled, or set twice")
		}
		w.stop()
		w.checkRules()
	})
}

func TestWebhook_IsSetAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hooked)
		w.tele.FailNext("setWebhook", telegramsim.Fault{Kind: telegramsim.Unreachable})
		w.start()
		if w.bot.Health() == nil {
			t.Error("healthy without a webhook")
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if w.bot.Health() != nil || w.tele.Count("setWebhook") != 2 {
			t.Error(w.bot.Health(), w.tele.Count("setWebhook"))
		}
		w.stop()
	})
}

func TestWebhook_ReplaysTheInbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hooked)
		w.inbox.kept = []chat.Update{{ID: 9, Raw: []byte(update9("left over"))}}
		w.start()
		if got := w.texts(); !slices.Equal(got, []string{"left over"}) {
			t.Error(got)
		}
		w.stop()
	})
}
