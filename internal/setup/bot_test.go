package setup

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/retry"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/telegram/botapi"
)

// rival is another program that polls the same bot.
type rival struct {
	hold  time.Duration // of each poll
	every time.Duration // between two polls
	again time.Duration // after a failure
}

// poll polls until ctx ends, and confirms what it got, as most programs do.
func (r rival) poll(ctx context.Context, bot *botapi.Client) {
	poll := botapi.Poll{Limit: 100, Hold: r.hold}
	for ctx.Err() == nil {
		pause := r.every
		batch, err := bot.GetUpdates(ctx, poll)
		if err != nil {
			pause = r.again
		}
		if len(batch) > 0 {
			poll.Offset = batch[len(batch)-1].ID + 1
		}
		_ = retry.Wait(ctx, pause)
	}
}

// Telegram says of two programs that poll only to the older one, when the newer one has to wait: not where a message waits, or where one never waits.
func TestSetup_FindsAnotherPoller(t *testing.T) {
	for name, c := range map[string]struct {
		rival *rival
		wait  int // messages that wait
		found bool
	}{
		"nobody":                           {nil, 0, false},
		"nobody, and messages wait":        {nil, 3, false},
		"a long poll":                      {&rival{hold: 50 * time.Second, again: time.Second}, 0, true},
		"a long poll, and messages wait":   {&rival{hold: 50 * time.Second, every: time.Second, again: time.Second}, 3, true},
		"a short poll every second":        {&rival{every: time.Second, again: time.Second}, 0, true},
		"short polls, and a message waits": {&rival{every: time.Second, again: time.Second}, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := telegram.New(telegram.Options{Token: rig.TestToken})
				s.AddUser(telegram.User{ID: rig.Eve, FirstName: "Eve"})
				conf := config.Config{TelegramToken: rig.TestToken, TelegramAPIURL: "https://api.telegram.test"}
				for range c.wait {
					if _, err := s.Say(rig.Eve, rig.Eve, "hello?"); err != nil {
						t.Fatal(err)
					}
				}
				ctx, stop := context.WithCancel(t.Context())
				gone := make(chan struct{})
				go func() {
					defer close(gone)
					if c.rival != nil {
						c.rival.poll(ctx, clients.NewBotClient(conf, s.Transport()))
					}
				}()
				time.Sleep(500 * time.Millisecond) // its first poll has been answered, or waits
				err := checkAlone(ctx, clients.NewBotClient(conf, s.Transport()))
				var e *botapi.Error
				if found := errors.As(err, &e) && e.Reason == botapi.Conflict; found != c.found || err != nil && !found {
					t.Errorf("found %v: %v", found, err)
				}
				if c.rival == nil && s.Pending() != c.wait {
					t.Errorf("%d of %d messages are left", s.Pending(), c.wait)
				}
				stop()
				<-gone
			})
		})
	}
}
