package telegramsim_test

import (
	"testing"

	"hermes/internal/simulate/telegramsim"
)

// What Telegram makes of a text of the bot, in code as anywhere else.
func TestTextsAreCleanedAsTelegramDoes(t *testing.T) {
	for in, want := range map[string]string{
		"<pre>a\tb\x01c</pre>":           "<pre>a b c</pre>",
		"x\u0333 y\u030A <b>z\u033F</b>": "x y <b>z</b>",
		"a\r\nb":                         "a\nb",
		"a\u202Eb\u2028c":                "abc",
		"a\u200F\u200E\u200Fb\u200Ec":    "a\u200C\u200C\u200Fb\u200Ec",
		"👋\u030A<b>\u202E👋b</b><i>c</i>": "👋<b>👋b</b><i>c</i>",
		"<b>\u030A</b>x":                 "x",
	} {
		s := world(t, telegramsim.Options{})
		call(t, s, "sendMessage", to(ada, args{"text": in, "parse_mode": "HTML"}))
		if got := s.Messages(ada)[1].HTML; got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}
