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

// What the cards say when nobody has answered, for everything that a deadline can do.
func TestCards_AfterTheDeadline(t *testing.T) {
	marked := cardtest.Database()
	marked.Options = slices.Clone(marked.Options)
	marked.Options[0].Default = true
	var b strings.Builder
	for _, e := range question.Expiries() {
		for _, ask := range []struct {
			name string
			view question.View
		}{
			{"a question", cardtest.Asks(cardtest.Database())},
			{"a question with a default", cardtest.Asks(marked)},
			{"several questions", cardtest.Asks(cardtest.Database(), cardtest.Languages())},
			{"a question without options", cardtest.Asks(cardtest.NameItem())},
			{"a permission", cardtest.Permission(cardtest.Command("make"))},
		} {
			for _, lang := range words.Languages() {
				b.WriteString("=== " + string(e) + ", " + ask.name + ", " + lang + "\n")
				b.WriteString(shown(card.Render(overdue(e, ask.view.Request), words.For(lang), cardtest.Noon())) + "\n")
			}
		}
	}
	cardtest.Golden(t, "expiry.txt", b.String())
}

// overdue is a request whose deadline has done its work.
func overdue(e question.Expiry, r question.Request) question.View {
	thread := question.Thread{
		ID: "abcdefghijkl", Request: r, Project: "shop-api", Rev: 3, TTL: 30 * time.Minute, Deadline: cardtest.Noon(), OnExpiry: e, Expired: true,
		Origins: []session.Origin{{Directory: "/src/shop-api", Host: "ada-laptop"}},
	}
	if d, ok := e.Decision(r, false, cardtest.Noon()); ok {
		thread.Decision = &d
		thread.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, Answers: d.Answers, By: d.By, At: d.At}
		if d.Reject {
			thread.Outcome.Kind = question.OutcomeDismissed
		}
	}
	return thread.View()
}
