package telegram_test

import (
	"runtime"
	"slices"
	"testing"
	"testing/synctest"

	"hermes/internal/chat"
)

// flaky is an inbox some of whose writes fail, though they take effect.
type flaky struct {
	*memoryInbox
	puts       int
	failedPuts int // the first ones, which take effect
	reading    func()
}

func (f *flaky) Put(updates []chat.Update) ([]chat.Update, error) {
	fresh, err := f.memoryInbox.Put(updates)
	if f.puts++; f.puts <= f.failedPuts {
		return nil, errDisk
	}
	return fresh, err
}

func (f *flaky) Inbox() ([]chat.Update, error) {
	if reading := f.reading; reading != nil {
		f.reading = nil
		reading()
	}
	return f.memoryInbox.Inbox()
}

// yield lets other goroutines run, also those that wait for a lock: time stands still while one does.
func yield() {
	for range 1000 {
		runtime.Gosched()
	}
}

// What comes before the inbox is read at the start is in it, and waits to be handled besides.
func TestWebhook_UpdateAtTheStartIsHandledOnce(t *testing.T) {
	for name, c := range map[string]struct{ before, while bool }{"before": {before: true}, "while the inbox is read": {while: true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, d := hookWorld(t)
				f := &flaky{memoryInbox: w.inbox}
				w.config.Inbox = f
				w.renew()
				d.bot = w.bot
				comes := func() {
					if code := knock(w.bot, "POST", hookSecret, update9("early")); code != 200 {
						t.Error("answered with", code)
					}
				}
				if c.before {
					comes()
				}
				if c.while {
					f.reading = func() { go comes(); yield() }
				}
				w.start()
				settle()
				if got := w.texts(); !slices.Equal(got, []string{"early"}) {
					t.Errorf("handled %q", got)
				}
				w.stop()
			})
		})
	}
}

// An update whose writing failed, and took effect all the same, comes from the inbox at the next start, and not again from Telegram.
func TestWebhook_UpdateWhoseStoringSeemedToFailIsHandledOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := hookWorld(t)
		w.config.Inbox = &flaky{memoryInbox: w.inbox, failedPuts: 1}
		w.renew()
		if code := knock(w.bot, "POST", hookSecret, update9("early")); code != 500 {
			t.Error("answered with", code)
		}
		w.renew()
		w.start()
		settle()
		if code := knock(w.bot, "POST", hookSecret, update9("early")); code != 200 {
			t.Error("answered with", code)
		}
		settle()
		if got := w.texts(); !slices.Equal(got, []string{"early"}) {
			t.Errorf("handled %q", got)
		}
		w.stop()
	})
}
