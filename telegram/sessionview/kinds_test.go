package sessionview_test

import (
	"testing"

	"hermes/internal/question"
	"hermes/telegram/cardtest"
	"hermes/telegram/sessionview"
	"hermes/telegram/words"
)

// Each kind of message about sessions has a text of its own: none falls through to what stands for kinds that are not known.
func TestKinds_HaveTheirText(t *testing.T) {
	w := words.For("en")
	for _, kind := range cardtest.Constants(t, "TellingKind") {
		told := func(kind question.TellingKind) string {
			all := ""
			for _, part := range sessionview.Render(question.Telling{
				Kind: kind, Chat: 7, Text: "text", Asks: []question.Thread{{ID: "abcdefghijkl", Request: cardtest.Asks(cardtest.Database()).Request}},
				Session: question.Session{ID: "ses_1", Directory: "/src/shop-api", Title: "fix"},
			}, w, cardtest.Noon()).Parts {
				all += part.String()
			}
			return all
		}
		if got := told(question.TellingKind(kind)); got == told("unheard of") && kind != string(question.TellFailed) {
			t.Errorf("the message %q says %q", kind, got)
		}
	}
}
