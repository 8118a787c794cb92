package telegram

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
)

// door is Telegram's way to the webhook. It may be shut, or slow.
type door struct {
	mu   sync.Mutex
	bot  *Bot
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
	w := newWorld(t, hooked, func(c *Config) { c.Transport = tele.Transport() })
	w.tele = tele
	d.bot = w.bot
	return w, d
}

func TestWebhookThatIsShut(t *testing.T) {
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
		w.clean()
	})
}

// Telegram keeps the last error for ever, and counts updates that are under way as pending.
func TestAnOldErrorOfTheWebhookIsNone(t *testing.T) {
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
				w.clean()
			})
		})
	}
}

func TestHookErrors(t *testing.T) {
	type look struct{ at, pending, date, came int } // seconds; came: when an update came in since the look before
	for name, c := range map[string]struct {
		before int // last_error_date when the webhook is set
		looks  []look
		want   bool
	}{
		"none":                           {0, []look{{30, 1, 0, 0}}, false},
		"from before":                    {900, []look{{30, 1, 900, 0}}, false},
		"new":                            {900, []look{{30, 1, 1020, 0}}, true},
		"the clocks differ by a year":    {900, []look{{30, 1, -31_000_000, 0}}, true},
		"new, and nothing waits":         {900, []look{{30, 0, 1020, 0}}, false},
		"new, and one came since":        {900, []look{{30, 1, 1020, 25}}, false},
		"new, and one came before":       {900, []look{{30, 1, 900, 25}, {60, 1, 1050, 0}}, true},
		"it lasts":                       {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 0}, {90, 2, 1080, 0}}, true},
		"it is over":                     {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 40}}, false},
		"it is over, and later":          {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 40}, {900, 3, 1020, 0}}, false},
		"the webhook was set anew there": {1020, []look{{30, 1, 0, 0}}, false},
	} {
		zero := time.Now()
		at := func(s int) time.Time { return zero.Add(time.Duration(s) * time.Second) }
		var h hookErrors
		h.begin(c.before, zero)
		got := false
		for _, l := range c.looks {
			if l.came > 0 {
				h.arrived(at(l.came))
			}
			got = h.present(l.pending, l.date, at(l.at))
		}
		if got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
