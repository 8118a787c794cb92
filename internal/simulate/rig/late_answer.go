package rig

import (
	"time"
)

const (
	LateButton, LateButtonZh = "📨 Send my answer as a prompt", "📨 把我的回答作为提示发送"
	SendButton, SendButtonZh = "✅ Send", "✅ 发送"
)

// LoseQuestion makes OpenCode forget the questions that it asks.
func (c Talk) LoseQuestion() {
	c.T.Helper()
	c.Opencode.Restart()
	c.Wait(5 * time.Second)
}

// TimeOut lets the time pass in which somebody could have answered.
func (c Talk) TimeOut() {
	c.T.Helper()
	c.Wait(31 * time.Minute)
}

// TapLateButton taps the button of the card that has ended.
func (c Talk) TapLateButton() {
	c.T.Helper()
	c.Tap(c.InLanguage(LateButton, LateButtonZh))
	c.Wait(2 * time.Second)
}

// TapOn is a tap of Ada's on a button of a message.
func (c Talk) TapOn(message int, label string) {
	c.T.Helper()
	if _, err := c.Telegram.Tap(Ada, Ada, message, label); err != nil {
		c.T.Fatalf("%v\n%s", err, c.Telegram.Transcript(Ada))
	}
	c.Wait(2 * time.Second)
}

// WantNoButton fails the test if the message has one.
func (c Talk) WantNoButton(message int) {
	c.T.Helper()
	for _, m := range c.Telegram.Messages(Ada) {
		if m.ID == message && len(m.Rows) > 0 {
			c.T.Errorf("a button is left:\n%s", c.Telegram.Transcript(Ada))
		}
	}
}
