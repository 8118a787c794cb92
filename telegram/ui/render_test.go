package ui_test

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/callback"
	"hermes/telegram/cardtest"
	"hermes/telegram/markup"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

var (
	ownTags  = regexp.MustCompile(`</?b>|</?blockquote>|<pre><code class="language-[a-z]+">|</code></pre>|</?code>|<tg-time unix="[0-9]+" format="(t|dt)">|</tg-time>`)
	entities = regexp.MustCompile(`&(amp|lt|gt);`)
)

// checkCard holds a card against the limits of the Bot API.
func checkCard(t *testing.T, c ui.Body) {
	t.Helper()
	buttons := 0
	for _, row := range c.Rows {
		buttons += len(row)
		for _, b := range row {
			if data := callback.EncodeMove("abcdefghijkl", b.Move); b.Label == "" || markup.Width(b.Label) > 40 || len(data) > 64 {
				t.Errorf("button %q with data %q", b.Label, data)
			}
		}
		if len(row) == 0 || len(row) > 8 {
			t.Errorf("a row of %d buttons", len(row))
		}
	}
	if buttons > 100 || len(c.Parts) == 0 {
		t.Errorf("%d buttons, %d parts", buttons, len(c.Parts))
	}
	for _, part := range c.Parts {
		checkMessage(t, part)
	}
}

func checkMessage(t *testing.T, part markup.Text) {
	t.Helper()
	text := part.HTML()
	if len(text) > 32768 || part.Units() > markup.MaxUnits || strings.TrimSpace(part.String()) == "" || !utf8.ValidString(text) {
		t.Errorf("a message of %d code points, %d bytes", part.Units(), len(text))
	}
	bare := ownTags.ReplaceAllString(text, "")
	if strings.ContainsAny(bare, "<>") || strings.Contains(entities.ReplaceAllString(bare, ""), "&") {
		t.Errorf("markup in the text: %.200q", text)
	}
	if html.UnescapeString(entities.ReplaceAllString(bare, "$0")) != part.String() {
		t.Errorf("the text differs from the plain one: %.200q", text)
	}
	for _, tag := range []string{"b", "blockquote", "pre", "tg-time"} {
		if opened := strings.Count(text, "<"+tag+">") + strings.Count(text, "<"+tag+" "); opened != strings.Count(text, "</"+tag+">") {
			t.Errorf("%s is not closed: %.200q", tag, text)
		}
	}
}

// everything is the card's whole text, with continued text put together.
func everything(c ui.Body) string {
	if c.File != "" {
		return c.File
	}
	var b strings.Builder
	for _, part := range c.Parts {
		b.WriteString(strings.TrimPrefix(part.String(), markup.More))
	}
	return b.String()
}

func checkWhole(t *testing.T, c ui.Body, item question.Item) {
	t.Helper()
	all := everything(c)
	texts := []string{strings.Trim(letters.Clean(item.Text), "\n"), markup.OneLine(item.Header)}
	for _, o := range item.Options {
		texts = append(texts, markup.OneLine(o.Label))
	}
	for _, text := range texts {
		if !strings.Contains(all, text) {
			t.Errorf("missing: %.200q", text)
		}
	}
}

func TestCard_EqualLabelsAreTwoButtons(t *testing.T) {
	item := question.Item{Text: "Which?", Options: []question.Option{{Label: "Same"}, {Label: "Same"}, {Label: ""}}}
	c := ui.Render(cardtest.Asks(item), words.For("en"), cardtest.Noon())
	checkCard(t, c)
	var labels []string
	for _, b := range slices.Concat(c.Rows...) {
		labels = append(labels, b.Label)
	}
	if got := strings.Join(labels, "|"); got != "1. Same|2. Same|3.|🚫 Dismiss" {
		t.Error(got)
	}
}

