package bridge

import (
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/session"
)

// What replies to an ask that has ended is a prompt, unless it may have been meant as the answer.
func TestAddressing_RepliesToWhatHasEnded(t *testing.T) {
	const ada, bob chat.UserID = 11, 12
	end := time.Date(2026, 11, 21, 14, 0, 0, 500_000_000, time.UTC)
	byPerson := func(id chat.UserID) question.Outcome {
		return question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"A"}}, By: question.Actor{Kind: question.Person, User: id}, At: end}
	}
	there := question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"A"}}, By: question.Actor{Kind: question.OpenCode}, At: end}
	for name, c := range map[string]struct {
		outcome       question.Outcome
		after         time.Duration // of the end
		replyTo       chat.MessageID
		prompts, late bool
	}{
		"written before somebody else answered":    {byPerson(bob), -time.Hour, 50, true, true},
		"written while somebody else answered":     {byPerson(bob), 4 * time.Second, 50, true, true},
		"written afterwards":                       {byPerson(bob), 5 * time.Second, 50, true, false},
		"of who has answered":                      {byPerson(ada), 0, 50, true, false},
		"written while it was answered there":      {there, 0, 50, true, true},
		"to a reply box":                           {byPerson(ada), time.Hour, 60, true, true},
		"to what nobody answered":                  {question.Outcome{Kind: question.OutcomeRestarted, At: end}, time.Hour, 50, true, true},
		"to the reply box of what nobody answered": {question.Outcome{Kind: question.OutcomeRestarted, At: end}, time.Hour, 60, true, true},
		"to a session that was deleted":            {question.Outcome{Kind: question.OutcomeDeleted, At: end}, time.Hour, 50, false, false},
	} {
		thread := question.Thread{
			ID: "abcdefghijkl", Origins: []session.Origin{{Way: session.Link, Directory: "/src/shop"}}, Outcome: &c.outcome,
			Request: question.Request{Session: "ses_1", Items: []question.Item{{Text: "Which?", Options: []question.Option{{Label: "A"}}}}},
			Cards:   []question.Card{{Chat: 1, Messages: []chat.MessageID{50}, Boxes: []question.ReplyBox{{Message: 60}}}},
		}
		in := inbound.Input{Kind: inbound.Typed, Chat: 1, User: chat.User{ID: ada}, ReplyTo: c.replyTo, Sent: end.Add(c.after)}
		if p, late := thread.TakesPrompts(), mayAnswer(thread, in, in.Sent); p != c.prompts || late != c.late {
			t.Errorf("%s: %v and %v", name, p, late)
		}
	}
}
