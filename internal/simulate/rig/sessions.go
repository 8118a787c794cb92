package rig

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	telegram "hermes/internal/simulate/telegramsim"
)

// DrivingRig is a talk in which Ada may drive sessions.
func DrivingRig(t *testing.T, version string, alter func(*config.Config)) Talk {
	t.Helper()
	return New(t, version, alter).talk()
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

// Send is something of Ada's that is no text, with a caption; a replyTo of 0 is no reply.
func (r *Rig) Send(what telegram.SayOption, caption string, replyTo int, how ...telegram.SayOption) int {
	r.T.Helper()
	if replyTo != 0 {
		how = append(how, telegram.ReplyTo(replyTo))
	}
	id, err := r.Telegram.Say(Ada, Ada, caption, append(how, what)...)
	if err != nil {
		r.T.Fatal(err)
	}
	return id
}

// Sends is send, and what comes of it.
func (r *Rig) Sends(what telegram.SayOption, caption string, replyTo int) {
	r.T.Helper()
	r.Send(what, caption, replyTo)
	r.Wait(20 * time.Second)
}

// Driving plays a test in which Ada may drive sessions, with a version of OpenCode.
func Driving(t *testing.T, version string, alter func(*config.Config), test func(Talk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := DrivingRig(t, version, alter)
		defer c.End()
		test(c)
	})
}

const (
	LateButton, LateButtonZh = "📨 Send as a prompt", "📨 作为新消息发给智能体"
)

// TapOn is a tap of Ada's on a button of a message.
func (c Talk) TapOn(message int, label string) {
	c.T.Helper()
	if _, err := c.Telegram.Tap(Ada, Ada, message, label); err != nil {
		c.T.Fatalf("%v\n%s", err, c.Telegram.Transcript(Ada))
	}
	c.Wait(2 * time.Second)
}

// MessageWith is the newest message with such a button.
func (l *Life) MessageWith(label string) int {
	l.T.Helper()
	for range 3 {
		all := l.Telegram.Messages(Ada)
		for _, m := range slices.Backward(all) {
			if slices.ContainsFunc(m.Labels(), func(l string) bool { return strings.HasPrefix(l, label) }) {
				return m.ID
			}
		}
		l.Pass(5 * time.Second)
	}
	l.T.Fatalf("there is no button %q:\n%s", label, l.Telegram.Transcript(Ada))
	return 0
}

// PressWherever taps the newest button with the label.
func (l *Life) PressWherever(label string) {
	l.T.Helper()
	l.PressOn(l.MessageWith(label), label)
}