func FuzzRender(f *testing.F) {
	f.Add("Database", "Which <b>one</b> & why?", "SQLite", "file\nbased", uint8(30), uint16(1), true, "post")
	f.Add("", "\x00\u202E", strings.Repeat("x", 200), "", uint8(3), uint16(900), false, "1, 2")
	f.Add("س", "a\u2028", "", "d", uint8(0), uint16(5000), true, "\"")
	f.Fuzz(func(t *testing.T, header, text, label, description string, n uint8, times uint16, multiple bool, said string) {
		if len(text)*int(times) > 1<<17 || len(label)+len(description) > 1<<11 {
			return
		}
		item := question.Item{Header: header, Text: strings.Repeat(text, int(times)), Multiple: multiple, Custom: times%2 == 0}
		for range n {
			item.Options = append(item.Options, question.Option{Label: label, Description: description})
		}
		one, two := cardtest.Asks(item), cardtest.Asks(item, cardtest.Languages())
		c := ui.Render(one, words.For("en"), cardtest.Noon())
		checkCard(t, c)
		checkWhole(t, c, item)
		for _, v := range []question.View{cardtest.After(one, cardtest.Say(said)), cardtest.After(one, cardtest.Typing(0), cardtest.Say(said)), two, cardtest.After(two, cardtest.Say(said)), cardtest.After(two, cardtest.Say(said), cardtest.Say("1"))} {
			checkCard(t, ui.Render(v, words.For("zh"), cardtest.Noon()))
		}
		answers := question.Answers{{label, said}}
		for _, v := range []question.View{
			cardtest.Decided(one, question.PhaseSending, question.Decision{Answers: answers, By: cardtest.Ada()}),
			cardtest.Ended(two, question.Outcome{Kind: question.OutcomeAnswered, Answers: answers, By: question.Actor{Kind: question.OpenCode}}),
		} {
			checkCard(t, ui.Render(v, words.For("en"), cardtest.Noon()))
		}
	})
}

// The agent's last words take no room from what is asked: with them a card has no message more,
// and no button less.
func TestSaid_TakesNoRoom(t *testing.T) {
	for _, n := range []int{0, 10, 2000, 3400, 3700, 3800, 3850, 3900, 3950, 4000, 4050, 4100, 8000, 40_000} {
		for name, view := range map[string]question.View{
			"a question":   cardtest.Asks(cardtest.Database()),
			"a permission": cardtest.Permission(cardtest.Command("make")),
		} {
			if view.Request.Permission != nil {
				p := *view.Request.Permission
				p.Command = "make " + strings.Repeat("x", n)
				view.Request.Permission = &p
			} else {
				view.Request.Items[0].Text += strings.Repeat("x", n)
			}
			without := ui.Render(view, words.For("en"), cardtest.Noon())
			view.Said = strings.Repeat("<&> long 😀 ", 200)
			with := ui.Render(view, words.For("en"), cardtest.Noon())
			if len(with.Parts) != len(without.Parts) || len(with.Rows) != len(without.Rows) || with.File != without.File {
				t.Errorf("%s of %d: %d messages, and %d without", name, n, len(with.Parts), len(without.Parts))
			}
			for _, part := range with.Parts {
				if part.Units() > markup.MaxUnits || len(part.HTML()) > 32_768 {
					t.Errorf("%s of %d: a message of %d code points", name, n, part.Units())
				}
			}
			if first, _, _ := strings.Cut(with.Parts[0].String(), "\n"); !strings.HasPrefix(without.Parts[0].String(), first+"\n") {
				t.Errorf("%s of %d: the first line is %q", name, n, first)
			}
			if n < 3000 && !strings.Contains(with.Parts[0].HTML(), "💬 Before it asked:\n<blockquote expandable>…") {
				t.Errorf("%s of %d: %s", name, n, with.Parts[0].HTML())
			}
		}
	}
}

// It is shown while something is asked, and where it says more than that.
func TestSaid_WhenItIsShown(t *testing.T) {
	said := func(v question.View, text string) question.View { v.Said = text; return v }
	for name, c := range map[string]struct {
		view question.View
		want bool
	}{
		"asked":            {said(cardtest.Asks(cardtest.Database()), "I need one."), true},
		"nothing written":  {said(cardtest.Asks(cardtest.Database()), " \n"), false},
		"the same is said": {said(cardtest.Asks(cardtest.Database()), cardtest.Database().Text), false},
		"answered": {said(cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{
			Kind: question.OutcomeAnswered, Answers: question.Answers{{"SQLite"}}, By: cardtest.Ada(),
		}), "I need one."), false},
	} {
		text := ui.Render(c.view, words.For("en"), cardtest.Noon()).Parts[0].String()
		if got := strings.Contains(text, "💬 Before it asked:"); got != c.want {
			t.Errorf("%s: %v\n%s", name, got, text)
		}
	}
}
