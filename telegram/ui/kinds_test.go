package ui_test

import (
	"testing"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/simulate/closedset"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// Each kind of note and alert has a text of its own: none falls through to what stands for
// kinds that are not known.
func TestKinds_HaveTheirText(t *testing.T) {
	w := words.For("en")
	for _, kind := range closedset.Constants(t)["outbound.NoteKind"] {
		n := outbound.Note{Kind: outbound.NoteKind(kind), Chat: 7, User: chat.User{ID: 7, Name: "Ada"}, View: cardtest.Asks(cardtest.Database()), Claim: &question.Claim{By: cardtest.Ada()}}
		n.Notice.Kind = question.OnlyOne
		unknown := n
		unknown.Kind = "unheard of"
		if got := ui.Note(n, w, cardtest.Noon()).String(); got == ui.Note(unknown, w, cardtest.Noon()).String() && n.Kind != outbound.NoteNothing {
			t.Errorf("the note %q says %q", kind, got)
		}
	}
	for _, kind := range closedset.Constants(t)["outbound.AlertKind"] {
		a := outbound.Alert{Kind: outbound.AlertKind(kind), Request: cardtest.Asks(cardtest.Database()).Request, Outcome: &question.Outcome{Kind: question.OutcomeStopped}, By: &question.Decision{Reject: true, By: cardtest.Ada()}, Claim: &question.Claim{By: cardtest.Ada()}, Notice: question.Notice{Kind: question.OnlyOne}}
		unknown := a
		unknown.Kind = "unheard of"
		if got := ui.Alert(a, w, cardtest.Noon()); got == ui.Alert(unknown, w, cardtest.Noon()) && a.Kind != outbound.AlertNone && a.Kind != outbound.AlertUnknown {
			t.Errorf("the alert %q says %q", kind, got)
		}
	}
}
