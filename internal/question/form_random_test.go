package question

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"hermes/internal/fields"
)

// Whatever is tapped or typed on whatever form, what is sent passes the form's own checks, or nothing is sent.
func TestForms_RandomForms(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	ends := map[State]int{}
	for range 3000 {
		r := anyForm(random)
		var w Wizard
		for range 60 {
			w = checkMove(t, r, w, anyFormMove(random, r, w))
			if w.State == Answered {
				checkSent(t, r, w)
			}
		}
		ends[w.State]++
	}
	if ends[Answered] < 500 || ends[Asking] < 100 || ends[Dismissed] < 100 {
		t.Errorf("the forms are too much alike: %v", ends)
	}
}

func anyForm(random *rand.Rand) Request {
	r := Request{Form: &Form{Server: "any"}}
	for n := range 1 + random.IntN(5) {
		f := fields.Field{Kind: fields.Kinds()[random.IntN(len(fields.Kinds())-1)], Required: random.IntN(2) == 0}
		if random.IntN(2) == 0 {
			f.Min = bound(float64(random.IntN(3)))
		}
		if random.IntN(2) == 0 {
			f.Max = bound(float64(2 + random.IntN(9)))
		}
		f.Default = [][]string{nil, {"a"}, {"2"}, {"true"}, {"a", "b"}}[random.IntN(5)]
		if random.IntN(3) == 0 {
			f.Format = fields.Formats()[random.IntN(4)]
			f.Max = nil
		}
		if random.IntN(4) == 0 {
			f.Pattern = []string{"^[a-z]+$", "2", "^.{2,}$"}[random.IntN(3)]
		}
		if n > 0 && random.IntN(2) == 0 {
			f.When = []fields.When{{Key: fmt.Sprint("k", random.IntN(n)), Not: random.IntN(2) == 0, Value: []string{"a", "2", "true"}[random.IntN(3)]}}
		}
		var options []Option
		if f.Kind == fields.Multiselect || random.IntN(3) == 0 {
			options = []Option{{ID: "a", Label: "Apple"}, {ID: "b", Label: "Pear"}, {ID: "2", Label: "Apple"}}
		}
		r.Items = append(r.Items, FieldItem(fmt.Sprint("k", n), "", "", f, options, random.IntN(2) == 0))
	}
	return r
}

func anyFormMove(random *rand.Rand, r Request, w Wizard) WizardInput {
	texts := []string{
		"1", "2", "2.5", "-1", "a", "apple", "ab", "yes", "no", "true", "done", "", " ", "ada@example.org", "https://example.org", "2026-02-28",
		"2026-02-28 10:00Z", "a, b", "1 and 3", "quite some words", "🤔", `"x"`,
	}
	actions := []Action{Pick, Pick, Done, Skip, UseDefault, Go, Send, Type, Drop, Say, Say, Say}
	m := WizardInput{Action: actions[random.IntN(len(actions))], Rev: w.Rev, Item: w.Step, Option: random.IntN(4), On: random.IntN(3) > 0}
	switch {
	case w.Dismissing && random.IntN(2) == 0:
		m.Action, m.On = Dismiss, true
	case random.IntN(60) == 0:
		m.Action, m.On = Dismiss, false
	case m.Action == Say:
		m = WizardInput{Action: Say, Text: texts[random.IntN(len(texts))]}
	case m.Action == Go, random.IntN(20) == 0:
		m.Item = random.IntN(len(r.Items)+2) - 1
	}
	return m
}

func checkSent(t *testing.T, r Request, w Wizard) {
	t.Helper()
	raw, err := json.Marshal(Values(r, w.Answers(r)))
	var sent map[string]any
	if err == nil {
		err = json.Unmarshal(raw, &sent)
	}
	if err != nil {
		t.Fatal(err)
	}
	if wrong := refusedByServer(r, sent); wrong != "" {
		t.Fatalf("%s\nof %+v\nsent %s", wrong, r, raw)
	}
	if n := len(slices.DeleteFunc(w.Answers(r), func(list []string) bool { return len(list) == 0 })); n != len(sent) {
		t.Fatalf("%d values of %d answers: %s", len(sent), n, raw)
	}
	if item, why := r.Check(w.Answers(r)); why != "" {
		t.Fatalf("item %d is not answered: %s", item, why)
	}
}

// refusedByServer checks values as OpenCode's server does (its packages/core form.ts), and a little more strictly.
func refusedByServer(r Request, sent map[string]any) string {
	for _, item := range r.Items {
		f, value := *item.Field, sent[item.ID]
		asked := !slices.ContainsFunc(f.When, func(c fields.When) bool { return !metOnServer(c, sent[c.Key]) })
		switch {
		case f.Kind == fields.External && value != true:
			return "not opened: " + item.ID
		case value == nil && f.Required && asked:
			return "missing: " + item.ID
		case value == nil:
			continue
		case !asked:
			return "not active: " + item.ID
		case !fitsOnServer(item, value):
			return "does not fit: " + item.ID
		}
	}
	return ""
}

func metOnServer(c fields.When, value any) bool {
	list, many := value.([]any)
	switch {
	case value == nil:
		return false
	case many:
		return slices.Contains(list, any(c.Value)) != c.Not
	}
	return (fmt.Sprint(value) == c.Value) != c.Not
}

func fitsOnServer(item Item, value any) bool {
	f := *item.Field
	offered := func(v any) bool {
		return slices.ContainsFunc(item.Options, func(o Option) bool { return any(o.ID) == v })
	}
	within := func(n float64) bool { return (f.Min == nil || n >= *f.Min) && (f.Max == nil || n <= *f.Max) }
	switch v := value.(type) {
	case float64:
		return within(v) && (f.Kind == fields.Number || f.Kind == fields.Integer && v == math.Trunc(v))
	case bool:
		return f.Kind == fields.Boolean || f.Kind == fields.External
	case []any:
		return f.Kind == fields.Multiselect && len(v) > 0 && within(float64(len(v))) &&
			(item.Custom || !slices.ContainsFunc(v, func(one any) bool { return !offered(one) }))
	case string:
		return f.Kind == fields.String && v != "" && (offered(v) || len(item.Options) == 0 || item.Custom) &&
			(offered(v) || within(float64(len(utf16.Encode([]rune(v))))) && formattedOnServer(f.Format, v) && matchesOnServer(f.Pattern, v))
	}
	return false
}

func formattedOnServer(format fields.Format, v string) bool {
	switch format {
	case fields.Email:
		return strings.Contains(v, "@") && strings.Contains(v, ".")
	case fields.URI:
		return strings.HasPrefix(v, "https:")
	case fields.Date:
		return len(v) == len("2026-02-28")
	case fields.DateTime:
		_, err := time.Parse(time.RFC3339, v)
		return err == nil
	case fields.AnyText:
	}
	return true
}

// matchesOnServer leaves text beyond ASCII alone: hermes leaves that to the server too.
func matchesOnServer(pattern, v string) bool {
	if strings.ContainsFunc(v, func(r rune) bool { return r > '~' }) {
		return true
	}
	switch pattern {
	case "^[a-z]+$":
		return strings.Trim(v, "abcdefghijklmnopqrstuvwxyz") == ""
	case "2":
		return strings.Contains(v, "2")
	case "^.{2,}$":
		return len(utf16.Encode([]rune(v))) >= 2
	}
	return true
}
