package main

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/opencode/simulator"
)

// drivingRig is a talk in which Ada may drive sessions.
func drivingRig(t *testing.T, version string, alter func(*config)) talk {
	t.Helper()
	r := makeRig(t, version, func(c *config) {
		c.Remote, c.IdleDelay = true, 5*time.Second
		if alter != nil {
			alter(c)
		}
	})
	r.start()
	r.say("/start", 0)
	c := talk{rig: r, dir: r.opencode.Directory()}
	c.session = r.opencode.NewSession(c.dir, "fix checkout flow")
	return c
}

// finish lets the session work and come to an end.
func (c talk) finish() {
	c.t.Helper()
	c.opencode.Ask(c.dir, c.session, database())
	c.opencode.AnswerAtTUI(c.opencode.Pending(c.dir)[0], [][]string{{"SQLite"}})
	c.wait(10 * time.Second)
}

// prompts are the texts that the session was given, in their order.
func (c talk) prompts() []string {
	var all []string
	for _, p := range c.opencode.Prompts() {
		all = append(all, p.Text)
	}
	return all
}

func (c talk) wantPrompts(want ...string) {
	c.t.Helper()
	if got := c.prompts(); !slices.Equal(got, want) {
		c.t.Errorf("the session was told %q, want %q\n%s\nlog:\n%s", got, want, c.telegram.History(ada), c.log.String())
	}
}

// driven are what people who drive sessions live through, in both languages.
func driven() map[string]func(talk) {
	return map[string]func(talk){
		"turn-and-reply": func(c talk) {
			c.say("/level turns", 0)
			c.finish()
			c.reply("Now the tests, please.")
			c.wait(20 * time.Second)
			c.wantPrompts("Now the tests, please.")
		},
	}
}

func TestDriven(t *testing.T) {
	for name, play := range driven() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := drivingRig(t, opencode.VersionNew, func(c *config) { c.Lang = lang })
					defer c.end()
					play(c)
					golden(t, "remote-"+name+"."+lang+".txt", c.telegram.History(ada))
				})
			})
		}
	}
}

// useSession makes what Ada writes go to the session.
func (c talk) useSession() {
	c.t.Helper()
	c.say("/use fix checkout", 0)
	c.screen(c.word("What you write here goes to this session.", "你在这里写的内容会发给这个会话。"))
}
