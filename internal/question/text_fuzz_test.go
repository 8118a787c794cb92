package question

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

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
