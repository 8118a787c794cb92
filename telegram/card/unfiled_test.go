package card_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/card"
	"hermes/telegram/cardtest"
	"hermes/telegram/words"
)

// A step says that it is not all here only where something of it is left out.
func TestCard_OnlyAStepThatIsCutSaysSo(t *testing.T) {
	long := strings.Repeat("a long text ", 4000)
	const cut = "part of it is missing here"
	for name, c := range map[string]struct {
		change func(*question.Request)
		says   []bool // by step
	}{
		"a long text":        {func(r *question.Request) { r.Items[1].Text = long }, []bool{false, true, false}},
		"a long context":     {func(r *question.Request) { r.Context = long }, []bool{true, true, true}},
		"a long label":       {func(r *question.Request) { r.Items[1].Options[0].Label = long }, []bool{false, true, false}},
		"a long description": {func(r *question.Request) { r.Items[1].Options[0].Description = long }, []bool{false, true, false}},
		"many options": {func(r *question.Request) {
			for range 300 {
				r.Items[1].Options = append(r.Items[1].Options, question.Option{Label: strings.Repeat("x", 150)})
			}
		}, []bool{false, false, false}},
	} {
		v := cardtest.Asks(cardtest.Database(), cardtest.Database(), cardtest.Database())
		for i := range v.Request.Items {
			v.Request.Items[i].Options = slices.Clone(v.Request.Items[i].Options)
		}
		c.change(&v.Request)
		for step, want := range c.says {
			v.Wizard.Step = step
			text := textOfCard(card.RenderWithoutFile(v, words.For("en"), time.Now()))
			if got := strings.Contains(text, cut); got != want {
				t.Errorf("%s: step %d says so: %v, want %v\n%s", name, step, got, want, text)
			}
		}
	}
	v := cardtest.Asks(cardtest.Database())
	v.Request.Items[0].Options = []question.Option{{Label: "A", Description: long}}
	if text := textOfCard(card.RenderWithoutFile(cardtest.Ended(v, question.Outcome{Kind: question.OutcomeStopped}), words.For("en"), time.Now())); strings.Contains(text, cut) {
		t.Errorf("what has ended shows no choices anywhere, and says that they are missing:\n%s", text)
	}
}

// textOfCard is what all messages of a card say.
func textOfCard(c card.Card) string {
	var all strings.Builder
	for _, part := range c.Parts {
		all.WriteString(part.Unmarked())
	}
	return all.String()
}

// A card names only places where all of it can be read: hermes answer shows what a program asks, for as long as it waits, and nothing that
// only people in a chat may decide.
func TestCard_NamesWhereAllOfItIs(t *testing.T) {
	item := cardtest.Database()
	item.Text = strings.Repeat("a long text ", 4000)
	command := question.Permission{Kind: "bash", Command: "echo " + strings.Repeat("x", 5000)}
	api := func(v question.View) question.View { v.Origin.Way = session.AskAPI; return v }
	stopped := func(v question.View) question.View {
		return cardtest.Ended(v, question.Outcome{Kind: question.OutcomeStopped})
	}
	for name, c := range map[string]struct {
		view              question.View
		opencode, command bool
	}{
		"OpenCode's question":         {cardtest.Asks(item), true, false},
		"OpenCode's permission":       {cardtest.Permission(command), true, false},
		"OpenCode's question, ended":  {stopped(cardtest.Asks(item)), true, false},
		"a program's question":        {api(cardtest.Asks(item)), false, true},
		"a program's permission":      {api(cardtest.Permission(command)), false, false},
		"a program's question, ended": {stopped(api(cardtest.Asks(item))), false, false},
	} {
		text := textOfCard(card.RenderWithoutFile(c.view, words.For("en"), time.Now()))
		if !strings.Contains(text, "this chat does not accept files") || strings.Contains(text, "OpenCode shows all of it.") != c.opencode ||
			strings.Contains(text, "hermes answer") != c.command || strings.Contains(text, " \n") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
