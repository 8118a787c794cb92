package question

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// How typed text is read: the item, what is typed, and what becomes of it. "#2" is
// the second option, "«…»" a text as it is, a word the notice's kind, with the
// options that it names.
type reading struct {
	item Item
	text string
	want string
}

func one(labels ...string) Item { return Item{Options: options(labels), Custom: true} }

func many(labels ...string) Item { return Item{Options: options(labels), Custom: true, Multiple: true} }

// listed is an item that takes nothing but its options.
func listed(i Item) Item {
	i.Custom = false
	return i
}

func options(labels []string) []Option {
	var list []Option
	for _, label := range labels {
		list = append(list, Option{Label: label, Description: "about " + label})
	}
	return list
}

// thirty returns the labels "choice 1" to "choice 30".
func thirty() []string {
	var labels []string
	for n := range 30 {
		labels = append(labels, "choice "+strconv.Itoa(n+1))
	}
	return labels
}

func databases() Item { return one("SQLite", "PostgreSQL (Recommended)", "PostgreSQL + cache") }

func languages() Item { return many("Go", "Rust", "C++") }

func long() string { return strings.Repeat("a label of many words ", 10)[:199] + "." }

func readNumbers() []reading {
	return []reading{
		{databases(), "2", "#2"},
		{databases(), " 2 \n", "#2"},
		{databases(), "2.", "#2"},
		{databases(), "2)", "#2"},
		{databases(), "2\u3001", "#2"},
		{databases(), "\uff12", "#2"},
		{databases(), "0", "no-number"},
		{databases(), "4", "no-number"},
		{databases(), "-1", "no-number"},
		{databases(), "+1", "no-number"},
		{databases(), "007", "no-number"},
		{databases(), "#7", "«#7»"},
		{databases(), "7.", "no-number"},
		{databases(), "\uff17", "no-number"},
		{databases(), "\u22127", "no-number"},
		{databases(), `"7"`, "«7»"},
		{databases(), "7 of them", "«7 of them»"},
		{databases(), "7.5", "«7.5»"},
		{databases(), "2026-11-22", "«2026-11-22»"},
		{databases(), "99999999999999999999", "no-number"},
		{listed(databases()), "4", "not-an-option"},
		{one(thirty()...), "30", "#30"},
		{one(thirty()...), "31", "no-number"},
		{one(), "1", "«1»"},
		{one("10", "20", "2"), "10", "#1"},
		{one("10", "20", "2"), "2", "ambiguous #2 #3"},
		{one("10", "20", "2"), "2.", "#2"},
		{one("10", "20", "2"), `"2"`, "#3"},
		{one("10", "20", "2"), "3", "#3"},
		{listed(one("10", "20", "2")), `"2"`, "#3"},
		{one("1", "2", "3"), "2", "#2"},
		{one("2", "2"), "2", "#1"},
		{one("8 GB", "16 GB"), "16", "#2"},
	}
}

func readLists() []reading {
	return []reading{
		{languages(), "1, 3", "#1 #3"},
		{languages(), "1 3", "#1 #3"},
		{languages(), "3,1,", "#1 #3"},
		{languages(), "1\uff0c3", "#1 #3"},
		{languages(), "1\u30013", "#1 #3"},
		{languages(), "1和3", "#1 #3"},
		{languages(), "1, 2 and 3", "#1 #2 #3"},
		{languages(), "1 1 1", "#1"},
		{languages(), "go, c++", "#1 #3"},
		{languages(), "Go C++", "#1 #3"},
		{languages(), "Go\nRust", "#1 #2"},
		{languages(), "1, Rust", "#1 #2"},
		{languages(), "1, 4", "no-number"},
		{languages(), "1 9", "no-number"},
		{languages(), "4 and 5", "no-number"},
		{languages(), "1\u30019", "no-number"},
		{languages(), "0, 1", "no-number"},
		{languages(), `"1, 9"`, "«1, 9»"},
		{languages(), "Go, 9", "«Go, 9»"},
		{many("Go 9", "Rust"), "9", "#1"},
		{languages(), "Go, Zig", "«Go, Zig»"},
		{languages(), "1-3", "«1-3»"},
		{languages(), ",", "«,»"},
		{listed(languages()), "Go, Zig", "not-an-option"},
		{listed(languages()), "2", "#2"},
		{many(thirty()...), "1 2 30", "#1 #2 #30"},
		{many("10", "20", "2"), "1, 2", "ambiguous #2 #3"},
		{many("Yes, all", "No"), "yes, all", "#1"},
		{many("A", "A", "B"), "A, B", "#1 #3"},
		{listed(databases()), "1, 2", "only-one"},
		{listed(databases()), "1,", "#1"},
		{databases(), "1, 2", "only-one"},
		{databases(), "1, 7", "no-number"},
		{databases(), "SQLite and 2", "«SQLite and 2»"},
	}
}

