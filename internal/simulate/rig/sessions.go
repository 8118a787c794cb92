package rig

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/config"
)

// DrivingRig is a talk in which Ada may drive sessions.
func DrivingRig(t *testing.T, version string, alter func(*config.Config)) Talk {
	t.Helper()
	r := NewStopped(t, version, func(c *config.Config) {
		c.Remote, c.IdleDelay = true, 5*time.Second
		if alter != nil {
			alter(c)
		}
	})
	r.Start()
	r.Say("/start", 0)
	c := Talk{Rig: r, Dir: r.Opencode.Directory()}
	c.Session = r.Opencode.NewSession(c.Dir, "fix checkout flow")
	return c
}

// Finish lets the session work and come to an end.
func (c Talk) Finish() {
	c.T.Helper()
	c.Opencode.Ask(c.Dir, c.Session, DatabaseQuestion())
	c.Opencode.AnswerAtTUI(c.Opencode.Pending(c.Dir)[0], [][]string{{"SQLite"}})
	c.Wait(10 * time.Second)
}

// FinishAfter lets the session work for a while, at the keyboard alone, and come to an end.
func (c Talk) FinishAfter(works time.Duration) {
	c.T.Helper()
	c.Opencode.Speak(c.Session, "I look at the tests. ")
	c.Wait(works)
	c.Opencode.Say(c.Session, "All is well.")
	c.Wait(10 * time.Second)
}

// Prompts are the texts that the session was given, in their order.
func (c Talk) Prompts() []string {
	var all []string
	for _, p := range c.Opencode.Prompts() {
		all = append(all, p.Text)
	}
	return all
}

// WantPrompts fails the test unless the sessions got these texts, in this order.
func (c Talk) WantPrompts(want ...string) {
	c.T.Helper()
	if got := c.Prompts(); !slices.Equal(got, want) {
		c.T.Errorf("the session was told %q, want %q\n%s\nlog:\n%s", got, want, c.Telegram.History(Ada), c.Log.String())
	}
}

// TranscriptOf plays a talk and gives Ada's chat.
func (c Talk) TranscriptOf(play func(Talk)) string {
	play(c)
	return c.Telegram.History(Ada)
}

// UseSession makes what Ada writes go to the session.
func (c Talk) UseSession() {
	c.T.Helper()
	c.Say("/use fix checkout", 0)
	c.WantScreen(c.InLanguage("What you write here goes to this session.", "你在这里写的内容会发给这个会话。"))
}

// TapNewest taps on the newest message that has buttons.
func (c Talk) TapNewest(label string) {
	c.T.Helper()
	card := 0
	for _, m := range c.Telegram.Messages(Ada) {
		if len(m.Rows) > 0 {
			card = m.ID
		}
	}
	if _, err := c.Telegram.Tap(Ada, Ada, card, label); err != nil {
		c.T.Fatalf("%v\n%s", err, c.Telegram.History(Ada))
	}
}
