package markup_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"hermes/internal/letters"
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

func TestIsolate_RightToLeft(t *testing.T) {
	if got := markup.Isolate("بيانات"); got != "\u2068بيانات\u2069" {
		t.Errorf("got %q", got)
	}
	if got := markup.Isolate("Données"); got != "Données" {
		t.Errorf("got %q", got)
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"short", 30, "short"},
		{"2. PostgreSQL", 10, "2. Postgr…"},
		{"数据库数据库", 7, "数据库…"},
		{strings.Repeat("x", 31), 30, strings.Repeat("x", 29) + "…"},
	} {
		got := markup.Shorten(c.in, c.width)
		if got != c.want || markup.Width(got) > c.width {
			t.Errorf("%q to %d: got %q", c.in, c.width, got)
		}
	}
}

func TestEnding(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"short", 5, "short"},
		{"0123456789", 6, "…\n6789"},
		{"one\ntwo three\nfour", 14, "…\nfour"},
		{"äöü€漢字🙂", 4, "…\n🙂"},
		{"line\n" + strings.Repeat("y", 20), 20, "…\n" + strings.Repeat("y", 18)},
	} {
		if got := markup.Ending(c.text, c.n); got != c.want || markup.Units(got) > c.n {
			t.Errorf("%q to %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

// A name in a text is code, so Telegram tells nobody of it. The text itself stays.
func TestText_MentionsNobody(t *testing.T) {
	for text, want := range map[string]string{
		"ask @bob, <b> & @ada_1.":    "ask <code>@bob</code>, &lt;b&gt; &amp; <code>@ada_1</code>.",
		"@angular/core":              "<code>@angular</code>/core",
		"ada@example.org, a @ b, @a": "ada@example.org, a @ b, @a",
		"ж@bobby (@bobby)":           "ж@bobby (<code>@bobby</code>)",
		"<@bobby>":                   "&lt;<code>@bobby</code>&gt;",
		strings.Repeat("@bob ", 9):   "<code>" + strings.Repeat("@bob ", 9) + "</code>",
	} {
		for tag, span := range map[string]markup.Span{"": {}, "b": {Bold: true}, "blockquote": {Quote: true}} {
			span.Text = text
			got := markup.Text{span}.HTML()
			if tag != "" {
				got = strings.TrimSuffix(strings.TrimPrefix(got, "<"+tag+">"), "</"+tag+">")
			}
			if got != want {
				t.Errorf("%q in %q: got %q, want %q", text, tag, got, want)
			}
		}
	}
	code := markup.Text{{Text: "@bob", Code: "bash"}}
	if got := code.HTML(); strings.Count(got, "<code") != 1 {
		t.Errorf("in code: %q", got)
	}
	if got := markup.Plain("a@b.org @bob").Unmarked(); got != "a@b.org ＠bob" {
		t.Errorf("without markup: %q", got)
	}
	var many markup.Text
	for range 60 {
		many = append(many, markup.Plain("@bob and @ada\n")...)
	}
	for _, part := range markup.Split(many) {
		if n := strings.Count(part.HTML(), "</"); n > 100 {
			t.Errorf("a part with %d entities", n)
		}
	}
}

func rejoined(parts []markup.Text) string {
	var b strings.Builder
	for i, part := range parts {
		text := part.String()
		if i > 0 {
			text = strings.TrimPrefix(text, markup.More)
		}
		b.WriteString(text)
	}
	return b.String()
}

func TestSplit_PrefersParagraphsLinesAndWords(t *testing.T) {
	for name, sep := range map[string]string{"paragraph": "\n\n", "line": "\n", "word": " "} {
		text := strings.Repeat("x", 3000) + sep + strings.Repeat("y", 2000)
		parts := markup.Split(markup.Plain(text))
		if len(parts) != 2 || parts[0].String() != strings.Repeat("x", 3000)+sep || rejoined(parts) != text {
			t.Errorf("%s: %d parts, the first of %d", name, len(parts), parts[0].Units())
		}
	}
}

func TestSplit_KeepsLettersWhole(t *testing.T) {
	family := "👨\u200D👩\u200D👧"
	for shift := range 5 {
		text := strings.Repeat("x", shift) + strings.Repeat(family, 1000)
		for i, part := range markup.Split(markup.Plain(text)) {
			last, _ := utf8.DecodeLastRuneInString(part.String())
			first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(part.String(), markup.More))
			if i > 0 && first == 0x200D || part.Units() == markup.MaxUnits && last == 0x200D {
				t.Errorf("shift %d: part %d tears an emoji", shift, i)
			}
		}
	}
}

// Telegram counts UTF-16 units, or code points: a part fits by both.
func TestSplit_CountsUnits(t *testing.T) {
	for name, text := range map[string]string{"one emoji": "🔐" + strings.Repeat("y", 9000), "emojis": strings.Repeat("🔐", 3000)} {
		parts := markup.Split(markup.Plain(text))
		for _, part := range parts {
			if n := len(utf16.Encode([]rune(part.String()))); n > 4096 || n != part.Units() {
				t.Errorf("%s: a part of %d units", name, n)
			}
		}
		if len(parts) > 3 || rejoined(parts) != text {
			t.Errorf("%s: %d parts", name, len(parts))
		}
	}
	parts := markup.SplitFirst(markup.Plain(strings.Repeat("y", 9000)), 1000)
	if len(parts) != 3 || parts[0].Units() != 1000 || parts[1].Units() != 4096 {
		t.Errorf("%d parts, the first of %d", len(parts), parts[0].Units())
	}
	if parts := markup.SplitTo(markup.Plain(strings.Repeat("y", 9000)), 1000); len(parts) != 10 || parts[9].Units() > 1000 || rejoined(parts) != strings.Repeat("y", 9000) {
		t.Errorf("%d parts, the last of %d", len(parts), parts[len(parts)-1].Units())
	}
}

// Telegram keeps a hundred entities of a message.
func TestSplit_CountsEntities(t *testing.T) {
	var text markup.Text
	for i := range 250 {
		text = append(text, markup.Span{Text: strconv.Itoa(i), Bold: i%2 == 0, Quote: i%2 == 1}, markup.Span{Text: "\n"})
	}
	parts := markup.Split(text)
	for _, part := range parts {
		if n := strings.Count(part.HTML(), "</"); n > 100 {
			t.Errorf("a part with %d entities", n)
		}
	}
	if len(parts) != 3 || rejoined(parts) != text.String() {
		t.Errorf("%d parts", len(parts))
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("a <b> & c", uint16(5000), true)
	f.Add("word \n", uint16(3000), false)
	f.Add("é\u0301", uint16(5000), true)
	f.Fuzz(func(t *testing.T, unit string, times uint16, strong bool) {
		unit = letters.Clean(unit)
		if unit == "" || len(unit)*int(times) > 1<<20 {
			return
		}
		whole := markup.Text{{Text: "head "}, {Text: strings.Repeat(unit, int(times)), Bold: strong}, {Text: " tail"}}
		parts := markup.Split(whole)
		if rejoined(parts) != whole.String() {
			t.Fatal("text was lost")
		}
		for _, part := range parts {
			if part.Units() > markup.MaxUnits || len(part.HTML()) > 32768 {
				t.Fatalf("a part of %d code points, %d bytes", part.Units(), len(part.HTML()))
			}
		}
	})
}
