package pending

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// sample is what the golden file holds: every field that schema 1 began with. It
// stays as it is when fields are added, for that is what old files are like.
func sample() storage.Change {
	end := thread(2)
	end.Outcome = &question.Outcome{Kind: question.OutcomeStopped, At: sampleTime(30)}
	return storage.Change{
		Threads:  []question.Thread{sampleThread(), thread(1)},
		Retired:  []question.Thread{end},
		Chats:    []chat.Chat{{ID: 42, Lang: "zh", MovedTo: -100, Blocked: true, Hinted: true, Greeted: true}, {ID: -100}},
		Consumed: []chat.UpdateID{1},
		Entries: []storage.Entry{
			{
				At: sampleTime(40), Kind: storage.EntryAnswered, Thread: "sampleThread", Request: "que_sample", Session: "ses_sample",
				By: sampleActor(), Answers: sampleAnswers(), Detail: "answered",
			},
			{At: sampleTime(41), Kind: storage.EntryShown},
		},
	}
}

func sampleThread() question.Thread {
	return question.Thread{
		ID: "sampleThread", Request: sampleRequest(), Project: "shop", Away: true,
		Origins: []session.Origin{{Way: session.Link, Process: "token", Directory: "/home/\xff/shop", Host: "laptop"}},
		Place:   session.Place{Title: "Build the shop", Subagent: "Explore", Root: "ses_root"},
		Asked:   sampleTime(1), ShowAt: sampleTime(2), Deadline: sampleTime(3), TTL: 30 * time.Minute,
		OnExpiry: question.ExpireAccept, Expired: true, RemindAt: []time.Time{sampleTime(4), sampleTime(5)},
		Wizard: sampleWizard(), Offline: 90 * time.Second, Rev: 12, Cards: sampleCards(),
		Resolving: retry.Attempts{Made: 3, Next: sampleTime(6)}, CheckAt: sampleTime(7),
		Decision: &question.Decision{Reject: true, Answers: sampleAnswers(), By: sampleActor(), At: sampleTime(8)},
		Delivery: question.Delivery{Attempts: retry.Attempts{Made: 2, Next: sampleTime(9)}, Begun: true, SentAt: sampleTime(10)},
		Outcome:  &question.Outcome{Kind: question.OutcomeAnswered, Answers: sampleAnswers(), By: sampleActor(), At: sampleTime(11)},
	}
}

func sampleRequest() question.Request {
	return question.Request{
		ID: "que_sample", Protocol: session.V1, Session: "ses_sample", Message: "msg_sample", Call: "call_1",
		Items: []question.Item{
			{
				Header: "Database", Text: "Which <one> & why? 🤔\x00", Multiple: true, Custom: true,
				Options: []question.Option{{Label: "PostgreSQL", Description: "big"}, {Label: "naïve \xff"}},
			},
			{Header: "Name", Options: []question.Option{}},
		},
	}
}

func sampleWizard() question.Wizard {
	return question.Wizard{
		State: question.Answered, Step: 1, Rev: 4, Page: 2, Typing: true,
		Choices: []question.Choice{{Options: []int{0, 1}, Texts: []string{"SQLite", ""}}, {}},
		Last:    question.WizardInput{Action: question.Pick, Rev: 3, Item: 1, Option: 2, On: true, Text: "typed"},
		Notice:  question.Notice{Kind: question.Ambiguous, Item: 1, Options: []int{0, 1}, Text: "sql"},
	}
}

func sampleCards() []question.Card {
	return []question.Card{
		{
			Chat: -100123, Topic: 5, Messages: []chat.MessageID{10, 11}, Others: []chat.MessageID{20},
			Rev: 11, Tries: retry.Attempts{Made: 1, Next: sampleTime(20)}, Refused: "kicked",
		},
		{Chat: 42, Messages: []chat.MessageID{}},
	}
}

func sampleActor() question.Actor {
	return question.Actor{Kind: question.Person, User: 77, Name: "Ada", Chat: 42}
}

func sampleAnswers() question.Answers {
	return question.Answers{{"PostgreSQL", "naïve \xff"}, {}, nil}
}

func sampleTime(n int) time.Time {
	return time.Date(2026, 11, 21, 12, 0, n, 123_456_789, time.UTC)
}
