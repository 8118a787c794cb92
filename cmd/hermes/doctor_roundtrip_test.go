package main

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
	"hermes/telegram/botapi"
)

// trip is a round trip without a hermes, in which something happens at the
// doctor's second poll.
func trip(t *testing.T, happens func(*clinic), check func(*clinic, diagnosis)) {
	t.Helper()
	tripOf(t, nil, happens, check)
}

func tripOf(t *testing.T, alter, happens func(*clinic), check func(*clinic, diagnosis)) {
	t.Helper()
	playClinic(t, true, func(c *clinic) {
		if alter != nil {
			alter(c)
		}
		c.opts.roundTrip, c.opts.wait = true, 2*time.Minute
		polls := 0
		c.polled = func() {
			if polls++; polls == 2 {
				go happens(c)
			}
		}
		list := c.examine()
		d := list[len(list)-1]
		if d.Name != "round trip" {
			t.Fatalf("the last is %+v", d)
		}
		check(c, d)
		synctest.Wait()
	})
}

func (c *clinic) tapYes(user int64) {
	for _, m := range c.telegram.Messages(ada) {
		if m.FromBot && len(m.Rows) > 0 {
			if _, err := c.telegram.TapData(user, ada, m.ID, m.Rows[0][0].Data); err != nil {
				c.t.Error(err)
			}
			return
		}
	}
	c.t.Error("there is no test question")
}

func TestRoundTripWithATap(t *testing.T) {
	trip(t, func(c *clinic) { c.tapYes(ada) }, func(c *clinic, d diagnosis) {
		if d.Status != gradeOK || !strings.Contains(d.Detail, "shown in 1 chat, and the tap of user 42 came back after") {
			t.Errorf("it says %+v", d)
		}
		c.screen("Test question from hermes doctor: does this reach you?", "✅ Yes. Your tap has come back")
		if m := c.last(); len(m.Rows) != 0 {
			t.Error("the button is still there")
		}
		if all := c.telegram.Alerts(); len(all) != 1 || all[0].Text != "It reaches hermes doctor." {
			t.Errorf("the tap was answered with %+v", all)
		}
		// Ada's /start is older than the tap, and not the doctor's to take.
		if n := c.telegram.Pending(); n != 2 {
			t.Errorf("%d updates are left for hermes", n)
		}
		if !strings.Contains(c.notice.String(), "Look at Telegram") {
			t.Errorf("a person is told %q", c.notice.String())
		}
	})
}

// A tap that nothing came before is taken away, so that hermes serve does not
// wonder about it.
func TestRoundTripTakesItsTapAway(t *testing.T) {
	playClinic(t, true, func(c *clinic) {
		api := toTelegram(c.patient, c.telegram.Transport())
		if _, err := api.GetUpdates(context.Background(), botapi.Poll{Offset: question.UpdateID(c.telegram.LastUpdateID() + 1), Limit: 100}); err != nil {
			t.Fatal(err)
		}
		c.opts.roundTrip, c.opts.wait = true, time.Minute
		once := false
		c.polled = func() {
			if !once {
				once = true
				go c.tapYes(ada)
			}
		}
		c.finds("round trip", gradeOK, "the tap of user 42", "")
		if n := c.telegram.Pending(); n != 0 {
			t.Errorf("%d updates are left for hermes", n)
		}
	})
}

func TestRoundTripWithoutATap(t *testing.T) {
	trip(t, func(*clinic) {}, func(c *clinic, d diagnosis) {
		if d.Status != gradeFail || !strings.Contains(d.Detail, "came within 2m0s") || !strings.Contains(d.Remedy, "tap Yes") {
			t.Errorf("it says %+v", d)
		}
		c.screen("⌛ Nobody has tapped in time.")
	})
}

func TestRoundTripOfAStranger(t *testing.T) {
	onlyBob := func(c *clinic) { c.patient.TelegramUsers = []question.UserID{bob} }
	tripOf(t, onlyBob, func(c *clinic) { c.tapYes(ada) }, func(c *clinic, d diagnosis) {
		if d.Status != gradeFail || !strings.Contains(d.Remedy, "HERMES_TELEGRAM_USERS") {
			t.Errorf("it says %+v", d)
		}
		if all := c.telegram.Alerts(); len(all) != 1 || !strings.Contains(all[0].Text, "do not count") {
			t.Errorf("the stranger was told %+v", all)
		}
	})
}

func TestRoundTripWithASecondPoller(t *testing.T) {
	trip(t, func(c *clinic) {
		api := toTelegram(c.patient, c.telegram.Transport())
		_, _ = api.GetUpdates(context.Background(), botapi.Poll{Offset: question.UpdateID(c.telegram.LastUpdateID() + 1), Limit: 100})
		c.telegram.FailNext("getUpdates", telegram.Fault{Kind: telegram.Refuse, Code: 409, Description: "Conflict: terminated by other getUpdates request"})
	}, func(c *clinic, d diagnosis) {
		if d.Status != gradeFail || !strings.Contains(d.Detail, "its tap cannot be read (409 Conflict") || !strings.Contains(d.Remedy, "a bot of its own") {
			t.Errorf("it says %+v", d)
		}
		c.screen("🚫 Withdrawn.")
	})
}

func TestRoundTripInterrupted(t *testing.T) {
	playClinic(t, true, func(c *clinic) {
		c.opts.roundTrip, c.opts.wait = true, 2*time.Minute
		ctx, cancel := context.WithTimeout(context.Background(), 7*time.Second)
		defer cancel()
		list, err := c.examineFor(ctx)
		d := list[len(list)-1]
		if d.Status != gradeFail || !strings.Contains(d.Detail, "interrupted") || err == nil || err.Error() != "interrupted" {
			t.Errorf("it says %+v, %v", d, err)
		}
		c.screen("🚫 Withdrawn.")
	})
}

