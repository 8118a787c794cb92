package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

func alerts() []outbound.Alert {
	r := question.Request{Items: []question.Item{cardtest.Database()}}
	at := cardtest.Noon().Add(-time.Hour)
	all := []outbound.Alert{
		{},
		{Kind: outbound.AlertStale},
		{Kind: outbound.AlertStranger},
		{Kind: outbound.AlertNotHere},
		{Kind: outbound.AlertNotYours},
		{Kind: outbound.AlertNoRole},
		{Kind: outbound.AlertNoRole, Roles: []string{"lead", "ops"}},
		{Kind: outbound.AlertWrongRole, Roles: []string{"lead", "ops"}},
		{Kind: outbound.AlertUnknown},
		{Kind: outbound.AlertPartly},
		{Kind: outbound.AlertSent},
		{Kind: outbound.AlertNoText},
		{Kind: outbound.AlertNotTheirs},
		{Kind: outbound.AlertNotice, Notice: question.Notice{Kind: question.PickOne}},
		{Kind: outbound.AlertNotice, Notice: question.Notice{Kind: question.TapSend}},
		{Kind: outbound.AlertEnded},
		{Kind: outbound.AlertDecided},
	}
	for _, by := range []question.Actor{cardtest.Ada(), {Kind: question.Deadline}, {Kind: question.Caller, Name: "ci"}, {Kind: question.OpenCode}, cardtest.Databases()} {
		sqlite := question.Answers{{"SQLite"}}
		all = append(all,
			outbound.Alert{Kind: outbound.AlertDecided, By: &question.Decision{Answers: sqlite, By: by, At: at}},
			outbound.Alert{Kind: outbound.AlertDecided, By: &question.Decision{Reject: true, By: by, At: at}},
			outbound.Alert{Kind: outbound.AlertEnded, Outcome: &question.Outcome{Kind: question.OutcomeAnswered, Answers: sqlite, By: by, At: at}},
			outbound.Alert{Kind: outbound.AlertEnded, Outcome: &question.Outcome{Kind: question.OutcomeDismissed, By: by, At: at}},
		)
	}
	all = append(all, outbound.Alert{Kind: outbound.AlertDecided, Held: true, By: &question.Decision{Answers: question.Answers{{"SQLite"}}, By: cardtest.Ada(), At: at}})
	for _, kind := range question.OutcomeKinds()[2:] {
		all = append(all, outbound.Alert{Kind: outbound.AlertEnded, Outcome: &question.Outcome{Kind: kind, At: at}})
	}
	for i := range all {
		all[i].Request = r
	}
	return all
}

// described names an alert in the golden file.
func described(a outbound.Alert) string {
	text := string(a.Kind)
	if a.Outcome != nil {
		text += " " + string(a.Outcome.Kind) + " by " + string(a.Outcome.By.Kind)
	}
	if a.By != nil {
		text += fmt.Sprintf(" by %s, rejected: %v", a.By.By.Kind, a.By.Reject)
	}
	return text + string(a.Notice.Kind)
}

func TestAlert(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, a := range alerts() {
			fmt.Fprintf(&b, "%-45s %s\n", described(a), ui.Alert(a, words.For(lang), cardtest.Noon()))
		}
		cardtest.Golden(t, "alerts."+lang+".txt", b.String())
	}
}

func TestAlert_Fits(t *testing.T) {
	long := strings.Repeat("長い😀", 300)
	for _, a := range []outbound.Alert{
		{Kind: outbound.AlertDecided, By: &question.Decision{Answers: question.Answers{{long}}, By: question.Actor{Kind: question.Person, Name: long}}},
		{Kind: outbound.AlertNotice, Notice: question.Notice{Kind: question.Ambiguous, Options: []int{0, 1, 2}, Text: long}, Request: question.Request{
			Items: []question.Item{{Custom: true, Options: []question.Option{{Label: long}, {Label: long}, {Label: long}}}},
		}},
	} {
		text := ui.Alert(a, words.For("en"), cardtest.Noon())
		if n := len(utf16.Encode([]rune(text))); n > ui.MaxAlert || n < 50 {
			t.Errorf("%d: %q", n, text)
		}
	}
}

func notes() []outbound.Note {
	all := []outbound.Note{
		{Kind: outbound.NoteRemind, View: cardtest.Asks(cardtest.Database())},
		{Kind: outbound.NoteAskAgain, Notice: question.Notice{Kind: question.NotAnOption}},
		{Kind: outbound.NoteAskAgain, Notice: question.Notice{Kind: question.OnlyOne}},
		{Kind: outbound.NoteEnded, View: cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"SQLite"}}, By: cardtest.Ada()})},
		{Kind: outbound.NoteEnded, View: cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeStopped})},
		{Kind: outbound.NoteEnded, View: cardtest.Decided(cardtest.Asks(cardtest.Database()), question.PhaseSending, question.Decision{Reject: true, By: cardtest.Ada()})},
		{Kind: outbound.NoteEnded, View: cardtest.Asks(cardtest.Database())},
		{Kind: outbound.NoteEnded, View: cardtest.Held(cardtest.Asks(cardtest.Database()), question.Decision{Answers: question.Answers{{"SQLite"}}, By: cardtest.Ada()})},
		{Kind: outbound.NoteEnded, View: cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeStopped}), NoRight: true},
	}
	for _, kind := range []outbound.NoteKind{outbound.NoteNoRole, outbound.NoteWrongRole} {
		all = append(all, outbound.Note{Kind: kind, Chat: 7, Roles: []string{"lead", "ops"}})
	}
	for _, kind := range []outbound.NoteKind{outbound.NoteNothing, outbound.NoteWhich, outbound.NoteGreeting, outbound.NoteElsewhere, outbound.NoteStranger, outbound.NoteForwarded, outbound.NotePaced, outbound.NoteMovedOn, outbound.NoteNoBox, outbound.NoteNoFile, outbound.NoteUnsigned} {
		all = append(all, outbound.Note{Kind: kind, Chat: 7, User: chat.User{ID: 7, Name: "Ada"}})
	}
	return all
}

func TestNote(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, n := range notes() {
			text := ui.Note(n, words.For(lang), cardtest.Noon())
			checkMessage(t, text)
			fmt.Fprintf(&b, "=== %s\n%s\n\n", n.Kind, text.HTML())
		}
		cardtest.Golden(t, "notes."+lang+".txt", b.String())
	}
}
