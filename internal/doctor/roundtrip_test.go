package doctor

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
	"hermes/telegram/botapi"
)

// trip is a round trip without a hermes, in which something happens at the
// doctor's second poll.
func trip(t *testing.T, happens func(*doctorRig), check func(*doctorRig, result)) {
	t.Helper()
	tripOf(t, nil, happens, check)
}

func tripOf(t *testing.T, alter, happens func(*doctorRig), check func(*doctorRig, result)) {
	t.Helper()
	playDoctor(t, true, func(c *doctorRig) {
		if alter != nil {
			alter(c)
		}
		c.opts.RoundTrip, c.opts.Wait = true, 2*time.Minute
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

func (c *doctorRig) tapYes(user int64) {
	for _, m := range c.Telegram.Messages(rig.Ada) {
		if m.FromBot && len(m.Rows) > 0 {
			if _, err := c.Telegram.TapData(user, rig.Ada, m.ID, m.Rows[0][0].Data); err != nil {
				c.T.Error(err)
			}
			return
		}
	}
	c.T.Error("there is no test question")
}

func TestRoundTrip_WithATap(t *testing.T) {
	trip(t, func(c *doctorRig) { c.tapYes(rig.Ada) }, func(c *doctorRig, d result) {
		if d.Status != gradeOK || !strings.Contains(d.Detail, "shown in 1 chat, and the tap of user 42 came back after") {
			t.Errorf("it says %+v", d)
		}
		c.WantScreen("Test question from hermes doctor: does this reach you?", "✅ Yes. Your tap has come back")
		if m := c.Last(); len(m.Rows) != 0 {
			t.Error("the button is still there")
		}
		if all := c.Telegram.Alerts(); len(all) != 1 || all[0].Text != "It reaches hermes doctor." {
			t.Errorf("the tap was answered with %+v", all)
		}
		// Ada's /start is older than the tap, and not the doctor's to take.
		if n := c.Telegram.Pending(); n != 2 {
			t.Errorf("%d updates are left for hermes", n)
		}
		if !strings.Contains(c.notice.String(), "Look at Telegram") {
			t.Errorf("a person is told %q", c.notice.String())
		}
	})
}

// A tap that nothing came before is taken away, so that hermes serve does not
// wonder about it.
func TestRoundTrip_TakesItsTapAway(t *testing.T) {
	playDoctor(t, true, func(c *doctorRig) {
		api := clients.NewBotClient(c.patient, c.Telegram.Transport())
		if _, err := api.GetUpdates(context.Background(), botapi.Poll{Offset: chat.UpdateID(c.Telegram.LastUpdateID() + 1), Limit: 100}); err != nil {
			t.Fatal(err)
		}
		c.opts.RoundTrip, c.opts.Wait = true, time.Minute
		once := false
		c.polled = func() {
			if !once {
				once = true
				go c.tapYes(rig.Ada)
			}
		}
		c.finds("round trip", gradeOK, "the tap of user 42", "")
		if n := c.Telegram.Pending(); n != 0 {
			t.Errorf("%d updates are left for hermes", n)
		}
	})
}

func TestRoundTrip_WithoutATap(t *testing.T) {
	trip(t, func(*doctorRig) {}, func(c *doctorRig, d result) {
		if d.Status != gradeFail || !strings.Contains(d.Detail, "came within 2m0s") || !strings.Contains(d.Remedy, "tap Yes") {
			t.Errorf("it says %+v", d)
		}
		c.WantScreen("⌛ Nobody has tapped in time.")
	})
}

func TestRoundTrip_OfAStranger(t *testing.T) {
	onlyBob := func(c *doctorRig) { c.patient.TelegramUsers = []chat.UserID{rig.Bob} }
	tripOf(t, onlyBob, func(c *doctorRig) { c.tapYes(rig.Ada) }, func(c *doctorRig, d result) {
		if d.Status != gradeFail || !strings.Contains(d.Remedy, "HERMES_TELEGRAM_USERS") {
			t.Errorf("it says %+v", d)
		}
		if all := c.Telegram.Alerts(); len(all) != 1 || !strings.Contains(all[0].Text, "do not count") {
			t.Errorf("the stranger was told %+v", all)
		}
	})
}

func TestRoundTrip_WithASecondPoller(t *testing.T) {
	trip(t, func(c *doctorRig) {
		api := clients.NewBotClient(c.patient, c.Telegram.Transport())
		_, _ = api.GetUpdates(context.Background(), botapi.Poll{Offset: chat.UpdateID(c.Telegram.LastUpdateID() + 1), Limit: 100})
		c.Telegram.FailNext("getUpdates", telegram.Fault{Kind: telegram.Refuse, Code: 409, Description: "Conflict: terminated by other getUpdates request"})
	}, func(c *doctorRig, d result) {
		if d.Status != gradeFail || !strings.Contains(d.Detail, "its tap cannot be read (409 Conflict") || !strings.Contains(d.Remedy, "a bot of its own") {
			t.Errorf("it says %+v", d)
		}
		c.WantScreen("🚫 Withdrawn.")
	})
}

func TestRoundTrip_Interrupted(t *testing.T) {
	playDoctor(t, true, func(c *doctorRig) {
		c.opts.RoundTrip, c.opts.Wait = true, 2*time.Minute
		ctx, cancel := context.WithTimeout(context.Background(), 7*time.Second)
		defer cancel()
		list, err := c.examineFor(ctx)
		d := list[len(list)-1]
		if d.Status != gradeFail || !strings.Contains(d.Detail, "interrupted") || err == nil || err.Error() != "interrupted" {
			t.Errorf("it says %+v, %v", d, err)
		}
		c.WantScreen("🚫 Withdrawn.")
	})
}

// One chat of two that cannot be reached: the other one is not left with a question.
func TestRoundTrip_ToAChatThatIsGone(t *testing.T) {
	playDoctor(t, true, func(c *doctorRig) {
		c.opts.RoundTrip, c.opts.Wait = true, time.Minute
		c.patient.TelegramChats = []config.Chat{{ID: rig.Ada}, {ID: rig.Bob}}
		c.finds("round trip", gradeFail, "43: nothing can be sent there", "press Start")
		c.WantScreen("🚫 Withdrawn.")
	})
}

// A running hermes asks the question itself, and the tap comes back through all of it.
func TestRoundTrip_ThroughAHermes(t *testing.T) {
	for _, test := range []struct {
		title          string
		happens        func(*doctorRig) // five seconds after the question was asked
		status         grade
		detail, remedy string
		card           string
	}{
		{
			"a tap", func(c *doctorRig) { c.tapYes(rig.Ada) }, gradeOK,
			"asked a test question, and the tap of user 42 came back through it after 5s", "", "✅",
		},
		{
			"a tap after a restart", func(c *doctorRig) { c.Halt(); c.Start(); c.tapYes(rig.Ada) }, gradeOK,
			"the tap of user 42 came back through it after", "", "✅",
		},
		{
			"nobody taps", func(*doctorRig) {}, gradeFail,
			"no tap of a user in HERMES_TELEGRAM_USERS came within 2m0s; the test question was withdrawn", "tap Yes", "Withdrawn by the program that asked",
		},
		{
			"an answer over the API", func(c *doctorRig) { c.CallQuestion(c.OpenQuestion().ID, `{"answers":[["Yes"]]}`) }, gradeWarn,
			"ended without a tap on Yes", "tap Yes", "answered over the API",
		},
		{
			"hermes goes away", func(c *doctorRig) { c.refuse.Store(true) }, gradeFail,
			"the test question could not be withdrawn", "tap Yes", "❓",
		},
	} {
		t.Run(test.title, func(t *testing.T) {
			playDoctor(t, false, func(c *doctorRig) {
				c.opts.RoundTrip, c.opts.Wait = true, 2*time.Minute
				c.polled = func() { c.T.Error("the doctor polls") }
				happened := c.Background(func() {
					time.Sleep(5 * time.Second)
					test.happens(c)
				})
				c.finds("round trip", test.status, test.detail, test.remedy)
				happened()
				c.Wait(5 * time.Second)
				c.WantScreen("Test question from hermes doctor", test.card)
				if !strings.Contains(c.notice.String(), "Look at Telegram") {
					t.Errorf("a person is told %q", c.notice.String())
				}
			})
		})
	}
}

func TestRoundTrip_ThroughAHermesInterrupted(t *testing.T) {
	playDoctor(t, false, func(c *doctorRig) {
		c.opts.RoundTrip, c.opts.Wait = true, 2*time.Minute
		ctx, cancel := context.WithTimeout(context.Background(), 7*time.Second)
		defer cancel()
		list, _ := c.examineFor(ctx)
		if d := list[len(list)-1]; d.Status != gradeFail || d.Detail != "interrupted; the test question was withdrawn" {
			t.Errorf("it says %+v", d)
		}
		c.Wait(5 * time.Second)
		c.WantScreen("Withdrawn by the program that asked")
	})
}

func TestRoundTrip_ThroughAHermesThatFails(t *testing.T) {
	playDoctor(t, false, func(c *doctorRig) {
		c.opts.RoundTrip, c.opts.Wait = true, time.Minute
		c.answers["/v1/ask"] = "<html>"
		c.finds("round trip", gradeFail, "did not take a test question (HTTP 200)", "its log")
	})
}

// While a hermes runs, or may run, the doctor never polls.
func TestRoundTrip_BesideAHermes(t *testing.T) {
	quiet := func(c *doctorRig) {
		c.opts.RoundTrip, c.opts.Wait = true, time.Minute
		c.polled = func() { c.T.Error("the doctor polls") }
	}
	playDoctor(t, false, func(c *doctorRig) { // one that knows no asks
		quiet(c)
		c.missing = "/v1/ask"
		c.finds("round trip", gradeOK, "a test message has arrived in 1 chat. Taps are for the running hermes to read", "")
		c.WantScreen("Test message from hermes doctor", "There is nothing to answer.")
	})
	playDoctor(t, false, func(c *doctorRig) {
		quiet(c)
		c.answers["/v1/status"] = `{"version":"hermes","telegram":"another program polls this bot"}`
		c.finds("round trip", gradeFail, "no tap would come back: another program polls this bot", "a bot of its own")
	})
	playDoctor(t, false, func(c *doctorRig) {
		quiet(c)
		c.answers["/v1/status"] = "401"
		c.finds("round trip", gradeWarn, "whether taps come back is not known", "with hermes stopped")
	})
	playDoctor(t, true, func(c *doctorRig) { // one that listens elsewhere
		quiet(c)
		store, err := pending.Open(c.patient.DB, pending.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		c.finds("round trip", gradeWarn, "whether taps come back is not known", "with hermes stopped")
	})
	playDoctor(t, true, func(c *doctorRig) {
		quiet(c)
		c.answers["getWebhookInfo"] = `{"ok":true,"result":{"url":"https://other.example/x"}}`
		c.finds("round trip", gradeWarn, "they go to a webhook", "no webhook set")
	})
	playDoctor(t, true, func(c *doctorRig) {
		quiet(c)
		c.patient.TelegramToken = ""
		c.through = func(req *http.Request) { t.Errorf("a call without a token: %s", req.URL.Path) }
		c.finds("round trip", gradeSkip, "there is no token", "")
	})
}
