package doctor

import (
	"context"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
)

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

// Where no hermes runs, doctor asks nothing in its place: it says so.
func TestRoundTrip_WithoutAHermes(t *testing.T) {
	playDoctor(t, true, func(c *doctorRig) {
		c.opts.RoundTrip, c.opts.Wait = true, time.Minute
		c.polled = func() { c.T.Error("the doctor polls") }
		c.finds("round trip", gradeFail, "which would ask the test question", "hermes serve")
		if n := c.Telegram.Count("sendMessage"); n != 0 {
			t.Errorf("%d messages were sent", n)
		}
	})
}

func TestRoundTrip_Interrupted(t *testing.T) {
	playDoctor(t, false, func(c *doctorRig) {
		c.opts.RoundTrip, c.opts.Wait = true, 2*time.Minute
		ctx, cancel := context.WithTimeout(context.Background(), 7*time.Second)
		defer cancel()
		list, err := c.examineFor(ctx)
		d := list[len(list)-1]
		if d.Status != gradeFail || d.Detail != "interrupted; the test question was withdrawn" || err == nil || err.Error() != "interrupted" {
			t.Errorf("it says %+v, %v", d, err)
		}
		c.Wait(5 * time.Second)
		c.WantScreen("Withdrawn by the program that asked")
	})
}

// Whoever stops doctor before the round trip is told of no failure that comes of it, nor of a test question that nobody asked.
func TestDoctor_InterruptedBeforeTheRoundTrip(t *testing.T) {
	playDoctor(t, false, func(c *doctorRig) {
		c.opts.RoundTrip, c.opts.Wait = true, 2*time.Minute
		ctx, cancel := context.WithCancel(context.Background())
		c.here, c.stopsAtAgents = t.TempDir(), cancel
		list, err := c.examineFor(ctx)
		if err == nil || err.Error() != "interrupted" {
			t.Errorf("the error is %v", err)
		}
		for _, d := range list {
			if d.Name == "question tool" || d.Name == "round trip" {
				t.Errorf("it says %+v", d)
			}
		}
		if len(list) == 0 {
			t.Error("what was found before is not said")
		}
	})
}
