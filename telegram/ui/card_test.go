package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/callback"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

type scene struct {
	name string
	view question.View
}

func open() []scene {
	one, all := cardtest.Asks(cardtest.Database()), cardtest.Asks(cardtest.Database(), cardtest.Languages(), cardtest.NameItem())
	sub := cardtest.Asks(question.Item{Text: "Go on?", Options: []question.Option{{Label: "Yes"}, {Label: "No"}}})
	sub.Place.Subagent, sub.Deadline = "tests", time.Time{}
	offline := cardtest.Asks(cardtest.Database())
	offline.Offline, offline.Expired, offline.Deadline = 12*time.Minute, true, time.Time{}
	many := cardtest.Database()
	many.Options = nil
	for i := range 23 {
		many.Options = append(many.Options, question.Option{Label: fmt.Sprintf("Region number %d in the far far west", i+1)})
	}
	dismiss := question.WizardInput{Action: question.Dismiss}
	second, program := one, one
	second.Request.Protocol, program.Origin.Way = session.V2, session.AskAPI
	return []scene{
		{"one question", one},
		{"a subagent asks, short labels, no text, no header, waits for ever", sub},
		{"the person wants to type", cardtest.After(one, cardtest.Typing(0))},
		{"typed text may mean two", cardtest.After(cardtest.Asks(cardtest.AmbiguousItem()), cardtest.Say("post"))},
		{"a number that no option has", cardtest.After(cardtest.Asks(cardtest.Database()), cardtest.Say("7"))},
		{"numbers of which one is no option's", cardtest.After(cardtest.Asks(cardtest.Languages()), cardtest.Say("1, 9 and 0"))},
		{"several numbers where one is taken", cardtest.After(cardtest.Asks(cardtest.Database()), cardtest.Say("1, 2"))},
		{"no options", cardtest.Asks(cardtest.NameItem())},
		{"after an outage, and past the deadline", offline},
		{"23 options, second page", cardtest.After(cardtest.Asks(many), question.WizardInput{Action: question.Page, Option: 1})},
		{"one question, several answers, none yet, Done refused", cardtest.After(cardtest.Asks(cardtest.Languages()), question.WizardInput{Action: question.Done})},
		{"one question, two options and a text chosen", cardtest.After(cardtest.Asks(cardtest.Languages()), cardtest.Pick(0, 0), cardtest.Pick(0, 2), cardtest.Typing(0), cardtest.Say("Odin & <C>"))},
		{"several questions, first", all},
		{"several questions, second", cardtest.After(all, cardtest.Pick(0, 1), cardtest.Pick(1, 0), cardtest.Pick(1, 2))},
		{"several questions, back at the first", cardtest.After(all, cardtest.Pick(0, 1), question.WizardInput{Action: question.Go, Item: 0})},
		{"several questions, review", cardtest.After(all, cardtest.Pick(0, 1), cardtest.Pick(1, 0), cardtest.Pick(1, 2), question.WizardInput{Action: question.Done, Item: 1}, cardtest.Say("The Bridge"))},
		{"a dismissal, asked again", cardtest.After(one, dismiss)},
		{"a dismissal in OpenCode 2, asked again", cardtest.After(second, dismiss)},
		{"a dismissal of a subagent's question, asked again", cardtest.After(sub, dismiss)},
		{"a dismissal of a program's ask, asked again", cardtest.After(program, dismiss)},
		{"a dismissal of several, some prepared, while typing, asked again", cardtest.After(all, cardtest.Pick(0, 1), cardtest.Typing(1), dismiss)},
		{"a dismissal from the review, asked again", cardtest.After(all, cardtest.Pick(0, 1), cardtest.Pick(1, 0), question.WizardInput{Action: question.Done, Item: 1}, cardtest.Say("The Bridge"), dismiss)},
		{"nothing to ask", cardtest.Asks()},
		{"an ask of a program, with its context", cardtest.WithContext(cardtest.Asks(cardtest.Languages()))},
		{"several with a context, second", cardtest.After(cardtest.WithContext(cardtest.Asks(cardtest.Database(), cardtest.Languages())), cardtest.Pick(0, 1))},
	}
}

