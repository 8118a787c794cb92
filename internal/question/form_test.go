package question

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"hermes/internal/fields"
	"hermes/internal/session"
)

func bound(n float64) *float64 { return &n }

// order is the form of capture 12 of OpenCode's preview of 2.0: an elicitation of an MCP server.
func order() Request {
	return Request{
		ID: "frm_1", Context: "Order details",
		Form: &Form{Title: "elicitor is requesting input", Kind: "mcp-elicitation", Server: "elicitor"},
		Items: []Item{
			FieldItem("size", "Size", "", fields.Field{Kind: fields.String, Required: true}, []Option{{ID: "S", Label: "Small"}, {ID: "M", Label: "Medium"}}, false),
			FieldItem("n", "How many", "", fields.Field{Kind: fields.Integer, Required: true, Min: bound(1), Max: bound(9)}, nil, false),
			FieldItem("w", "w", "", fields.Field{Kind: fields.Number}, nil, false),
			FieldItem("gift", "Gift?", "", fields.Field{Kind: fields.Boolean, Default: []string{fields.False}}, nil, false),
			FieldItem("mail", "mail", "", fields.Field{Kind: fields.String, Format: fields.Email}, nil, false),
			FieldItem("tags", "tags", "", fields.Field{Kind: fields.Multiselect}, []Option{{ID: "a", Label: "a"}, {ID: "b", Label: "b"}}, false),
		},
	}
}

// wrapping asks how a gift is wrapped only if it is one.
func wrapping() Request {
	r := order()
	r.Items = []Item{
		FieldItem("gift", "Gift?", "", fields.Field{Kind: fields.Boolean, Required: true}, nil, false),
		FieldItem("paper", "Paper", "", fields.Field{Kind: fields.String, Required: true, When: []fields.When{{Key: "gift", Value: fields.True}}}, nil, false),
		FieldItem("ribbon", "Ribbon", "", fields.Field{Kind: fields.Boolean, Required: true, When: []fields.When{{Key: "paper", Not: true, Value: "plain"}}}, nil, false),
	}
	return r
}

// form is a form of one field.
func form(item Item) Request {
	r := order()
	r.Items = []Item{item}
	return r
}

func login() Item {
	return FieldItem("elicitation", "", "", fields.Field{Kind: fields.External, URL: "https://example.org/login"}, nil, false)
}

func flavours(least, most float64, required bool) Item {
	return FieldItem("f", "Flavours", "", fields.Field{Kind: fields.Multiselect, Required: required, Min: bound(least), Max: bound(most), Default: []string{"v", "c"}},
		[]Option{{ID: "v", Label: "Vanilla"}, {ID: "c", Label: "Chocolate"}, {ID: "l", Label: "Lemon"}}, true)
}

