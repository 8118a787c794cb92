package card_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hermes/telegram/callback"
	"hermes/telegram/card"
	"hermes/telegram/cardtest"
	"hermes/telegram/words"
)

// A placeholder has at most 64 characters (Bot API ForceReply), and nothing else begins as a reply box does.
func TestReplyBox_Words(t *testing.T) {
	for _, w := range []words.Table{words.For("en"), words.For("zh")} {
		for _, holder := range []string{w.Holder, w.Permission.Holder} {
			if n := utf8.RuneCountInString(holder); n == 0 || n > 64 {
				t.Errorf("%q has %d characters", holder, n)
			}
		}
	}
	for _, s := range append(open(), closedScenes()...) {
		for _, part := range card.Render(s.view, words.For("en"), cardtest.Noon()).Parts {
			if strings.HasPrefix(part.String(), callback.ReplyBoxSign) {
				t.Errorf("%s begins with %s", s.name, callback.ReplyBoxSign)
			}
		}
	}
}