func readLabels() []reading {
	return []reading{
		{databases(), "SQLite", "#1"},
		{databases(), "sqlite", "#1"},
		{databases(), "Sqlite  ", "#1"},
		{one("go", "Go"), "Go", "#2"},
		{one("go", "Go"), "GO", "ambiguous #1 #2"},
		{one("A", "A"), "a", "#1"},
		{one("A", "A"), "2", "#2"},
		{one("使用缓存", "不使用缓存"), "不使用缓存", "#2"},
		{one(" padded "), "padded", "#1"},
		{one(long(), "other"), long(), "#1"},
		{one(`"strict"`, "lax"), `"strict"`, "#1"},
		{one("نعم", "لا"), "لا", "#2"},
		{one("👍", "👎"), "👎", "#2"},
	}
}

func readParts() []reading {
	return []reading{
		{databases(), "lite", "«lite»"},
		{databases(), "SQL", "«SQL»"},
		{databases(), "post", "ambiguous #2 #3"},
		{databases(), "pos", "«pos»"},
		{databases(), "recommended", "#2"},
		{databases(), "cache", "#3"},
		{databases(), "+", "«+»"},
		{databases(), "(", "«(»"},
		{databases(), "PostgreSQL (Recommended), but read-only", "«PostgreSQL (Recommended), but read-only»"},
		{listed(databases()), "post", "ambiguous #2 #3"},
		{listed(databases()), "cache", "#3"},
		{listed(databases()), "oracle", "not-an-option"},
		{one("Something else ?", "Stop"), "?", "«?»"},
		{one("❌ No", "✅ Yes"), "no", "#1"},
		{one("❌ No", "✅ Yes"), "✅", "#2"},
		{one("Yes, but no tests", "Later"), "no", "«no»"},
		{one("Do not continue", "Later"), "continue", "«continue»"},
		{one("Continue now", "Don't continue"), "continue", "#1"},
		{one("Build without cache", "Later"), "cache", "«cache»"},
		{listed(one("Do not continue", "Later")), "continue", "not-an-option"},
		{one("No, skip tests", "Yes"), "skip", "#1"},
		{one("No - skip tests", "Yes"), "skip", "#1"},
		{one("使用缓存", "不使用缓存"), "使用", "#1"},
		{one("不使用缓存", "稍后"), "使用", "«使用»"},
		{one("不是", "也许"), "是", "«是»"},
		{one("重新部署服务", "取消"), "部署", "#1"},
		{one("重新部署服务", "取消"), "署", "«署»"},
		{one("Интернет", "Файл"), "нет", "«нет»"},
		{one(long(), "other"), long()[:150], "#1"},
		{one("A b", "A b", "C"), "b", "#1"},
	}
}

func readWords() []reading {
	html, markdown := `<b>bold</b> & <a href="x">y</a>`, "# Title\n\n* one\n* [two](http://x)\n\n```go\nx := `1`\n```"
	huge := strings.Repeat("word ", 2000)
	return []reading{
		{databases(), "", "pick-one"},
		{databases(), " \n\t\u3000", "pick-one"},
		{listed(databases()), " ", "pick-one"},
		{one(), "  ", "pick-one"},
		{databases(), "\x00", "«\x00»"},
		{databases(), "a\x00b", "«a\x00b»"},
		{databases(), "  indented, as it is \n", "«  indented, as it is \n»"},
		{databases(), "First.\n\nSQLite\n\nLast.", "«First.\n\nSQLite\n\nLast.»"},
		{languages(), "Go\n\nis what I like", "«Go\n\nis what I like»"},
		{databases(), html, "«" + html + "»"},
		{databases(), markdown, "«" + markdown + "»"},
		{databases(), huge, "«" + huge + "»"},
		{databases(), "שלום \u200fעולם", "«שלום \u200fעולם»"},
		{databases(), "👩‍👩‍👧‍👦🏳️‍🌈", "«👩‍👩‍👧‍👦🏳️‍🌈»"},
		{databases(), "\xff\xfe", "«\xff\xfe»"},
		{databases(), `"post"`, "«post»"},
		{databases(), "\u201cpost\u201d", "«post»"},
		{databases(), "\u2018post\u2019", "«post»"},
		{databases(), "「post」", "«post»"},
		{databases(), `"2"`, "«2»"},
		{databases(), `" "`, "« »"},
		{databases(), `"SQLite"`, "#1"},
		{databases(), `"a" or "b"`, `«"a" or "b"»`},
		{databases(), `"`, `«"»`},
		{databases(), `""`, `«""»`},
		{databases(), "'tis post", "«'tis post»"},
		{listed(databases()), `"sqlite"`, "#1"},
		{listed(databases()), `"post"`, `ambiguous #2 #3`},
		{listed(databases()), `" "`, "not-an-option"},
		{one(), `"quoted"`, `«"quoted"»`},
		{listed(one()), "anything", "«anything»"},
	}
}

