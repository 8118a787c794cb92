package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// What hermes cannot read it says so of, whether it was meant for a session or for a question.
func TestSessions_RichMessagesAreAnswered(t *testing.T) {
	rich := telegram.WithContent("rich_message", `{"blocks":[{"type":"heading","text":"Use this"}]}`)
	for lang, want := range map[string][2]string{
		"en": {"Not sent: hermes cannot pass a message with rich formatting on to the agent.", "That is not an answer. Tap a button, or reply with text."},
		"zh": {"未发送：hermes 无法把富文本消息转给智能体。", "这不是答案。请点按钮，或用文字回复。"},
	} {
		rig.Driving(t, opencode.VersionNew, func(c *config.Config) { c.Lang = lang }, func(c rig.Talk) {
			c.UseSession()
			c.Sends(rich, "", 0)
			if text := c.Last().Text; !strings.Contains(text, want[0]) {
				t.Errorf("%s: a prompt is answered %q", lang, text)
			}
			c.Ask(rig.DatabaseQuestion())
			card := c.Last()
			c.Sends(rich, "", card.ID)
			if text := c.Last().Text; !strings.Contains(text, want[1]) {
				t.Errorf("%s: an answer is answered %q", lang, text)
			}
		})
	}
}

// Telegram's answer to a message holds the message that it replies to, with whatever that
// is (Client.cpp:12581), such as kinds of paid media that are newer than the library
// (Client.cpp:2128, 2142). It says once that this was not sent.
func TestSessions_NotSentIsSaidOnce(t *testing.T) {
	for _, kind := range []string{"live_photo", "other"} {
		rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
			c.UseSession()
			c.Sends(telegram.WithContent("paid_media", `{"star_count":1,"paid_media":[{"type":"`+kind+`"}]}`), "look", 0)
			c.Wait(10 * time.Minute)
			said := 0
			for _, m := range c.Telegram.Messages(rig.Ada) {
				if strings.Contains(m.Text, "Not sent") {
					said++
				}
			}
			if said != 1 {
				t.Errorf("%s: it was said %d times:\n%s", kind, said, c.Telegram.Transcript(rig.Ada))
			}
		})
	}
}
