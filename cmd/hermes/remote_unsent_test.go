package main

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// What hermes cannot read it says so of, whether it was meant for a session or for a question.
func TestRichMessagesAreAnswered(t *testing.T) {
	rich := telegram.WithContent("rich_message", `{"blocks":[{"type":"heading","text":"Use this"}]}`)
	for lang, want := range map[string][2]string{
		"en": {"Not sent: hermes cannot pass a message with rich formatting on to the agent.", "That is no answer. Tap a button, or reply with text."},
		"zh": {"未发送:hermes 无法把富文本消息转给智能体。", "这不是答案。请点按钮,或用文字回复。"},
	} {
		driving(t, opencode.VersionNew, func(c *config) { c.Lang = lang }, func(c talk) {
			c.useSession()
			c.sends(rich, "", 0)
			if text := c.last().Text; !strings.Contains(text, want[0]) {
				t.Errorf("%s: a prompt is answered %q", lang, text)
			}
			c.ask(database())
			card := c.last()
			c.sends(rich, "", card.ID)
			if text := c.last().Text; !strings.Contains(text, want[1]) {
				t.Errorf("%s: an answer is answered %q", lang, text)
			}
		})
	}
}

// Telegram's answer to a message holds the message that it replies to, with whatever that
// is (Client.cpp:12581), such as kinds of paid media that are newer than the library
// (Client.cpp:2128, 2142). It says once that this was not sent.
func TestNotSentIsSaidOnce(t *testing.T) {
	for _, kind := range []string{"live_photo", "other"} {
		driving(t, opencode.VersionNew, nil, func(c talk) {
			c.useSession()
			c.sends(telegram.WithContent("paid_media", `{"star_count":1,"paid_media":[{"type":"`+kind+`"}]}`), "look", 0)
			c.wait(10 * time.Minute)
			said := 0
			for _, m := range c.telegram.Messages(ada) {
				if strings.Contains(m.Text, "Not sent") {
					said++
				}
			}
			if said != 1 {
				t.Errorf("%s: it was said %d times:\n%s", kind, said, c.telegram.Transcript(ada))
			}
		})
	}
}
