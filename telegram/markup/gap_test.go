package markup_test

import (
	"testing"

	"hermes/telegram/markup"
)

// In a Chinese sentence a Latin name stands between spaces, and a Chinese one without any.
func TestPhrase_SetsChinese(t *testing.T) {
	for _, c := range []struct{ format, name, want string }{
		{"已由 %s 忽略 · %s", "Ada", "已由 Ada 忽略 · 14:05"},
		{"已由 %s 忽略 · %s", "规则“names”", "已由规则“names”忽略 · 14:05"},
		{"已由 %s 忽略 · %s", "王小明", "已由王小明忽略 · 14:05"},
		{"已由 %s 忽略 · %s", "王 Ada", "已由王 Ada 忽略 · 14:05"},
		{"已由 %s 忽略 · %s", "", "已由  忽略 · 14:05"},
		{"%s 的回答 · %s", "王", "王的回答 · 14:05"},
		{"%s · %s", "王", "王 · 14:05"},
		{"Dismissed by %s · %s", "王", "Dismissed by 王 · 14:05"},
		{"by rule “%s” alone · %s", "王", "by rule “王” alone · 14:05"},
	} {
		if got := markup.Phrase(c.format, markup.Plain(c.name), markup.Plain("14:05")).String(); got != c.want {
			t.Errorf("%q with %q: %q, want %q", c.format, c.name, got, c.want)
		}
	}
}

func TestGap(t *testing.T) {
	for sentence, want := range map[string]string{"": "", "Done.": " ", "完成。": "", "忽略？": "", "没有": " ", "“x”": " "} {
		if got := markup.Gap(sentence); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}