func TestForms_Conversations(t *testing.T) {
	for _, c := range []struct {
		name    string
		request Request
		script  string
	}{
		{"the form of a server", order(), `
			say small      => 2/6 [#1] [] [] [] [] []
			skip           => unknown
			default        => unknown
			say 12         => 2/6 [#1] [] [] [] [] [] !not-accepted
			say 2.5        => 2/6 [#1] [] [] [] [] [] !not-accepted
			say two        => 2/6 [#1] [] [] [] [] [] !not-accepted
			say 2.0        => 3/6 [#1] [«2»] [] [] [] []
			say 1.50       => 4/6 [#1] [«2»] [«1.5»] [] [] []
			default        => 5/6 [#1] [«2»] [«1.5»] [#2] [] []
			say ada        => 5/6 [#1] [«2»] [«1.5»] [#2] [] [] !not-accepted
			skip           => 6/6 [#1] [«2»] [«1.5»] [#2] [skipped] []
			next           => review [#1] [«2»] [«1.5»] [#2] [skipped] [skipped]
			change 5       => 5/6 [#1] [«2»] [«1.5»] [#2] [skipped] [skipped]
			say a@b.co     => review [#1] [«2»] [«1.5»] [#2] [«a@b.co»] [skipped]
			change 6       => 6/6 [#1] [«2»] [«1.5»] [#2] [«a@b.co»] [skipped]
			tap 1          => 6/6 [#1] [«2»] [«1.5»] [#2] [«a@b.co»] [#1]
			next           => review [#1] [«2»] [«1.5»] [#2] [«a@b.co»] [#1]
			send           => answered [#1] [«2»] [«1.5»] [#2] [«a@b.co»] [#1]`},
		{"a value names its option too", order(), `
			say XL         => 1/6 [] [] [] [] [] [] !not-an-option
			say m          => 2/6 [#2] [] [] [] [] []`},
		{"a condition that is not met", wrapping(), `
			say no         => review [#2] [] []
			change 2       => unknown
			send           => answered [#2] [] []`},
		{"conditions follow one another", wrapping(), `
			tap 1          => 2/3 [#1] [] []
			say plain      => review [#1] [«plain»] []
			change 2       => 2/3 [#1] [«plain»] []
			say gold       => 3/3 [#1] [«gold»] []
			say 是          => review [#1] [«gold»] [#1]
			change 1       => 1/3 [#1] [«gold»] [#1]
			tap 2          => review [#2] [«gold»] [#1]
			change 3       => unknown
			change 1       => 1/3 [#2] [«gold»] [#1]
			tap 1          => review [#1] [«gold»] [#1]`},
		{"an address to open", form(login()), `
			say yes        => 1/1 [] !not-an-option
			say done       => answered [#1]`},
		{"an address to open, by tap", form(login()), `
			skip           => unknown
			type           => unknown
			tap 1          => answered [#1]`},
		{"an address that nobody opens", form(login()), `
			dismiss        => 1/1 [] dismissing
			sure           => dismissed []`},
		{"enough, and not too many", form(flavours(2, 3, true)), `
			skip           => unknown
			next           => 1/1 [] !pick-one
			tap 1          => 1/1 [#1]
			next           => 1/1 [#1] !too-few
			tap 2          => 1/1 [#1 #2]
			tap 3          => 1/1 [#1 #2 #3]
			type           => 1/1 [#1 #2 #3] typing
			say Mint       => 1/1 [#1 #2 #3] typing !too-many
			untick 3       => 1/1 [#1 #2] typing
			say Mint       => 1/1 [#1 #2 «Mint»]
			tap 3          => 1/1 [#1 #2 «Mint»] !too-many
			next           => answered [#1 #2 «Mint»]`},
		{"what was said stays while more is to be chosen", form(flavours(2, 3, true)), `
			say lemon      => 1/1 [#3]
			say c          => answered [#2 #3]`},
		{"exactly one of several: another one takes its place", form(flavours(1, 1, true)), `
			tap 1          => 1/1 [#1]
			tap 3          => 1/1 [#3]
			type           => 1/1 [#3] typing
			say Mint       => 1/1 [«Mint»]
			tap 2          => 1/1 [#2]
			untick 2       => 1/1 []
			next           => 1/1 [] !pick-one
			tap 1          => 1/1 [#1]
			say c, l       => 1/1 [#1] !too-many
			say c          => answered [#2]`},
		{"the default of several", form(flavours(2, 3, false)), `
			default        => answered [#1 #2]`},
		{"nothing of several", form(flavours(2, 3, false)), `
			skip           => answered [skipped]`},
		{"a kind that hermes does not know", form(FieldItem("x", "X", "", fields.Field{Kind: "colour", Required: true}, nil, false)), `
			say red        => 1/1 [] !not-accepted
			type           => unknown
			skip           => unknown
			next           => 1/1 [] !pick-one
			dismiss        => 1/1 [] dismissing
			sure           => dismissed []`},
		{"one of a kind that hermes does not know, and that is not needed", form(FieldItem("x", "X", "", fields.Field{Kind: "colour"}, nil, false)), `
			skip           => answered [skipped]`},
	} {
		t.Run(c.name, func(t *testing.T) { play(t, c.request, c.script) })
	}
}

