package rig

import (
	"time"
)

const (
	LateButton, LateButtonZh = "📨 Send my answer as a prompt", "📨 把我的回答作为提示发送"
	SendButton, SendButtonZh = "✅ Send", "✅ 发送"
)

// Lose makes OpenCode forget the questions that it asks.
func (c Talk) Lose() {
	c.T.Helper()
	c.Opencode.Restart()
	c.Wait(5 * time.Second)
}

// Late taps the button of the card that has ended.
func (c Talk) Late() {
	c.T.Helper()
	c.Tap(c.Word(LateButton, LateButtonZh))
	c.Wait(2 * time.Second)
}

func (c Talk) TapOn(message int, label string) {
	c.T.Helper()
	if _, err := c.Telegram.Tap(Ada, Ada, message, label); err != nil {
		c.T.Fatalf("%v\n%s", err, c.Telegram.Transcript(Ada))
	}
	c.Wait(2 * time.Second)
}

// NoButton fails the test if the message has one.
func (c Talk) NoButton(message int) {
	c.T.Helper()
	for _, m := range c.Telegram.Messages(Ada) {
		if m.ID == message && len(m.Rows) > 0 {
			c.T.Errorf("a button is left:\n%s", c.Telegram.Transcript(Ada))
		}
	}
}
