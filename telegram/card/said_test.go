package card_test

import (
	"strings"
	"testing"

	"hermes/internal/question"
	"hermes/telegram/card"
	"hermes/telegram/cardtest"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

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
			without := card.Render(view, words.For("en"), cardtest.Noon())
			view.Said = strings.Repeat("<&> long 😀 ", 200)
			with := card.Render(view, words.For("en"), cardtest.Noon())
			if len(with.Parts) != len(without.Parts) || len(with.Rows) != len(without.Rows) || with.File != without.File {
				t.Errorf("%s of %d: %d messages, and %d without", name, n, len(with.Parts), len(without.Parts))
			}
			for _, part := range with.Parts {
				if part.Runes() > markup.MaxRunes || len(part.HTML()) > 32_768 {
					t.Errorf("%s of %d: a message of %d code points", name, n, part.Runes())
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
		text := card.Render(c.view, words.For("en"), cardtest.Noon()).Parts[0].String()
		if got := strings.Contains(text, "💬 Before it asked:"); got != c.want {
			t.Errorf("%s: %v\n%s", name, got, text)
		}
	}
}