// What each field takes of typed text, and what is sent for it: - is nothing.
func TestForms_TypedText(t *testing.T) {
	text := func(f fields.Field) Item { f.Kind = fields.String; return FieldItem("k", "", "", f, nil, false) }
	number := FieldItem("k", "", "", fields.Field{Kind: fields.Number, Min: bound(-2), Max: bound(1e22)}, nil, false)
	whole := FieldItem("k", "", "", fields.Field{Kind: fields.Integer}, nil, false)
	for _, c := range []struct {
		item       Item
		said, want string
	}{
		{number, "1.5", "1.5"},
		{number, " 1.50 ", "1.5"},
		{number, "-2", "-2"},
		{number, "\u22121", "-1"},
		{number, "-0", "0"},
		{number, "１２", "12"},
		{number, ".5", "0.5"},
		{number, "1e3", "1000"},
		{number, "1e21", "1e+21"},
		{number, "1e-9", "1e-9"},
		{number, "-2.1", "-"},
		{number, "1e23", "-"},
		{number, "1e999", "-"},
		{number, "0x10", "-"},
		{number, "Inf", "-"},
		{number, "NaN", "-"},
		{number, "1,5", "-"},
		{number, "1_000", "-"},
		{number, "", "-"},
		{number, "two", "-"},
		{whole, "7", "7"},
		{whole, "7.0", "7"},
		{whole, "+7", "7"},
		{whole, "7.5", "-"},
		{whole, "1e15", "1000000000000000"},
		{whole, "9007199254740991", "9007199254740991"},
		{whole, "9007199254740993", "-"},
		{whole, "1e300", "-"},
		{text(fields.Field{}), " as it is \n", `" as it is \n"`},
		{text(fields.Field{}), `"quoted"`, `"\"quoted\""`},
		{text(fields.Field{}), " \n", "-"},
		{text(fields.Field{Min: bound(2), Max: bound(3)}), "ab", `"ab"`},
		{text(fields.Field{Min: bound(2), Max: bound(3)}), "a", "-"},
		{text(fields.Field{Min: bound(2), Max: bound(3)}), "abcd", "-"},
		{text(fields.Field{Max: bound(3)}), "🤔🤔", "-"},
		{text(fields.Field{Min: bound(2)}), "🤔", `"🤔"`},
		{text(fields.Field{Format: fields.Email}), " ada@example.org ", `"ada@example.org"`},
		{text(fields.Field{Format: fields.Email}), "ada@example", "-"},
		{text(fields.Field{Format: fields.Email}), "a b@c.de", "-"},
		{text(fields.Field{Format: fields.Email}), "a@b@c.de", "-"},
		{text(fields.Field{Format: fields.URI}), "https://example.org/a?b=c", `"https://example.org/a?b=c"`},
		{text(fields.Field{Format: fields.URI}), "mailto:ada@example.org", `"mailto:ada@example.org"`},
		{text(fields.Field{Format: fields.URI}), "example.org", "-"},
		{text(fields.Field{Format: fields.URI}), "https://", "-"},
		{text(fields.Field{Format: fields.Date}), "2026-02-28", `"2026-02-28"`},
		{text(fields.Field{Format: fields.Date}), "2026-02-30", "-"},
		{text(fields.Field{Format: fields.Date}), "28.2.2026", "-"},
		{text(fields.Field{Format: fields.DateTime}), "2026-02-28T10:00:00+01:00", `"2026-02-28T10:00:00+01:00"`},
		{text(fields.Field{Format: fields.DateTime}), "2026-02-28 10:00Z", `"2026-02-28T10:00:00Z"`},
		{text(fields.Field{Format: fields.DateTime}), "2026-02-28 10:00", "-"},
		{text(fields.Field{Format: "colour"}), "red", `"red"`},
		{text(fields.Field{Pattern: "^[a-z]+$"}), " abc ", `"abc"`},
		{text(fields.Field{Pattern: "^[a-z]+$"}), "ABC", "-"},
		{text(fields.Field{Pattern: "b"}), "abc", `"abc"`},
		{text(fields.Field{Pattern: `^\S+\.\w{2}$`}), "a b.de", "-"},
	} {
		w, _ := Wizard{}.Apply(form(c.item), WizardInput{Action: Say, Text: c.said})
		got := "-"
		if value, ok := Values(form(c.item), w.Answers(form(c.item)))["k"]; ok {
			text, _ := json.Marshal(value)
			got = string(text)
		}
		if got != c.want || (w.State == Answered) != (c.want != "-") {
			t.Errorf("%q for %+v: got %s, want %s", c.said, *c.item.Field, got, c.want)
		}
	}
}

