package rig

import (
	"testing"
	"testing/synctest"

	"hermes/internal/config"
	telegram "hermes/internal/simulate/telegramsim"
)

// Driving plays a test in which Ada may drive sessions, with a version of OpenCode.
func Driving(t *testing.T, version string, alter func(*config.Config), test func(Talk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := DrivingRig(t, version, alter)
		defer c.End()
		test(c)
	})
}

// SayByHand is a text of Ada's that is not waited for.
func (c Talk) SayByHand(text string, replyTo int) {
	c.T.Helper()
	var how []telegram.SayOption
	if replyTo != 0 {
		how = append(how, telegram.ReplyTo(replyTo))
	}
	if _, err := c.Rig.Telegram.Say(Ada, Ada, text, how...); err != nil {
		c.T.Fatal(err)
	}
}
