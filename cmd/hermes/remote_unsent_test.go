package main

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/opencode/simulator"
	telegram "hermes/telegram/simulator"
)

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
