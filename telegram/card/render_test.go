package card_test

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
	"hermes/telegram/card"
	"hermes/telegram/cardtest"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

var (
	ownTags  = regexp.MustCompile(`</?b>|</?blockquote>|<pre><code class="language-text">|</code></pre>|<tg-time unix="[0-9]+" format="(t|dt)">|</tg-time>`)
	entities = regexp.MustCompile(`&(amp|lt|gt);`)
)

// checkCard holds a card against the limits of the Bot API.
func checkCard(t *testing.T, c card.Card) {
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
	if len(text) > 32768 || part.Runes() > markup.MaxRunes || strings.TrimSpace(part.String()) == "" || !utf8.ValidString(text) {
		t.Errorf("a message of %d code points, %d bytes", part.Runes(), len(text))
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
func everything(c card.Card) string {
	if c.File != "" {
		return c.File
	}
	var b strings.Builder
	for _, part := range c.Parts {
		b.WriteString(strings.TrimPrefix(part.String(), markup.More))
	}
	return b.String()
}

func checkWhole(t *testing.T, c card.Card, item question.Item) {
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

func TestCard_LongTextContinues(t *testing.T) {
	item := cardtest.Database()
	item.Text = strings.Repeat("Some words to read. ", 500) + "rm -rf / at the end"
	c := card.Render(cardtest.Asks(item), words.For("en"), cardtest.Noon())
	checkCard(t, c)
	checkWhole(t, c, item)
	last := c.Parts[len(c.Parts)-1].String()
	if len(c.Parts) != 4 || !strings.HasPrefix(last, "❓ Database · shop-api\n") || !strings.Contains(last, "2. PostgreSQL") {
		t.Errorf("%d parts, the last:\n%s", len(c.Parts), last)
	}
}

func TestCard_VeryLongTextIsAFile(t *testing.T) {
	long := cardtest.Database()
	long.Text = strings.Repeat("Some words to read. ", 5000) + "rm -rf / at the end"
	v := cardtest.Asks(cardtest.Languages(), long)
	for _, v := range []question.View{v, cardtest.After(v, cardtest.Pick(0, 0), question.WizardInput{Action: question.Done})} {
		c := card.Render(v, words.For("en"), cardtest.Noon())
		checkCard(t, c)
		if len(c.Parts) != 1 || !strings.Contains(c.File, "at the end") || !strings.Contains(c.File, "3. Zig") {
			t.Errorf("%d parts, a file of %d", len(c.Parts), len(c.File))
		}
	}
}

func TestCard_WholeAnswersAtTheEnd(t *testing.T) {
	text := strings.Repeat("a long answer. ", 1000)
	v := cardtest.Ended(cardtest.Asks(cardtest.NameItem()), question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{text}}, By: cardtest.Ada()})
	c := card.Render(v, words.For("en"), cardtest.Noon())
	checkCard(t, c)
	if !strings.Contains(everything(c), text) {
		t.Error("the answer is cut")
	}
}

func TestCard_EqualLabelsAreTwoButtons(t *testing.T) {
	item := question.Item{Text: "Which?", Options: []question.Option{{Label: "Same"}, {Label: "Same"}, {Label: ""}}}
	c := card.Render(cardtest.Asks(item), words.For("en"), cardtest.Noon())
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
		c := card.Render(one, words.For("en"), cardtest.Noon())
		checkCard(t, c)
		checkWhole(t, c, item)
		for _, v := range []question.View{cardtest.After(one, cardtest.Say(said)), cardtest.After(one, cardtest.Typing(0), cardtest.Say(said)), two, cardtest.After(two, cardtest.Say(said)), cardtest.After(two, cardtest.Say(said), cardtest.Say("1"))} {
			checkCard(t, card.Render(v, words.For("zh"), cardtest.Noon()))
		}
		answers := question.Answers{{label, said}}
		for _, v := range []question.View{
			cardtest.Decided(one, question.PhaseSending, question.Decision{Answers: answers, By: cardtest.Ada()}),
			cardtest.Ended(two, question.Outcome{Kind: question.OutcomeAnswered, Answers: answers, By: question.Actor{Kind: question.OpenCode}}),
		} {
			checkCard(t, card.Render(v, words.For("en"), cardtest.Noon()))
		}
	})
}
