package sessionview_test

import (
	"testing"

	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/simulate/closedset"
	"hermes/telegram/cardtest"
	"hermes/telegram/sessionview"
	"hermes/telegram/words"
)

// Each kind of message about sessions has a text of its own: none falls through to what stands for kinds that are not known.
func TestKinds_HaveTheirText(t *testing.T) {
	w := words.For("en")
	for _, kind := range closedset.Constants(t)["remote.MessageKind"] {
		told := func(kind remote.MessageKind) string {
			all := ""
			for _, part := range sessionview.Render(remote.Message{
				Kind: kind, Chat: 7, Text: "text", Asks: []question.Thread{{ID: "abcdefghijkl", Request: cardtest.Asks(cardtest.Database()).Request}},
				Session: session.Session{ID: "ses_1", Directory: "/src/shop-api", Title: "fix"},
			}, w, cardtest.Noon()).Parts {
				all += part.String()
			}
			return all
		}
		if got := told(remote.MessageKind(kind)); got == told("unheard of") && kind != string(remote.TellFailed) {
			t.Errorf("the message %q says %q", kind, got)
		}
	}
}