func TestForms_Values(t *testing.T) {
	for _, c := range []struct {
		name    string
		request Request
		answers Answers
		want    string
	}{
		{"all", order(), Answers{{"S"}, {"2"}, {"1.5"}, {"true"}, {"a@b.co"}, {"a"}}, `{"gift":true,"mail":"a@b.co","n":2,"size":"S","tags":["a"],"w":1.5}`},
		{"what is needed", order(), Answers{{"S"}, {"2"}, {}, nil, {}, {}}, `{"n":2,"size":"S"}`},
		{"fewer lists", order(), Answers{{"M"}}, `{"size":"M"}`},
		{"what no field takes", order(), Answers{{"Small"}, {"02"}, {"x"}, {"yes"}, {"x"}, {"c"}}, `{}`},
		{"a false is a value", order(), Answers{{}, {}, {}, {"false"}}, `{"gift":false}`},
		{"not asked", wrapping(), Answers{{"false"}, {"gold"}, {"true"}}, `{"gift":false}`},
		{"asked", wrapping(), Answers{{"true"}, {"gold"}, {"true"}}, `{"gift":true,"paper":"gold","ribbon":true}`},
		{"opened", form(login()), Answers{{"true"}}, `{"elicitation":true}`},
		{"questions", asking(Item{ID: "q0", Custom: true}, Item{ID: "q1", Multiple: true}, Item{}), Answers{{"blue"}, {"a", "b"}, {"x"}}, `{"q0":"blue","q1":["a","b"]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			values := Values(c.request, c.answers)
			got, _ := json.Marshal(values)
			if string(got) != c.want {
				t.Fatalf("got %s, want %s", got, c.want)
			}
			var read map[string]any
			_ = json.Unmarshal(got, &read)
			for _, again := range []map[string]any{values, read} {
				if back := Values(c.request, AnswersOf(c.request, again)); !reflect.DeepEqual(back, values) {
					t.Errorf("there and back: %v, want %v", back, values)
				}
			}
		})
	}
	if got := AnswersOf(order(), map[string]any{"size": 1.0, "n": "2", "gift": "yes", "tags": []any{"a", 1.0}, "other": true}); !got.Equal(Answers{}) {
		t.Errorf("values of other kinds: %q", got)
	}
}

func TestForms_Check(t *testing.T) {
	for _, c := range []struct {
		request Request
		answers Answers
		item    int
		why     NoticeKind
	}{
		{order(), Answers{{"S"}, {"2"}, {}, {}, {}, {}}, 0, ""},
		{order(), Answers{{}, {"2"}}, 0, PickOne},
		{order(), Answers{{"S"}}, 1, PickOne},
		{order(), Answers{{"S"}, {"2.0"}}, 1, NotAccepted},
		{order(), Answers{{"S", "M"}, {"2"}}, 0, OnlyOne},
		{order(), Answers{{"S"}, {"2"}, {}, {}, {}, {"c"}}, 5, NotAccepted},
		{wrapping(), Answers{{"false"}, {"gold"}}, 1, NotAsked},
		{wrapping(), Answers{{"true"}, {"plain"}}, 0, ""},
		{wrapping(), Answers{{"true"}, {"gold"}}, 2, PickOne},
		{form(flavours(2, 3, true)), Answers{{"v"}}, 0, TooFew},
		{form(flavours(1, 2, true)), Answers{{"v", "c", "l"}}, 0, TooMany},
		{form(login()), Answers{{"false"}}, 0, NotAccepted},
	} {
		if item, why := c.request.Check(c.answers); item != c.item || why != c.why {
			t.Errorf("%q: item %d %q, want %d %q", c.answers, item, why, c.item, c.why)
		}
	}
}

// A schema that contradicts itself is put right, as far as OpenCode's server would have it.
func TestForms_SchemaOfOthers(t *testing.T) {
	for _, kind := range fields.Kinds() {
		item := FieldItem("k", "", "", fields.Field{Kind: kind, Default: []string{"no such", "value"}, Min: bound(math.NaN()), Max: bound(math.Inf(1))}, []Option{{ID: "x"}}, false)
		if item.Field.Default != nil || item.Field.Min != nil || item.Field.Max != nil {
			t.Errorf("%s: %+v", kind, *item.Field)
		}
	}
	if f := login().Field; !f.Required {
		t.Error("an address need not be opened")
	}
}

// Nobody but people answers a form: what comes first is no advice, and no session waits for it.
func TestForms_AreNoQuestions(t *testing.T) {
	r := order()
	if _, ok := r.FirstChoice(true); ok {
		t.Error("it has a first choice")
	}
	if d, ok := ExpireAccept.Decision(r, true, noon); !ok || !d.Reject || d.Answers != nil {
		t.Errorf("at the deadline: %+v", d)
	}
	for _, form := range []bool{false, true} {
		lost := settled(func(t *Thread) {
			t.Request.Session, t.Request.Protocol = "ses_1", session.V1
			t.Origins = []session.Origin{{Way: session.Link, Directory: "/src"}}
			t.Decision, t.Outcome.Kind = nil, OutcomeRestarted
			if form {
				t.Request.Form, t.Request.Items = r.Form, r.Items
			}
		})
		if got := lost.TakesLate(); got == form {
			t.Errorf("a form: %v, and it takes an answer when it has ended: %v", form, got)
		}
	}
}

// What OpenCode's server refuses is asked again, with everything that was chosen.
func TestForms_Refused(t *testing.T) {
	said := RefusedAnswers{Message: "Form field does not match pattern: code"}
	code := FieldItem("code", "Code", "", fields.Field{Kind: fields.String, Required: true, Pattern: "^(?=a)"}, nil, false)
	two := order()
	two.Items = []Item{code, two.Items[3]}
	for _, c := range []struct {
		name    string
		request Request
		byRule  bool
		moves   []WizardInput
		want    string
	}{
		{"one field", form(code), false, []WizardInput{{Action: Say, Text: "b"}}, "1/1 [«b»] !refused"},
		{"several", two, false, []WizardInput{{Action: Say, Text: "b"}, {Action: Say, Text: "no"}, {Action: Send}}, "review [«b»] [#2] !refused"},
		{"of a program", two, true, []WizardInput{{Action: Say, Text: "b"}, {Action: Skip, Item: 1}, {Action: Send}}, "review [«b»] [skipped] !refused"},
	} {
		thread := sent(c.request, c.moves)
		if c.byRule {
			thread.Wizard = Wizard{}
		}
		again := thread.Reopened(said)
		if got := picture(c.request, again.Wizard); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if !again.Open() || again.Rev == thread.Rev || again.Wizard.Rev == thread.Wizard.Rev || again.Wizard.Notice.Text != said.Message || !again.Delivery.SentAt.IsZero() {
			t.Errorf("%s: %+v", c.name, again)
		}
	}
}

// sent is a thread whose conversation these moves have finished.
func sent(r Request, moves []WizardInput) Thread {
	return decided(func(t *Thread) {
		t.Request = r
		for _, m := range moves {
			m.Rev = t.Wizard.Rev
			t.Wizard, _ = t.Wizard.Apply(r, m)
		}
		t.Decision.Answers = t.Wizard.Answers(r)
		t.Delivery.Begun, t.Delivery.SentAt = true, after(11*minute)
	})
}

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
