package telegram_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
)

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
