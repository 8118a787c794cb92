package card_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"hermes/internal/question"
	"hermes/telegram/card"
	"hermes/telegram/cardtest"
	"hermes/telegram/words"
)

func alerts() []question.Alert {
	r := question.Request{Items: []question.Item{cardtest.Database()}}
	at := cardtest.Noon().Add(-time.Hour)
	all := []question.Alert{
		{},
		{Kind: question.AlertStale},
		{Kind: question.AlertStranger},
		{Kind: question.AlertNotHere},
		{Kind: question.AlertNoRole},
		{Kind: question.AlertNoRole, Roles: []string{"lead", "ops"}},
		{Kind: question.AlertWrongRole, Roles: []string{"lead", "ops"}},
		{Kind: question.AlertUnknown},
		{Kind: question.AlertNotSaved},
		{Kind: question.AlertSetAside},
		{Kind: question.AlertNotice, Notice: question.Notice{Kind: question.PickOne}},
		{Kind: question.AlertNotice, Notice: question.Notice{Kind: question.TapSend}},
		{Kind: question.AlertEnded},
		{Kind: question.AlertDecided},
	}
	for _, by := range []question.Actor{cardtest.Ada(), {Kind: question.Deadline}, {Kind: question.Caller, Name: "ci"}, {Kind: question.OpenCode}, cardtest.Databases()} {
		sqlite := question.Answers{{"SQLite"}}
		all = append(all,
			question.Alert{Kind: question.AlertDecided, By: &question.Decision{Answers: sqlite, By: by, At: at}},
			question.Alert{Kind: question.AlertDecided, By: &question.Decision{Reject: true, By: by, At: at}},
			question.Alert{Kind: question.AlertEnded, Outcome: &question.Outcome{Kind: question.OutcomeAnswered, Answers: sqlite, By: by, At: at}},
			question.Alert{Kind: question.AlertEnded, Outcome: &question.Outcome{Kind: question.OutcomeDismissed, By: by, At: at}},
		)
	}
	for _, kind := range question.OutcomeKinds()[2:] {
		all = append(all, question.Alert{Kind: question.AlertEnded, Outcome: &question.Outcome{Kind: kind, At: at}})
	}
	for i := range all {
		all[i].Request = r
	}
	return all
}

// described names an alert in the golden file.
func described(a question.Alert) string {
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
			fmt.Fprintf(&b, "%-45s %s\n", described(a), card.Alert(a, words.For(lang), cardtest.Noon()))
		}
		cardtest.Golden(t, "alerts."+lang+".txt", b.String())
	}
}

func TestAlert_Fits(t *testing.T) {
	long := strings.Repeat("長い😀", 300)
	for _, a := range []question.Alert{
		{Kind: question.AlertDecided, By: &question.Decision{Answers: question.Answers{{long}}, By: question.Actor{Kind: question.Person, Name: long}}},
		{Kind: question.AlertNotice, Notice: question.Notice{Kind: question.Ambiguous, Options: []int{0, 1, 2}, Text: long}, Request: question.Request{
			Items: []question.Item{{Custom: true, Options: []question.Option{{Label: long}, {Label: long}, {Label: long}}}},
		}},
	} {
		text := card.Alert(a, words.For("en"), cardtest.Noon())
		if n := len(utf16.Encode([]rune(text))); n > card.MaxAlert || n < 50 {
			t.Errorf("%d: %q", n, text)
		}
	}
}

func notes() []question.Note {
	all := []question.Note{
		{Kind: question.NoteRemind, View: cardtest.Asks(cardtest.Database())},
		{Kind: question.NoteAskAgain, Notice: question.Notice{Kind: question.NotAnOption}},
		{Kind: question.NoteAskAgain, Notice: question.Notice{Kind: question.OnlyOne}},
		{Kind: question.NoteEnded, View: cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"SQLite"}}, By: cardtest.Ada()})},
		{Kind: question.NoteEnded, View: cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeStopped})},
		{Kind: question.NoteEnded, View: cardtest.Decided(cardtest.Asks(cardtest.Database()), question.PhaseSending, question.Decision{Reject: true, By: cardtest.Ada()})},
		{Kind: question.NoteEnded, View: cardtest.Asks(cardtest.Database())},
	}
	for _, kind := range []question.NoteKind{question.NoteNoRole, question.NoteWrongRole} {
		all = append(all, question.Note{Kind: kind, Chat: 7, Roles: []string{"lead", "ops"}})
	}
	for _, kind := range []question.NoteKind{question.NoteNothing, question.NoteWhich, question.NoteGreeting, question.NoteElsewhere, question.NoteStranger, question.NoteNotSaved, question.NoteForwarded, question.NotePaced, question.NoteSetAside, question.NoteMovedOn, question.NoteNoBox, question.NoteNoFile, question.NoteUnsigned} {
		all = append(all, question.Note{Kind: kind, Chat: 7, User: question.User{ID: 7, Name: "Ada"}})
	}
	return all
}

func TestNote(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, n := range notes() {
			text := card.Note(n, words.For(lang), cardtest.Noon())
			checkMessage(t, text)
			fmt.Fprintf(&b, "=== %s\n%s\n\n", n.Kind, text.HTML())
		}
		cardtest.Golden(t, "notes."+lang+".txt", b.String())
	}
}
