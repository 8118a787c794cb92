package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"hermes/internal/session"
	"hermes/telegram/cardtest"
	"hermes/telegram/markup"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// wholeFile is the change of one line of a file with this many, as OpenCode has it: with all others around it.
func wholeFile(name string, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Index: %s\n=====\n--- %s\n+++ %s\n@@ -1,%d +1,%d @@\n", name, name, name, lines, lines)
	for n := 1; n <= lines; n++ {
		if n == lines/2 {
			fmt.Fprintf(&b, "-line <%d>\n+LINE <%d>\n", n, n)
			continue
		}
		fmt.Fprintf(&b, " line <%d>\n", n)
	}
	return b.String()
}

// allNew is a new file with this many lines.
func allNew(name string, lines int) string {
	return fmt.Sprintf("--- %s\n+++ %s\n@@ -0,0 +1,%d @@\n%s", name, name, lines, strings.Repeat("+\tnew & old\n", lines))
}

func rendered(diff, lang string) ui.Body {
	return ui.Diff(session.Session{ID: "ses_1", Directory: "/src/shop-api", Title: "fix checkout flow"}, diff)(reader(lang))
}

func TestDiff_Reads(t *testing.T) {
	several := wholeFile("src/cart/main.go", 1500) + allNew("docs/"+strings.Repeat("deep/", 30)+"a.md", 200) + "--- b.go\n+++ b.go\n@@ -1 +0,0 @@\n-old\n" +
		"diff --git a/logo.png b/logo2.png\nrename from logo.png\nrename to logo2.png\nBinary files a/logo.png and b/logo2.png differ\n"
	var many strings.Builder
	for n := range 300 {
		many.WriteString(allNew(fmt.Sprintf("src/part-%d.go", n), n+1))
	}
	for _, lang := range words.Languages() {
		var b strings.Builder
		for _, c := range []struct{ name, diff string }{
			{"one file", wholeFile("main.go", 1500)}, {"several", several}, {"very many", many.String()}, {"nothing", ""}, {"no diff at all", "what is this?"},
		} {
			m := rendered(c.diff, lang)
			fmt.Fprintf(&b, "=== %s\n", c.name)
			if m.File != "" {
				fmt.Fprintf(&b, "[file %s, %d bytes]\n%s\n", m.FileName, len(m.File), m.Caption)
			}
			fmt.Fprintln(&b, shownMessage(m))
		}
		cardtest.Golden(t, "diff."+lang+".txt", b.String())
	}
}

// What Telegram takes no file of is listed.
func TestDiff_TooLarge(t *testing.T) {
	m := rendered("--- a\n+++ a\n@@ -1 +1 @@\n-a\n+"+strings.Repeat("x", 51<<20)+"\n", "en")
	if text := m.Parts[0].String(); m.File != "" || !strings.Contains(text, "📄 a +1 −1\n") || !strings.Contains(text, "they are 51.1 MB") {
		t.Errorf("a file of %d bytes, %q", len(m.File), text)
	}
}

// The file is the diff as it is; its caption, and what is said where the chat takes none, are one message each.
func TestDiff_IsOneMessage(t *testing.T) {
	for name, diff := range map[string]string{
		"a line":             wholeFile("main.go", 3),
		"long names":         strings.Repeat(allNew(strings.Repeat("a/", 700)+"main.go", 4), 3),
		"ten thousand files": strings.Repeat(wholeFile("main.go", 5), 10_000),
	} {
		m := rendered(diff, "en")
		if m.File != diff || len(m.Parts) != 0 || markup.Units(m.Caption) > 1024 || len(m.Unfiled.Parts) != 1 || m.Unfiled.Parts[0].Units() > markup.MaxUnits {
			t.Errorf("%s: %d bytes, %d parts, a caption of %d", name, len(m.File), len(m.Parts), markup.Units(m.Caption))
		}
	}
}