// One chat of two that cannot be reached: the other one is not left with a question.
func TestRoundTripToAChatThatIsGone(t *testing.T) {
	playClinic(t, true, func(c *clinic) {
		c.opts.roundTrip, c.opts.wait = true, time.Minute
		c.patient.TelegramChats = []chat{{ID: ada}, {ID: bob}}
		c.finds("round trip", gradeFail, "43: nothing can be sent there", "press Start")
		c.screen("🚫 Withdrawn.")
	})
}

// A hermes that runs asks the question itself, and the tap comes back through all of it.
func TestRoundTripThroughAHermes(t *testing.T) {
	for _, test := range []struct {
		title          string
		happens        func(*clinic) // five seconds after the question was asked
		status         grade
		detail, remedy string
		card           string
	}{
		{
			"a tap", func(c *clinic) { c.tapYes(ada) }, gradeOK,
			"asked a test question, and the tap of user 42 came back through it after 5s", "", "✅",
		},
		{
			"a tap after a restart", func(c *clinic) { c.halt(); c.start(); c.tapYes(ada) }, gradeOK,
			"the tap of user 42 came back through it after", "", "✅",
		},
		{
			"nobody taps", func(*clinic) {}, gradeFail,
			"no tap of a user in HERMES_TELEGRAM_USERS came within 2m0s; the test question was withdrawn", "tap Yes", "Dismissed over the API",
		},
		{
			"an answer over the API", func(c *clinic) { c.status(c.open().ID, `{"answers":[["Yes"]]}`) }, gradeWarn,
			"ended without a tap on Yes", "tap Yes", "answered over the API",
		},
		{
			"hermes goes away", func(c *clinic) { c.refuse.Store(true) }, gradeFail,
			"the test question could not be withdrawn", "tap Yes", "❓",
		},
	} {
		t.Run(test.title, func(t *testing.T) {
			playClinic(t, false, func(c *clinic) {
				c.opts.roundTrip, c.opts.wait = true, 2*time.Minute
				c.polled = func() { c.t.Error("the doctor polls") }
				happened := c.later(func() {
					time.Sleep(5 * time.Second)
					test.happens(c)
				})
				c.finds("round trip", test.status, test.detail, test.remedy)
				happened()
				c.wait(5 * time.Second)
				c.screen("Test question from hermes doctor", test.card)
				if !strings.Contains(c.notice.String(), "Look at Telegram") {
					t.Errorf("a person is told %q", c.notice.String())
				}
			})
		})
	}
}

func TestRoundTripThroughAHermesInterrupted(t *testing.T) {
	playClinic(t, false, func(c *clinic) {
		c.opts.roundTrip, c.opts.wait = true, 2*time.Minute
		ctx, cancel := context.WithTimeout(context.Background(), 7*time.Second)
		defer cancel()
		list, _ := c.examineFor(ctx)
		if d := list[len(list)-1]; d.Status != gradeFail || d.Detail != "interrupted; the test question was withdrawn" {
			t.Errorf("it says %+v", d)
		}
		c.wait(5 * time.Second)
		c.screen("Dismissed over the API")
	})
}

func TestRoundTripThroughAHermesThatFails(t *testing.T) {
	playClinic(t, false, func(c *clinic) {
		c.opts.roundTrip, c.opts.wait = true, time.Minute
		c.answers["/v1/ask"] = "<html>"
		c.finds("round trip", gradeFail, "did not take a test question (HTTP 200)", "its log")
	})
}

// While a hermes runs, or may run, the doctor never polls.
func TestRoundTripBesideAHermes(t *testing.T) {
	quiet := func(c *clinic) {
		c.opts.roundTrip, c.opts.wait = true, time.Minute
		c.polled = func() { c.t.Error("the doctor polls") }
	}
	playClinic(t, false, func(c *clinic) { // one that knows no asks
		quiet(c)
		c.missing = "/v1/ask"
		c.finds("round trip", gradeOK, "a test message has arrived in 1 chat. Taps are for the hermes that runs to read", "")
		c.screen("Test message from hermes doctor", "There is nothing to answer.")
	})
	playClinic(t, false, func(c *clinic) {
		quiet(c)
		c.answers["/v1/status"] = `{"version":"hermes","telegram":"another program polls this bot"}`
		c.finds("round trip", gradeFail, "no tap would come back: another program polls this bot", "a bot of its own")
	})
	playClinic(t, false, func(c *clinic) {
		quiet(c)
		c.answers["/v1/status"] = "401"
		c.finds("round trip", gradeWarn, "whether taps come back is not known", "with hermes stopped")
	})
	playClinic(t, true, func(c *clinic) { // one that listens elsewhere
		quiet(c)
		store, err := pending.Open(c.patient.DB, pending.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		c.finds("round trip", gradeWarn, "whether taps come back is not known", "with hermes stopped")
	})
	playClinic(t, true, func(c *clinic) {
		quiet(c)
		c.answers["getWebhookInfo"] = `{"ok":true,"result":{"url":"https://other.example/x"}}`
		c.finds("round trip", gradeWarn, "they go to a webhook", "no webhook set")
	})
	playClinic(t, true, func(c *clinic) {
		quiet(c)
		c.patient.TelegramToken = ""
		c.through = func(req *http.Request) { t.Errorf("a call without a token: %s", req.URL.Path) }
		c.finds("round trip", gradeSkip, "Telegram does not take the token", "")
	})
}
