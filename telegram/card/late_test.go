package card_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/callback"
	"hermes/telegram/card"
	"hermes/telegram/markup"
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

func TestLate_OnACard(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	late := question.Late{Answers: question.Answers{{"SQLite"}}, By: question.Actor{Kind: question.Person, Name: "Ada"}, At: now}
	for state, c := range map[question.LateState]struct {
		want   string
		button bool
	}{
		question.LateOwed:    {"Ada's answer goes to the session as a prompt: SQLite", false},
		question.LateSent:    {"→ SQLite\nsent as a prompt by Ada · 12:00", false},
		question.LateRefused: {"Ada's answer was not sent, because OpenCode does not accept it: SQLite", true},
		question.LateDeleted: {"Ada's answer was not sent, because the session was deleted: SQLite", false},
		question.LateUnsure:  {"It is unclear whether Ada's answer arrived: SQLite", false},
	} {
		late.State = state
		card := card.Render(forgotten(func(t *question.Thread) { t.Late = &late }).View(), words.For("en"), now)
		if text := card.Parts[0].String(); !strings.HasSuffix(text, "OpenCode was restarted.\n"+c.want) {
			t.Errorf("%q: %s", state, text)
		}
		if (len(card.Rows) > 0) != c.button {
			t.Errorf("%q: the buttons are %+v", state, card.Rows)
		}
	}
}

// What was chosen before and goes as a prompt was used in the end.
func TestLate_SentAnswerIsUsed(t *testing.T) {
	ada := question.Actor{Kind: question.Person, User: 1, Name: "Ada"}
	for name, c := range map[string]struct {
		late string
		want bool
	}{"the same": {"SQLite", false}, "another": {"PostgreSQL", true}} {
		card := card.Render(forgotten(func(t *question.Thread) {
			t.Decision = &question.Decision{Answers: question.Answers{{"SQLite"}}, By: ada}
			t.Late = &question.Late{Answers: question.Answers{{c.late}}, By: ada, State: question.LateSent}
		}).View(), words.For("en"), time.Now())
		if got := strings.Contains(card.Parts[0].String(), "was not used"); got != c.want {
			t.Errorf("%s: %s", name, card.Parts[0].String())
		}
	}
}

// An offer is one message, whatever is asked, for it changes with every step.
func TestLateOffer_IsOneMessage(t *testing.T) {
	thread := forgotten(func(t *question.Thread) { t.Request.Items[0].Text = strings.Repeat("x", 5000) })
	text, rows := card.LateOffer(thread, question.Wizard{}, words.For("en"), time.Now())
	if text.Runes() > markup.MaxRunes || !strings.Contains(text.String(), "new prompt") || !strings.Contains(text.String(), "Database · shop") {
		t.Errorf("%d characters: %s", text.Runes(), text)
	}
	if len(rows) == 0 {
		t.Error("there are no buttons")
	}
}

// Every button of an offer fits, and none of them is read as one of the question's own.
func TestLateOffer_Buttons(t *testing.T) {
	thread := forgotten(nil)
	var data []string
	_, rows := card.LateOffer(thread, question.Wizard{}, words.For("en"), time.Now())
	for _, row := range rows {
		for _, b := range row {
			data = append(data, callback.EncodeOrder(b.Order))
		}
	}
	if want := []string{"2labcdefghijklp0.0.0-", "2labcdefghijklt0.0.0+", "2labcdefghijklr0.0.0-"}; !slices.Equal(data, want) {
		t.Errorf("the buttons are %q, want %q", data, want)
	}
}

// What a dismissal told the agent depends on its OpenCode.
func TestLateOffer_AfterADismissal(t *testing.T) {
	for protocol, want := range map[session.Protocol]string{
		session.V1: "The agent was already told that this was dismissed.",
		session.V2: "This was dismissed, which ended the agent's turn.",
	} {
		thread := forgotten(func(t *question.Thread) {
			t.Request.Protocol = protocol
			t.Decision = &question.Decision{Reject: true, By: question.Actor{Kind: question.RuleActor, Name: "r"}}
			t.Outcome = &question.Outcome{Kind: question.OutcomeDismissed, By: t.Decision.By}
		})
		text, _ := card.LateOffer(thread, question.Wizard{}, words.For("en"), time.Now())
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s: %s", protocol, text)
		}
	}
}
