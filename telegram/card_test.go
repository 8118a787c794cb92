package telegram

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/telegram/words"
)

var update = flag.Bool("update", false, "write the golden files anew")

// noon is when every golden card is drawn.
func noon() time.Time { return time.Date(2026, 11, 21, 14, 2, 0, 0, time.UTC) }

func database() question.Item {
	return question.Item{
		Header: "Database", Text: "Which database should this feature use?", Custom: true,
		Options: []question.Option{
			{Label: "SQLite", Description: "file based, nothing to run"},
			{Label: "PostgreSQL (Recommended)", Description: "production, needs a server"},
		},
	}
}

func languages() question.Item {
	return question.Item{
		Header: "Languages", Text: "Which languages?", Custom: true, Multiple: true,
		Options: []question.Option{{Label: "Go"}, {Label: "Rust"}, {Label: "Zig"}},
	}
}

func named() question.Item { return question.Item{Header: "Name", Text: "What is it called?"} }

func ada() question.Actor {
	return question.Actor{Kind: question.Person, User: 7, Name: "Ada", Chat: 7}
}

func databases() question.Actor {
	return question.Actor{Kind: question.RuleActor, Name: "databases"}
}

// asks is an open view of these items.
func asks(items ...question.Item) question.View {
	return question.View{
		Thread: "abcdefghijkl", Rev: 3, Phase: question.PhaseAsking, Request: question.Request{Items: items},
		Origin: question.Origin{Directory: "/src/shop-api", Host: "ada-laptop"}, Project: "shop-api",
		Place: question.Place{Title: "fix checkout flow"}, Deadline: noon().Add(30 * time.Minute), TTL: 30 * time.Minute,
	}
}

// after is the view after these moves, each made on the step on screen.
func after(v question.View, moves ...question.Move) question.View {
	for _, m := range moves {
		m.Rev = v.Wizard.Rev
		v.Wizard, _ = v.Wizard.Apply(v.Request, m)
	}
	v.Step = v.Wizard.Rev
	return v
}

func decided(v question.View, phase question.Phase, d question.Decision) question.View {
	d.At = noon().Add(3 * time.Minute)
	v.Phase, v.Decision = phase, &d
	return v
}

func ended(v question.View, o question.Outcome) question.View {
	o.At = noon().Add(3 * time.Minute)
	v.Phase, v.Outcome = question.PhaseEnded, &o
	return v
}

func pick(item, option int) question.Move {
	return question.Move{Action: question.Pick, Item: item, Option: option, On: true}
}

func typing(item int) question.Move {
	return question.Move{Action: question.Type, Item: item, On: true}
}

func say(text string) question.Move { return question.Move{Action: question.Say, Text: text} }

type scene struct {
	name string
	view question.View
}

func open() []scene {
	one, all := asks(database()), asks(database(), languages(), named())
	sub := asks(question.Item{Text: "Go on?", Options: []question.Option{{Label: "Yes"}, {Label: "No"}}})
	sub.Place.Subagent, sub.Deadline = "tests", time.Time{}
	offline := asks(database())
	offline.Offline, offline.Expired, offline.Deadline = 12*time.Minute, true, time.Time{}
	many := database()
	many.Options = nil
	for i := range 23 {
		many.Options = append(many.Options, question.Option{Label: fmt.Sprintf("Region number %d in the far far west", i+1)})
	}
	return []scene{
		{"one question", one},
		{"a subagent asks, short labels, no text, no header, waits for ever", sub},
		{"the person wants to type", after(one, typing(0))},
		{"typed text may mean two", after(asks(ambiguousItem()), say("post"))},
		{"no options", asks(named())},
		{"after an outage, and past the deadline", offline},
		{"23 options, second page", after(asks(many), question.Move{Action: question.Page, Option: 1})},
		{"one question, several answers, none yet, Done refused", after(asks(languages()), question.Move{Action: question.Done})},
		{"one question, two options and a text chosen", after(asks(languages()), pick(0, 0), pick(0, 2), typing(0), say("Odin & <C>"))},
		{"several questions, first", all},
		{"several questions, second", after(all, pick(0, 1), pick(1, 0), pick(1, 2))},
		{"several questions, back at the first", after(all, pick(0, 1), question.Move{Action: question.Go, Item: 0})},
		{"several questions, review", after(all, pick(0, 1), pick(1, 0), pick(1, 2), question.Move{Action: question.Done, Item: 1}, say("The Bridge"))},
		{"nothing to ask", asks()},
		{"an ask of a program, with its context", withContext(asks(languages()))},
		{"several with a context, second", after(withContext(asks(database(), languages())), pick(0, 1))},
	}
}

func withContext(v question.View) question.View {
	v.Request.Context = "Release 1.4 is built,\n12 of 12 tests passed.\u202e"
	return v
}

func ambiguousItem() question.Item {
	return question.Item{
		Header: "Database", Text: "Which?", Custom: true,
		Options: []question.Option{{Label: "SQLite"}, {Label: "PostgreSQL"}, {Label: "PostgreSQL + cache"}},
	}
}

