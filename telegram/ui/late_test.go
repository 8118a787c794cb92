package ui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/callback"
	"hermes/telegram/markup"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// forgotten is a question that OpenCode forgot.
func forgotten(alter func(*question.Thread)) question.Thread {
	t := question.Thread{
		ID: "abcdefghijkl", Project: "shop", Origins: []session.Origin{{Way: session.Link, Directory: "/src/shop"}},
		Request: question.Request{ID: "que_1", Session: "ses_1", Items: []question.Item{
			{Header: "Database", Text: "Which database?", Options: []question.Option{{Label: "SQLite"}}, Custom: true},
		}},
		Outcome: &question.Outcome{Kind: question.OutcomeRestarted},
	}
	if alter != nil {
		alter(&t)
	}
	return t
}

// A card has the button only where it knows the answer, and says otherwise how to give one.
func TestLate_OnACard(t *testing.T) {
	decided := func(t *question.Thread) {
		t.Decision = &question.Decision{Answers: question.Answers{{"SQLite"}}, By: question.Actor{Kind: question.Person, User: 1, Name: "Ada"}}
	}
	for name, c := range map[string]struct {
		alter  func(*question.Thread)
		hint   bool
		button []string
	}{
		"lost":      {nil, true, nil},
		"answered":  {decided, false, []string{"2labcdefghijkl"}},
		"no prompt": {func(t *question.Thread) { t.Outcome.Kind = question.OutcomeDeleted }, false, nil},
	} {
		shown := ui.Render(forgotten(c.alter).View(), words.For("en"), time.Now())
		var data []string
		for _, row := range shown.Rows {
			data = append(data, callback.EncodeOrder(row[0].Order))
		}
		if hint := strings.HasSuffix(shown.Parts[0].String(), "\nReply to this message to send an answer as a prompt."); hint != c.hint || !slices.Equal(data, c.button) {
			t.Errorf("%s: %s, %q", name, shown.Parts[0], data)
		}
	}
}

// The offer is one message that tells the end, and shows the prompt.
func TestLateOffer(t *testing.T) {
	send := inbound.Button{Kind: inbound.ButtonSend, Session: "ses_1"}
	offer := ui.LateOffer(forgotten(nil), "ses_1", "My answer: "+strings.Repeat("x", 5000))(reader("en"))
	text, rows := offer.Parts[0], offer.Rows
	if text.Units() > markup.MaxUnits || !strings.HasPrefix(text.String(), "⚠️ No longer waiting: OpenCode was restarted\nYour answer was not sent. The button") || !strings.Contains(text.String(), "My answer: xxx") {
		t.Errorf("%d characters: %s", text.Units(), text)
	}
	if len(rows) != 1 || len(rows[0]) != 1 || rows[0][0].Order != send {
		t.Errorf("the buttons are %+v", rows)
	}
}
