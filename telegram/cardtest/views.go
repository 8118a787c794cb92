package cardtest

import (
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Noon is when every golden card is drawn.
func Noon() time.Time { return time.Date(2026, 11, 21, 14, 2, 0, 0, time.UTC) }

func Database() question.Item {
	return question.Item{
		Header: "Database", Text: "Which database should this feature use?", Custom: true,
		Options: []question.Option{
			{Label: "SQLite", Description: "file based, nothing to run"},
			{Label: "PostgreSQL (Recommended)", Description: "production, needs a server"},
		},
	}
}

func Languages() question.Item {
	return question.Item{
		Header: "Languages", Text: "Which languages?", Custom: true, Multiple: true,
		Options: []question.Option{{Label: "Go"}, {Label: "Rust"}, {Label: "Zig"}},
	}
}

func NameItem() question.Item { return question.Item{Header: "Name", Text: "What is it called?"} }

func Ada() question.Actor {
	return question.Actor{Kind: question.Person, User: 7, Name: "Ada", Chat: 7}
}

func Databases() question.Actor {
	return question.Actor{Kind: question.RuleActor, Name: "databases"}
}

// Asks is an open view of these items.
func Asks(items ...question.Item) question.View {
	return question.View{
		Thread: "abcdefghijkl", Rev: 3, Phase: question.PhaseAsking, Request: question.Request{Items: items},
		Origin: session.Origin{Directory: "/src/shop-api", Host: "ada-laptop"}, Project: "shop-api",
		Place: session.Place{Title: "fix checkout flow"}, Deadline: Noon().Add(30 * time.Minute), TTL: 30 * time.Minute, OnExpiry: question.ExpireAccept,
	}
}

// After is the view after these moves, each made on the step on screen.
func After(v question.View, moves ...question.WizardInput) question.View {
	for _, m := range moves {
		m.Rev = v.Wizard.Rev
		v.Wizard, _ = v.Wizard.Apply(v.Request, m)
	}
	v.Step = v.Wizard.Rev
	return v
}

func Decided(v question.View, phase question.Phase, d question.Decision) question.View {
	d.At = Noon().Add(3 * time.Minute)
	v.Phase, v.Decision = phase, &d
	return v
}

// Held is a decision that can be taken back for ten seconds.
func Held(v question.View, d question.Decision) question.View {
	v = Decided(v, question.PhaseHeld, d)
	v.Undoable, v.HeldTo = true, Noon().Add(10*time.Second)
	return v
}

func Ended(v question.View, o question.Outcome) question.View {
	o.At = Noon().Add(3 * time.Minute)
	v.Phase, v.Outcome = question.PhaseEnded, &o
	return v
}

func Pick(item, option int) question.WizardInput {
	return question.WizardInput{Action: question.Pick, Item: item, Option: option, On: true}
}

func Typing(item int) question.WizardInput {
	return question.WizardInput{Action: question.Type, Item: item, On: true}
}

func Say(text string) question.WizardInput {
	return question.WizardInput{Action: question.Say, Text: text}
}

func WithContext(v question.View) question.View {
	v.Request.Context = "Release 1.4 is built,\n12 of 12 tests passed.\u202e"
	return v
}

func AmbiguousItem() question.Item {
	return question.Item{
		Header: "Database", Text: "Which?", Custom: true,
		Options: []question.Option{{Label: "SQLite"}, {Label: "PostgreSQL"}, {Label: "PostgreSQL + cache"}},
	}
}

// Permission is an open view of a permission ask.
func Permission(p question.Permission) question.View {
	v := Asks()
	v.Request = question.Request{Permission: &p, Agent: "build"}
	v.Count = 1
	return v
}

func Command(text string) question.Permission {
	patterns := []string{"rm -rf build", "make"}
	if text != "" && !strings.Contains(text, patterns[0]) {
		patterns = []string{text}
	}
	return question.Permission{
		Kind: "bash", Patterns: patterns, Always: []string{"rm *", "make *"}, Command: text,
		Details: []question.Detail{{Name: "description", Text: "Clean build"}},
	}
}

const Diff = "Index: /src/shop-api/a.txt\n===================\n--- /src/shop-api/a.txt\n+++ /src/shop-api/a.txt\n@@ -1,2 +1,2 @@\n one\n-two <b>\n+TWO\n"

func Change(text string) question.Permission {
	return question.Permission{
		Kind: "edit", Patterns: []string{"a.txt"}, Always: []string{"*"}, Diff: text,
		Details: []question.Detail{{Name: "filepath", Text: "/src/shop-api/a.txt"}},
	}
}

func LongItem() question.Item {
	item := Database()
	item.Text = strings.Repeat("Some words to read. ", 500)
	return item
}

func Voters(names ...string) []question.Vote {
	var list []question.Vote
	for i, name := range names {
		by := question.Actor{Kind: question.Person, User: chat.UserID(7 + i), Name: name, Chat: -5}
		list = append(list, question.Vote{By: by, Answers: question.Answers{{question.Once}}})
	}
	return list
}

// Approving is a permission that needs so many, of whom these have approved.
func Approving(needs int, names ...string) question.View {
	v := Permission(Command("./deploy.sh production"))
	v.Needs, v.Votes = needs, Voters(names...)
	return v
}