func closedScenes() []scene {
	one, all := cardtest.Asks(cardtest.Database()), cardtest.Asks(cardtest.Database(), cardtest.Languages(), cardtest.NameItem())
	postgres := question.Answers{{"PostgreSQL (Recommended)"}}
	yes := question.Decision{Answers: postgres, By: cardtest.Ada()}
	no := question.Decision{Reject: true, By: cardtest.Ada()}
	three := question.Answers{{"SQLite"}, {"Go", "Zig"}, {"The Bridge"}}
	var scenes []scene
	add := func(name string, v question.View) { scenes = append(scenes, scene{name, v}) }
	add("held", cardtest.Held(one, yes))
	add("held, several", cardtest.Held(all, question.Decision{Answers: three, By: cardtest.Ada()}))
	add("held, dismissed", cardtest.Held(one, no))
	add("held, by rule", cardtest.Held(one, question.Decision{Answers: postgres, By: cardtest.Databases()}))
	over := cardtest.Held(one, yes)
	over.HeldTo = cardtest.Noon()
	add("held, and its time is over", over)
	add("sending", cardtest.Decided(one, question.PhaseSending, yes))
	add("sending several", cardtest.Decided(all, question.PhaseSending, question.Decision{Answers: three, By: cardtest.Ada()}))
	add("sending a dismissal", cardtest.Decided(one, question.PhaseSending, no))
	add("waiting for OpenCode", cardtest.Decided(one, question.PhaseWaiting, yes))
	add("waiting, several", cardtest.Decided(all, question.PhaseWaiting, question.Decision{Answers: three, By: cardtest.Ada()}))
	add("waiting, dismissed", cardtest.Decided(one, question.PhaseWaiting, no))
	add("waiting, after the deadline", cardtest.Decided(one, question.PhaseWaiting, question.Decision{Answers: postgres, By: question.Actor{Kind: question.Deadline}}))
	for _, by := range []question.Actor{
		cardtest.Ada(),
		{Kind: question.Deadline},
		{Kind: question.Caller, Name: "ci"},
		{Kind: question.OpenCode},
		cardtest.Databases(),
	} {
		add("answered by "+string(by.Kind), cardtest.Ended(one, question.Outcome{Kind: question.OutcomeAnswered, Answers: postgres, By: by}))
		add("several answered by "+string(by.Kind), cardtest.Ended(all, question.Outcome{Kind: question.OutcomeAnswered, Answers: three, By: by}))
		add("dismissed by "+string(by.Kind), cardtest.Ended(one, question.Outcome{Kind: question.OutcomeDismissed, By: by}))
	}
	for _, kind := range question.OutcomeKinds()[2:] {
		add(string(kind), cardtest.Ended(one, question.Outcome{Kind: kind}))
	}
	second := cardtest.Asks(cardtest.Database())
	second.Request.Protocol = session.V2
	add("in OpenCode 2, nobody answered", cardtest.Ended(second, question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Deadline}}))
	add("in OpenCode 2, restarted", cardtest.Ended(second, question.Outcome{Kind: question.OutcomeRestarted, WentOn: true}))
	there := question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"SQLite"}}, By: question.Actor{Kind: question.OpenCode}}
	add("answered in OpenCode, before the person's answer came", cardtest.Ended(cardtest.Decided(one, "", yes), there))
	add("stopped, before the person's answer came", cardtest.Ended(cardtest.Decided(one, "", yes), question.Outcome{Kind: question.OutcomeStopped}))
	add("answered in OpenCode, before the person's dismissal came", cardtest.Ended(cardtest.Decided(one, "", no), there))
	sent := cardtest.Ended(cardtest.Decided(one, "", yes), question.Outcome{Kind: question.OutcomeRestarted})
	sent.Sent = true
	add("restarted, after the person's answer was sent", sent)
	sent = cardtest.Ended(cardtest.Decided(one, "", no), question.Outcome{Kind: question.OutcomeUnknown})
	sent.Sent = true
	add("nobody knows, after the person's dismissal was sent", sent)
	own := cardtest.Asks(cardtest.Database())
	own.Origin, own.Project = session.Origin{Way: session.AskAPI}, ""
	own.Request.Context = "Release 1.4 is built,\n12 of 12 tests passed.\u202e"
	byDefault := cardtest.Ended(own, question.Outcome{Kind: question.OutcomeAnswered, Answers: postgres, By: question.Actor{Kind: question.Deadline}})
	byDefault.Request = cardtest.Asks(cardtest.Database()).Request
	byDefault.Request.Items[0].Options[1].Default = true
	add("an ask of a program, in time", cardtest.Ended(own, question.Outcome{Kind: question.OutcomeAnswered, Answers: postgres, By: cardtest.Ada()}))
	add("an ask of a program, not in time", cardtest.Ended(own, question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Deadline}}))
	add("an ask of a program, not in time, with a default", byDefault)
	rule := cardtest.Decided(one, question.PhaseWaiting, question.Decision{Answers: postgres, By: cardtest.Databases()})
	rule.Undoable = true
	add("waiting, by rule", rule)
	add("waiting, dismissed by rule, perhaps sent", cardtest.Decided(one, question.PhaseWaiting, question.Decision{Reject: true, By: cardtest.Databases()}))
	add("sending, several by rule", cardtest.Decided(all, question.PhaseSending, question.Decision{Answers: three, By: cardtest.Databases()}))
	add("several, stopped", cardtest.Ended(all, question.Outcome{Kind: question.OutcomeStopped}))
	add("used, and proven later", cardtest.Ended(cardtest.Decided(one, "", yes), question.Outcome{Kind: question.OutcomeAnswered, Answers: postgres, By: cardtest.Ada()}))
	return scenes
}

