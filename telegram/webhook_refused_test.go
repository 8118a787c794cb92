package telegram_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
)

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
