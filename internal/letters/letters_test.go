package letters_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hermes/internal/letters"
)

func TestLetters_CleanLosesNothing(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n text":            "plain\n text",
		"a\r\nb":                  "a\nb",
		"rm -rf /\rls":            "rm -rf /␍ls",
		"nul\x00bell\x07":         "nul␀bell␇",
		"del\x7f":                 "del␡",
		"abc\u202Egnp.exe":        "abc[U+202E]gnp.exe",
		"\u2067x\u2069":           "[U+2067]x[U+2069]",
		"line\u2028break":         "line[U+2028]break",
		"c1\u0085":                "c1[U+0085]",
		"bad\xff":                 "bad\uFFFD",
		"שלום \u200F!":            "שלום \u200F!",
		"family 👨\u200D👩\u200D👧":  "family 👨\u200D👩\u200D👧",
		"\tx\n\t\ty\nab\tz":       "    x\n        y\nab  z",
		"a\u030Angstro\u0308m":    "ångstro\u0308m",
		"x\u0333 q\u030A o\u033F": "x[U+0333] q[U+030A] o[U+033F]",
	} {
		if got := letters.Clean(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLetters_Exposed(t *testing.T) {
	for in, want := range map[string]string{
		"printf 'a\tb'":                    "printf 'a␉b'",
		"printf 'a b'":                     "printf 'a b'",
		"printf 'a␉b'":                     "printf 'a[U+2409]b'",
		"echo [U+200B]":                    "echo [U+005B]U+200B]",
		"echo \u200B":                      "echo [U+200B]",
		"[x] && a[0]":                      "[x] && a[0]",
		"⋯ 9 blank lines ⋯":                "[U+22EF] 9 blank lines [U+22EF]",
		"a\r\nb":                           "a␍\nb",
		"x\u0333 y\u030A z\u033F":          "x[U+0333] y[U+030A] z[U+033F]",
		"a\u00A0b\u3000":                   "a[U+00A0]b[U+3000]",
		"\uE000 \U000F0000":                "[U+E000] [U+F0000]",
		"\u0378 \u2800 \uFFFC":             "[U+0378] [U+2800] [U+FFFC]",
		"é e\u0301 数据库 👋🏽":                 "é e\u0301 数据库 👋🏽",
		"e\u0302\u0301\u0301\u0489f\u0301": "e\u0302\u0301[U+0301][U+0489]f\u0301",

		"https://g\u0456thub.com/a":            "https://g[U+0456]thub.com/a",
		"g\u0261thub ｇithub \U0001D420ithub":   "g[U+0261]thub [U+FF47]ithub [U+1D420]ithub",
		"аррӏе.com/сор аррӏе-login.com":        "[U+0430][U+0440][U+0440][U+04CF][U+0435].com/сор [U+0430][U+0440][U+0440][U+04CF][U+0435]-login.com",
		"cοm, \u0391pple":                      "c[U+03BF]m, [U+0391]pple",
		"Привет, мир: файл тест.txt, API-ключ": "Привет, мир: файл тест.txt, API-ключ",
		"Ωμέγα λx Δt 数据库sql ｆｕｌｌ nº 5":         "Ωμέγα λx Δt 数据库sql ｆｕｌｌ nº 5",
		"москва.рф пример.com":                 "москва.рф пример.com",
	} {
		if got := letters.Exposed(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := letters.OneLine("a\tb\nc␤"); got != "a␉b␤c[U+2424]" {
		t.Errorf("got %q", got)
	}
}

// Padding is counted, and no text has a line that looks like that.
func TestLetters_Fold(t *testing.T) {
	for in, want := range map[string]string{
		"echo\n\n\n\nok": "echo\n\n\n\nok",
		"echo" + strings.Repeat("\n", 901) + "rm -rf ~":         "echo\n⋯ 900 blank lines ⋯\nrm -rf ~",
		"a\n \n\n\t\n" + strings.Repeat(" ", 30) + "\nb":        "a\n⋯ 4 blank lines ⋯\nb",
		"a" + strings.Repeat(" ", 20) + "b":                     "a" + strings.Repeat(" ", 20) + "b",
		"a" + strings.Repeat(" ", 1900) + "b  c":                "a⋯ 1900 spaces ⋯b  c",
		"if\n" + strings.Repeat(" ", 40) + "b":                  "if\n" + strings.Repeat(" ", 40) + "b",
		"if\n" + strings.Repeat(" ", 41) + "b":                  "if\n⋯ 41 spaces ⋯b",
		"a\n⋯ 900 blank lines ⋯\nb":                             "a\n[U+22EF] 900 blank lines [U+22EF]\nb",
		"+\n+\n+\n+\n+b":                                        "+\n+\n+\n+\n+b",
		strings.Repeat("\n", 4) + "a" + strings.Repeat("\n", 4): "⋯ 4 blank lines ⋯\na\n⋯ 4 blank lines ⋯",
	} {
		if got := letters.Fold(letters.Exposed(in), false, "%d blank lines", "%d spaces"); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	diff := "@@ -1 +1,5 @@\n+a" + strings.Repeat("\n+", 5) + strings.Repeat("\n+\t", 5) + strings.Repeat("\n-", 5) + "\n \n \n+" + strings.Repeat("\t", 30) + "b"
	want := "@@ -1 +1,5 @@\n+a\n+⋯ 10 blank lines ⋯\n-⋯ 5 blank lines ⋯\n \n \n+" + strings.Repeat("␉   ", 30) + "b"
	if got := letters.Fold(letters.Diff(diff), true, "%d blank lines", "%d spaces"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A diff keeps its indentation, and a tab is told from spaces.
func TestLetters_Diff(t *testing.T) {
	in := "--- a.go\t2026-11-22\n+++ a.go\n@@ -1,2 +1,2 @@\n func f() {\n-\treturn\n+    return\n+\t\treturn 1\t// one"
	want := "--- a.go␉2026-11-22\n+++ a.go\n@@ -1,2 +1,2 @@\n func f() {\n-␉   return\n+    return\n+␉   ␉   return 1␉   // one"
	if got := letters.Diff(in); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Of each category of Unicode: what may be shown as it is, and what may not.
func TestLetters_HiddenByCategory(t *testing.T) {
	shown := map[string]bool{
		"Lu": true, "Ll": true, "Lt": true, "Lm": true, "Lo": true, "Mn": true, "Mc": true, "Me": true, "Nd": true, "Nl": true, "No": true,
		"Pc": true, "Pd": true, "Ps": true, "Pe": true, "Pi": true, "Pf": true, "Po": true, "Sm": true, "Sc": true, "Sk": true, "So": true,
		"Zs": false, "Zl": false, "Zp": false, "Cc": false, "Cf": false, "Co": false, "Cs": false,
	}
	excepted := map[rune]bool{' ': true, 0x2800: true, 0xFFFC: true, 0x030A: true, 0x0333: true, 0x033F: true}
	for name, table := range unicode.Categories {
		want, known := shown[name]
		if len(name) != 2 || name == "LC" || name == "Cn" {
			continue
		}
		if !known {
			t.Errorf("category %s is new", name)
		}
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if !unicode.Is(table, r) || excepted[r] || r >= 0x2400 && r <= 0x2426 ||
				unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
				continue
			}
			if letters.Hidden(r) == want {
				t.Fatalf("%s: %U is hidden: %v", name, r, letters.Hidden(r))
			}
		}
	}
	for r := range excepted {
		if letters.Hidden(r) == (r == ' ') {
			t.Errorf("%U is hidden: %v", r, letters.Hidden(r))
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ { // unassigned ones, too
		if utf8.ValidRune(r) && !unicode.IsGraphic(r) && !letters.Hidden(r) {
			t.Fatalf("%U can be taken for nothing", r)
		}
	}
}

// Nothing is hidden in what is exposed, nothing of it is changed on the way to a screen, and the text can be had back
// from it: so no two texts look the same.
func FuzzExposed(f *testing.F) {
	for _, s := range []string{"", "a\tb", "a␉b", "[U+2409]", "[[U+005B]U+", "\n\t\r\x00", "-\tx\n+    x", "\u030A\u0333", "[U+", "x\u202Ey", "\uFFFD", "g\u0456t⋯hub.cоm", "e\u0301\u0301\u0301\u0301", "\u0430.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		for stop, shown := range map[int]string{0: letters.Exposed(s), letters.TabStop: letters.Diff(s)} {
			for _, r := range shown {
				if r != '\n' && letters.Hidden(r) && !(r >= 0x2400 && r <= 0x2426) {
					t.Fatalf("%q is shown as %q, and %U is hidden", s, shown, r)
				}
			}
			if back := read(shown, stop); back != s {
				t.Fatalf("%q is shown as %q, which reads %q", s, shown, back)
			}
		}
	})
}

// read is the text that was exposed.
func read(shown string, stop int) string {
	var b strings.Builder
	column := 0
	for shown != "" {
		r, n := utf8.DecodeRuneInString(shown)
		used := 1
		switch end := strings.IndexByte(shown, ']'); {
		case r == 0x2409 && stop > 0:
			b.WriteByte('\t')
			for used = 1; (column+used-1)%stop != 0; used++ {
			}
			n += used - 1
		case r >= 0x2400 && r <= 0x2420:
			b.WriteRune(r - 0x2400)
		case r == 0x2421:
			b.WriteByte(0x7F)
		case strings.HasPrefix(shown, "[U+"):
			code, _ := strconv.ParseInt(shown[3:end], 16, 32)
			b.WriteRune(rune(code))
			n, used = end+1, end+1
		default:
			b.WriteRune(r)
		}
		column += used
		if r == '\n' {
			column = 0
		}
		shown = shown[n:]
	}
	return b.String()
}

func TestLetters_OnATerminal(t *testing.T) {
	for in, want := range map[string][2]string{ // ForTerminal, Escaped
		"plain \"text\"":     {"plain \"text\"", "plain \"text\""},
		"a\tb\nc\r\nd":       {"a    b\nc\nd", `a\tb\nc\r\nd`},
		"\x1b[31mred":        {"␛[31mred", `\x1b[31mred`},
		"abc\u202Egnp":       {"abc[U+202E]gnp", `abc\u202egnp`},
		`a\b`:                {`a\b`, `a\b`},
		"a\u00A0b":           {"a\u00A0b", `a\u00a0b`},
		"\U0001F468\u200Dx":  {"\U0001F468\u200Dx", "\U0001F468\\u200dx"},
		"line\u2028":         {"line[U+2028]", `line\u2028`},
		"bad\xff, \uE000, 值": {"bad\uFFFD, [U+E000], 值", "bad\uFFFD, \\ue000, 值"},
	} {
		if got := [2]string{letters.ForTerminal(in), letters.Escaped(in)}; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLook(t *testing.T) {
	for _, same := range [][]string{
		{"Ada", "ada", " ADA ", "Аԁа", "Ad\u200ba", "Ａｄａ", "𝐀da", "Αda"},
		{"Bill O'Neil", "BiIl  0'Neil", "Віll О'Νеіl"},
		{"Chen", "Сhеn"},
		{"陈晨", "陈晨 "},
	} {
		for _, name := range same {
			if letters.Look(name) != letters.Look(same[0]) {
				t.Errorf("%q looks like %q, and %q like %q", name, letters.Look(name), same[0], letters.Look(same[0]))
			}
		}
	}
	for name, other := range map[string]string{"Ada": "Adam", "Bob": "Rob", "Chen": "Cheng", "陈晨": "陈辰", "Иван": "Ivan", "Zoë": "Zoe"} {
		if letters.Look(name) == letters.Look(other) {
			t.Errorf("%q looks like %q", name, other)
		}
	}
}