// shown is a card as a person reads it.
func shown(c ui.Body) string {
	var b strings.Builder
	if c.File != "" {
		b.WriteString("[" + c.FileName + "]\n----\n")
	}
	for i, part := range c.Parts {
		if i > 0 {
			b.WriteString("\n----\n")
		}
		b.WriteString(part.HTML())
	}
	b.WriteString("\n")
	for i, row := range c.Rows {
		if i == 0 {
			b.WriteString("\n")
		}
		for j, btn := range row {
			if j > 0 {
				b.WriteString(" ")
			}
			b.WriteString("[" + btn.Label)
			if btn.URL != "" {
				b.WriteString(" → " + btn.URL)
			}
			b.WriteString("]")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestCard_Questions(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, s := range append(open(), closedScenes()...) {
			b.WriteString("=== " + s.name + "\n" + shown(ui.Render(s.view, words.For(lang), cardtest.Noon())) + "\n")
		}
		cardtest.Golden(t, "cards."+lang+".txt", b.String())
	}
}

// What the parts of Chinese cards are put together to has no spaces of English.
func TestCards_AreSetAsChinese(t *testing.T) {
	files, err := filepath.Glob("testdata/*.zh.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no Chinese cards: %v", err)
	}
	stray := regexp.MustCompile(`[\p{Han}”] [\p{Han}“]|[。，：；？！] [\p{L}\p{N}“"]`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if m := stray.FindString(line); m != "" {
				t.Errorf("%s: %q has %q", file, line, m)
			}
		}
	}
}

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
				b.WriteString(shown(ui.Render(overdue(e, ask.view.Request), words.For(lang), cardtest.Noon())) + "\n")
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

// A placeholder has at most 64 characters (Bot API ForceReply), and nothing else begins as a reply box does.
func TestReplyBox_Words(t *testing.T) {
	for _, w := range []words.Table{words.For("en"), words.For("zh")} {
		for _, holder := range []string{w.Holder, w.Permission.Holder} {
			if n := utf8.RuneCountInString(holder); n == 0 || n > 64 {
				t.Errorf("%q has %d characters", holder, n)
			}
		}
	}
	for _, s := range append(open(), closedScenes()...) {
		for _, part := range ui.Render(s.view, words.For("en"), cardtest.Noon()).Parts {
			if strings.HasPrefix(part.String(), callback.ReplyBoxSign) {
				t.Errorf("%s begins with %s", s.name, callback.ReplyBoxSign)
			}
		}
	}
}