// named gives the options ids.
func named(i Item, ids ...string) Item {
	for n, id := range ids {
		i.Options[n].ID = id
	}
	return i
}

func readIDs() []reading {
	return []reading{
		{named(databases(), "lite", "pg", "both"), "pg", "#2"},
		{named(databases(), "lite", "pg", "both"), " PG\n", "#2"},
		{named(databases(), "lite", "pg", "both"), `"pg"`, "«pg»"},
		{named(databases(), "1", "3", "2"), "1", "#1"},
		{named(databases(), "1", "3", "2"), "2", "ambiguous #2 #3"},
		{named(one("A", "B"), "B", "A"), "A", "ambiguous #1 #2"},
		{named(one("A", "A"), "x", "y"), "y", "#2"},
		{named(languages(), "go", "rs", "cpp"), "rs, cpp", "#2 #3"},
		{named(listed(databases()), "lite"), "pg", "not-an-option"},
	}
}

func TestTypedText(t *testing.T) {
	for name, table := range map[string][]reading{
		"numbers": readNumbers(), "lists": readLists(), "labels": readLabels(),
		"parts": readParts(), "words": readWords(), "ids": readIDs(),
	} {
		for _, c := range table {
			t.Run(name, func(t *testing.T) {
				if got := typed(t, c.item, c.text); got != c.want {
					t.Errorf("%q typed to %s\n got %q\nwant %q", c.text, labelsOf(c.item), got, c.want)
				}
			})
		}
	}
}

// typed says text to the second of three items, and tells what became of it.
func typed(t *testing.T, item Item, text string) string {
	t.Helper()
	r := Request{Items: []Item{one("x"), item, one("y")}}
	w, err := Wizard{Step: 1}.Apply(r, WizardInput{Action: Say, Text: text})
	var notice *Notice
	if errors.As(err, &notice) {
		if w.Step != 1 || notice.Item != 1 || notice.Text != text || !w.choice(1).empty() {
			t.Errorf("%q: not just asked again: %+v", text, w)
		}
		return strings.Join(append([]string{string(notice.Kind)}, hashes(notice.Options)...), " ")
	}
	if err != nil || w.Step != 2 || !w.choice(0).empty() || !w.choice(2).empty() {
		t.Errorf("%q: error %v, wizard %+v", text, err, w)
	}
	words := hashes(w.choice(1).Options)
	for _, text := range w.choice(1).Texts {
		words = append(words, "«"+text+"»")
	}
	return strings.Join(words, " ")
}

func hashes(options []int) []string {
	var list []string
	for _, o := range options {
		list = append(list, fmt.Sprintf("#%d", o+1))
	}
	return list
}

func labelsOf(i Item) string {
	var labels []string
	for _, o := range i.Options {
		labels = append(labels, o.Label)
	}
	return fmt.Sprintf("%q", labels)
}

// FuzzTypedText says any text to an item with any labels. It becomes labels, or a
// text to the letter, or a notice; and nothing else changes.
func FuzzTypedText(f *testing.F) {
	for _, c := range slices.Concat(readNumbers(), readLists(), readLabels(), readParts(), readWords()) {
		var labels []string
		for _, o := range c.item.Options {
			labels = append(labels, o.Label)
		}
		f.Add(c.text, strings.Join(labels, "|"), c.item.Multiple, c.item.Custom, false)
		f.Add(c.text, strings.Join(labels, "|"), true, true, true)
	}
	f.Fuzz(func(t *testing.T, text, labels string, multiple, custom, typing bool) {
		item := Item{Multiple: multiple, Custom: custom}
		if labels != "" {
			item.Options = options(strings.Split(labels, "|"))
		}
		r := Request{Items: []Item{one("x"), item, many("y")}}
		before := Wizard{Step: 1, Rev: 3, Typing: typing, Choices: []Choice{{Options: []int{0}}}}
		after, err := before.Apply(r, WizardInput{Action: Say, Text: text})
		checkUntouched(t, before, after, r)
		if err != nil {
			checkAskedAgain(t, before, after, err)
			return
		}
		checkTaken(t, item, after.choice(1), text)
		if stays := multiple && typing; after.Rev == before.Rev || (after.Step == 1) != stays {
			t.Errorf("%q: went from step 1, typing %v, to %+v", text, typing, after)
		}
	})
}