func closedScenes() []scene {
	one, all := asks(database()), asks(database(), languages(), named())
	postgres := question.Answers{{"PostgreSQL (Recommended)"}}
	yes := question.Decision{Answers: postgres, By: ada()}
	no := question.Decision{Reject: true, By: ada()}
	three := question.Answers{{"SQLite"}, {"Go", "Zig"}, {"The Bridge"}}
	var scenes []scene
	add := func(name string, v question.View) { scenes = append(scenes, scene{name, v}) }
	add("sending", decided(one, question.PhaseSending, yes))
	add("sending several", decided(all, question.PhaseSending, question.Decision{Answers: three, By: ada()}))
	add("sending a dismissal", decided(one, question.PhaseSending, no))
	add("waiting for OpenCode", decided(one, question.PhaseWaiting, yes))
	add("waiting, several", decided(all, question.PhaseWaiting, question.Decision{Answers: three, By: ada()}))
	add("waiting, dismissed", decided(one, question.PhaseWaiting, no))
	add("waiting, after the deadline", decided(one, question.PhaseWaiting, question.Decision{Answers: postgres, By: question.Actor{Kind: question.Deadline}}))
	for _, by := range []question.Actor{
		ada(),
		{Kind: question.Deadline},
		{Kind: question.Caller, Name: "ci"},
		{Kind: question.OpenCode},
		databases(),
	} {
		add("answered by "+string(by.Kind), ended(one, question.Outcome{Kind: question.OutcomeAnswered, Answers: postgres, By: by}))
		add("several answered by "+string(by.Kind), ended(all, question.Outcome{Kind: question.OutcomeAnswered, Answers: three, By: by}))
		add("dismissed by "+string(by.Kind), ended(one, question.Outcome{Kind: question.OutcomeDismissed, By: by}))
	}
	for _, kind := range question.Ends()[2:] {
		add(string(kind), ended(one, question.Outcome{Kind: kind}))
	}
	there := question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"SQLite"}}, By: question.Actor{Kind: question.OpenCode}}
	add("answered in OpenCode, before the person's answer came", ended(decided(one, "", yes), there))
	add("stopped, before the person's answer came", ended(decided(one, "", yes), question.Outcome{Kind: question.OutcomeStopped}))
	add("answered in OpenCode, before the person's dismissal came", ended(decided(one, "", no), there))
	sent := ended(decided(one, "", yes), question.Outcome{Kind: question.OutcomeRestarted})
	sent.Sent = true
	add("restarted, after the person's answer was sent", sent)
	sent = ended(decided(one, "", no), question.Outcome{Kind: question.OutcomeUnknown})
	sent.Sent = true
	add("nobody knows, after the person's dismissal was sent", sent)
	own := asks(database())
	own.Origin, own.Project = question.Origin{Way: question.AskAPI}, ""
	own.Request.Context = "Release 1.4 is built,\n12 of 12 tests passed.\u202e"
	byDefault := ended(own, question.Outcome{Kind: question.OutcomeAnswered, Answers: postgres, By: question.Actor{Kind: question.Deadline}})
	byDefault.Request = asks(database()).Request
	byDefault.Request.Items[0].Options[1].Default = true
	add("an ask of a program, in time", ended(own, question.Outcome{Kind: question.OutcomeAnswered, Answers: postgres, By: ada()}))
	add("an ask of a program, not in time", ended(own, question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Deadline}}))
	add("an ask of a program, not in time, with a default", byDefault)
	rule := decided(one, question.PhaseWaiting, question.Decision{Answers: postgres, By: databases()})
	rule.Undoable = true
	add("waiting, by rule", rule)
	add("waiting, dismissed by rule, perhaps sent", decided(one, question.PhaseWaiting, question.Decision{Reject: true, By: databases()}))
	add("sending, several by rule", decided(all, question.PhaseSending, question.Decision{Answers: three, By: databases()}))
	add("several, stopped", ended(all, question.Outcome{Kind: question.OutcomeStopped}))
	add("used, and proven later", ended(decided(one, "", yes), question.Outcome{Kind: question.OutcomeAnswered, Answers: postgres, By: ada()}))
	return scenes
}

// shown is a card as a person reads it.
func shown(c card) string {
	var b strings.Builder
	if c.file != "" {
		b.WriteString("[" + c.name + "]\n----\n")
	}
	for i, part := range c.parts {
		if i > 0 {
			b.WriteString("\n----\n")
		}
		b.WriteString(part.HTML())
	}
	b.WriteString("\n")
	for i, row := range c.rows {
		if i == 0 {
			b.WriteString("\n")
		}
		for j, btn := range row {
			if j > 0 {
				b.WriteString(" ")
			}
			b.WriteString("[" + btn.label + "]")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestCards(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, s := range append(open(), closedScenes()...) {
			b.WriteString("=== " + s.name + "\n" + shown(render(s.view, words.For(lang), noon())) + "\n")
		}
		golden(t, "cards."+lang+".txt", b.String())
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and look at the difference. Now:\n%s", path, got)
	}
}
