package sessionview_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hermes/internal/patch"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/card"
	"hermes/telegram/cardtest"
	"hermes/telegram/sessionview"
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

func rendered(kind remote.MessageKind, diff, lang string) sessionview.Message {
	return sessionview.Render(remote.Message{
		Kind: kind, Text: diff, Session: session.Session{ID: "ses_1", Directory: "/src/shop-api", Title: "fix checkout flow"},
	}, words.For(lang), cardtest.Noon())
}

func TestDiff_Reads(t *testing.T) {
	many := wholeFile("src/cart/main.go", 1500) + allNew("src/till/main.go", 300) + allNew("docs/"+strings.Repeat("deep/", 30)+"a.md", 200) +
		"diff --git a/logo.png b/logo2.png\nrename from logo.png\nrename to logo2.png\nBinary files a/logo.png and b/logo2.png differ\n"
	for _, lang := range words.Languages() {
		var b strings.Builder
		for _, c := range []struct {
			name string
			kind remote.MessageKind
			diff string
		}{
			{"a line of a large file", remote.TellDiff, wholeFile("main.go", 1500)},
			{"three files", remote.TellDiff, wholeFile("main.go", 9) + allNew("a.go", 2) + "--- b.go\n+++ b.go\n@@ -1 +0,0 @@\n-old\n"},
			{"more than a few screens", remote.TellDiff, many},
			{"one file of it", remote.TellChanges, wholeFile("src/cart/main.go", 1500)},
			{"one large file of it", remote.TellChanges, allNew("src/till/main.go", 2000)},
			{"one that was there", remote.TellChanges, ""},
			{"nothing", remote.TellDiff, ""},
			{"no diff at all", remote.TellDiff, "what is this?"},
		} {
			m := rendered(c.kind, c.diff, lang)
			fmt.Fprintf(&b, "=== %s\n", c.name)
			if m.File != "" {
				fmt.Fprintf(&b, "[file %s, %d bytes]\n", m.FileName, len(m.File))
			}
			fmt.Fprintln(&b, shown(m))
		}
		cardtest.Golden(t, "diff."+lang+".txt", b.String())
	}
}

// A diff of a few screens comes without a file, and of any other all of it is in one.
func TestDiff_FileOnlyWhereItIsLong(t *testing.T) {
	for name, c := range map[string]struct {
		diff  string
		parts int
		file  bool
	}{
		"a line of 1,500":    {wholeFile("main.go", 1500), 1, false},
		"a hundred lines":    {allNew("main.go", 100), 1, false},
		"two messages":       {allNew("main.go", 380), 2, false},
		"a thousand lines":   {allNew("main.go", 1000), 1, true},
		"a line, very long":  {"--- a\n+++ a\n@@ -1 +1 @@\n-a\n+" + strings.Repeat("x", 100_000) + "\n", 1, true},
		"ten thousand files": {strings.Repeat(wholeFile("main.go", 5), 10_000), 1, true},
	} {
		m := rendered(remote.TellDiff, c.diff, "en")
		if len(m.Parts) != c.parts || (m.File != "") != c.file || c.file && (m.File != c.diff || len(m.WithoutFile) == 0) {
			t.Errorf("%s: %d messages, %d bytes in a file", name, len(m.Parts), len(m.File))
		}
	}
}

// Every button leads to its file, also of two with the same last name.
func TestDiff_Buttons(t *testing.T) {
	m := rendered(remote.TellDiff, allNew("a/main.go", 400)+allNew("b/main.go", 400)+allNew("c/other.go", 1), "en")
	var labels, tags []string
	for _, row := range m.Rows {
		for _, b := range row {
			labels, tags = append(labels, b.Label), append(tags, b.Order.Tag)
		}
	}
	want := []string{(patch.File{Name: "a/main.go"}).Tag(), (patch.File{Name: "b/main.go"}).Tag(), (patch.File{Name: "c/other.go"}).Tag()}
	if !slices.Equal(labels, []string{"📄 a/main.go", "📄 b/main.go", "📄 other.go"}) || !slices.Equal(tags, want) {
		t.Errorf("got %q, %q", labels, tags)
	}
	long := rendered(remote.TellDiff, allNew(strings.Repeat("a/", 50)+"main.go", 400)+allNew(strings.Repeat("b/", 50)+"main.go", 400), "en")
	for _, row := range long.Rows {
		if n := len([]rune(row[0].Label)); n > card.LabelWidth || !strings.HasSuffix(row[0].Label, "main.go") {
			t.Errorf("%q has %d characters", row[0].Label, n)
		}
	}
}