func checkUntouched(t *testing.T, before, after Wizard, r Request) {
	t.Helper()
	if want := (Choice{Options: []int{0}}); !reflect.DeepEqual(after.choice(0), want) || !after.choice(2).empty() {
		t.Errorf("other items changed: %+v", after.Choices)
	}
	if len(before.Choices) != 1 || before.Step != 1 || before.Notice.Kind != "" {
		t.Errorf("the wizard that was asked changed: %+v", before)
	}
	if got := after.Answers(r); len(got) != len(r.Items) {
		t.Errorf("%d lists for %d items: %q", len(got), len(r.Items), got)
	}
}

func checkAskedAgain(t *testing.T, before, after Wizard, err error) {
	t.Helper()
	var notice *Notice
	if !errors.As(err, &notice) || !reflect.DeepEqual(*notice, after.Notice) {
		t.Fatalf("error %v, notice %+v", err, after.Notice)
	}
	known := []NoticeKind{PickOne, Ambiguous, NotAnOption, NoNumber, OnlyOne}
	if !slices.Contains(known, notice.Kind) || notice.Item != 1 || (notice.Kind == Ambiguous) != (len(notice.Options) > 1) {
		t.Errorf("notice %+v", notice)
	}
	after.Notice = Notice{}
	if !reflect.DeepEqual(before, after) {
		t.Errorf("asked again, and yet changed\nfrom %+v\n  to %+v", before, after)
	}
}

// checkTaken holds a choice against the text that it was read from.
func checkTaken(t *testing.T, item Item, c Choice, text string) {
	t.Helper()
	if !slices.IsSorted(c.Options) || len(slices.Compact(slices.Clone(c.Options))) != len(c.Options) {
		t.Errorf("options %v", c.Options)
	}
	switch said := strings.TrimSpace(text); {
	case c.empty(), len(c.Options) > 0 && len(c.Texts) > 0, !item.Multiple && len(c.Options) > 1:
		t.Errorf("%q was read as %+v", text, c)
	case len(c.Texts) == 0:
		_ = c.values(item) // panics unless they are options
	case len(c.Texts) > 1 || !item.TakesText():
		t.Errorf("%q was read as %+v", text, c)
	case len(item.Options) > 0 && strings.Trim(said, "0123456789, ") == "" && strings.Trim(said, ", ") != "":
		t.Errorf("the number %q became an answer in words", text)
	case c.Texts[0] != text && (len(item.Options) == 0 || !quotes(said, c.Texts[0])):
		t.Errorf("%q became %q", text, c.Texts[0])
	}
}

// quotes reports whether the text is just the other one between two signs.
func quotes(text, inner string) bool {
	before, after, found := strings.Cut(text, inner)
	return found && len([]rune(before)) == 1 && len([]rune(after)) == 1
}

// FuzzQuotedText holds the way out that every notice offers: what is quoted is
// taken to the letter, whatever the options are.
func FuzzQuotedText(f *testing.F) {
	f.Add("post", "SQLite|PostgreSQL", false)
	f.Add("2", "10|20|2", true)
	f.Add(" \x00", "", true)
	f.Fuzz(func(t *testing.T, text, labels string, multiple bool) {
		if text == "" || strings.Contains(text, `"`) {
			t.Skip("cannot be quoted")
		}
		item := one(strings.Split(labels, "|")...)
		item.Multiple = multiple
		r := Request{Items: []Item{item}}
		w, err := Wizard{}.Apply(r, WizardInput{Action: Say, Text: `"` + text + `"`})
		if got := w.Answers(r); err != nil || !got.Equal(Answers{{text}}) && !got.Equal(Answers{{`"` + text + `"`}}) {
			t.Errorf("%q quoted became %q, error %v", text, got, err)
		}
		if got := w.Answers(r); got.Equal(Answers{{`"` + text + `"`}}) && len(item.is(got[0][0])) == 0 {
			t.Errorf("%q kept its quotes, which no label has", text)
		}
	})
}
