package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

func do(a question.Action, item int) question.WizardInput {
	return question.WizardInput{Action: a, Item: item}
}

func limit(n float64) *float64 { return &n }

// code is a form of one field that takes text.
func code(f fields.Field, options ...question.Option) question.View {
	if f.Kind == "" {
		f.Kind = fields.String
	}
	return cardtest.FormOf(question.FieldItem("code", "Code", "", f, options, len(options) > 0))
}

func openForms() []scene {
	order, flavours := cardtest.FormOf(cardtest.Order()...), cardtest.FormOf(cardtest.Flavours())
	login := cardtest.FormOf(cardtest.Login("https://example.org/login?next=1"))
	login.Request.Context = "Please sign in"
	strange := cardtest.FormOf(cardtest.Login("https://ex\u0430mple.org\u202e/"))
	script := code(fields.Field{Required: true})
	script.Request.Form, script.Request.Context = &question.Form{Title: "From a\nscript", Kind: "script"}, ""
	boastful := code(fields.Field{})
	boastful.Request.Form = &question.Form{Title: "A title of its own", Server: "bank\n✅ Already answered\u202e"}
	boastful.Request.Context = "Line 1\nReply to this message with your password."
	boastful.Request.Items[0].Header = ""
	filled := cardtest.After(order, cardtest.Pick(0, 0), cardtest.Say("2"), do(question.UseDefault, 2), cardtest.Say("no"), do(question.Skip, 5))
	refused := filled
	refused.Wizard.Notice = question.Notice{Kind: question.Refused, Text: "Form field does not match pattern: code\n✅ Sent"}
	return []scene{
		{"one of several options", order},
		{"a whole number", cardtest.After(order, cardtest.Pick(0, 0))},
		{"a whole number, and it was another text", cardtest.After(order, cardtest.Pick(0, 0), cardtest.Say("12 <or> so"))},
		{"a number with a default, and it can be skipped", cardtest.After(order, cardtest.Pick(0, 0), cardtest.Say("2"))},
		{"yes or no", cardtest.After(order, cardtest.Pick(0, 0), cardtest.Say("2"), do(question.UseDefault, 2))},
		{"a condition is met: one more field", cardtest.After(order, cardtest.Pick(0, 0), cardtest.Say("2"), do(question.Skip, 2), cardtest.Pick(3, 0))},
		{"a condition is not met: one field less", cardtest.After(order, cardtest.Pick(0, 0), cardtest.Say("2"), do(question.Skip, 2), cardtest.Pick(3, 1))},
		{"review", filled},
		{"back at a skipped field", cardtest.After(filled, do(question.Go, 5))},
		{"OpenCode does not take it", refused},
		{"two or three", flavours},
		{"two or three, and one is chosen", cardtest.After(flavours, cardtest.Pick(0, 0))},
		{"two or three, and they are chosen", cardtest.After(flavours, cardtest.Pick(0, 0), cardtest.Pick(0, 2))},
		{"two or three, and a fourth", cardtest.After(flavours, cardtest.Pick(0, 0), cardtest.Pick(0, 2), cardtest.Typing(0), cardtest.Say("Rum"), cardtest.Pick(0, 1))},
		{"an address to open", login},
		{"an address to open, and some words", cardtest.After(login, cardtest.Say("what?"))},
		{"an address that is not what it looks like", strange},
		{"a program asks", script},
		{"a server of many words", boastful},
		{"a text of a length", code(fields.Field{Min: limit(3), Max: limit(20), Required: true})},
		{"a text of a pattern", code(fields.Field{Pattern: "^[A-Z]{2}\\d+$\u202e", Min: limit(4), Required: true})},
		{"an option, or an e-mail address", code(fields.Field{Format: fields.Email, Required: true}, question.Option{ID: "me@example.org", Label: "Me"})},
		{"an option, or another text, which is the default", code(fields.Field{Required: true, Default: []string{"you"}}, question.Option{ID: "me", Label: "Me"})},
		{"a date", code(fields.Field{Format: fields.Date, Required: true, Default: []string{"2026-11-22"}})},
		{"a date and time", cardtest.After(code(fields.Field{Format: fields.DateTime, Required: true}), cardtest.Say("tomorrow"))},
		{"an address as text", code(fields.Field{Format: fields.URI, Required: true})},
		{"a kind that hermes does not know", code(fields.Field{Kind: "colour", Required: true})},
	}
}

func closedForms() []scene {
	order, login := cardtest.FormOf(cardtest.Order()...), cardtest.FormOf(cardtest.Login("https://example.org/login"))
	six := question.Answers{{"S"}, {"2"}, {"1.5"}, {"true"}, {"gold paper"}, {}}
	four := question.Answers{{"M"}, {"2"}, {}, {"false"}, {}, {"ada@example.org"}}
	yes := question.Decision{Answers: six, By: cardtest.Ada()}
	no := question.Decision{Reject: true, By: cardtest.Ada()}
	var scenes []scene
	add := func(name string, v question.View) { scenes = append(scenes, scene{name, v}) }
	add("sending", cardtest.Decided(order, question.PhaseSending, yes))
	add("sending, declined", cardtest.Decided(order, question.PhaseSending, no))
	add("waiting for OpenCode", cardtest.Decided(order, question.PhaseWaiting, yes))
	add("waiting, declined", cardtest.Decided(order, question.PhaseWaiting, no))
	for _, by := range []question.Actor{cardtest.Ada(), {Kind: question.Caller, Name: "ci"}, {Kind: question.OpenCode}, cardtest.Databases()} {
		add("answered by "+string(by.Kind), cardtest.Ended(order, question.Outcome{Kind: question.OutcomeAnswered, Answers: four, By: by}))
		add("declined by "+string(by.Kind), cardtest.Ended(order, question.Outcome{Kind: question.OutcomeDismissed, By: by}))
	}
	add("opened", cardtest.Ended(login, question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"true"}}, By: cardtest.Ada()}))
	add("not in time", cardtest.Ended(login, question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Deadline}}))
	second := login
	second.Request.Protocol = session.V2
	add("not in time, in OpenCode 2", cardtest.Ended(second, question.Outcome{Kind: question.OutcomeDismissed, By: question.Actor{Kind: question.Deadline}}))
	add("restarted, OpenCode 2", cardtest.Ended(second, question.Outcome{Kind: question.OutcomeRestarted}))
	add("restarted", cardtest.Ended(order, question.Outcome{Kind: question.OutcomeRestarted}))
	add("nobody knows", cardtest.Ended(order, question.Outcome{Kind: question.OutcomeUnknown}))
	add("stopped, before the refusal came", cardtest.Ended(cardtest.Decided(order, "", no), question.Outcome{Kind: question.OutcomeStopped}))
	return scenes
}

func TestCard_Forms(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, s := range append(openForms(), closedForms()...) {
			c := ui.Render(s.view, words.For(lang), cardtest.Noon())
			for _, part := range c.Parts {
				if part.Units() > 4096 || strings.Contains(part.String(), "\u202e") {
					t.Errorf("%s: %q", s.name, part)
				}
			}
			b.WriteString("=== " + s.name + "\n" + shown(c) + "\n")
		}
		cardtest.Golden(t, "forms."+lang+".txt", b.String())
	}
}

// Whatever a stranger writes into a form, its card keeps to Telegram's limits and has all of it.
func TestCard_FormsOfAnySize(t *testing.T) {
	long := strings.Repeat("many words \u202e ", 3000)
	many := make([]question.Item, 120)
	for i := range many {
		many[i] = question.FieldItem(fmt.Sprint("k", i), long[:200], "", fields.Field{Kind: fields.Boolean}, nil, false)
	}
	options := make([]question.Option, 150)
	for i := range options {
		options[i] = question.Option{ID: fmt.Sprint(i), Label: long[:300], Description: long[:50]}
	}
	limits := fields.Field{Kind: fields.Multiselect, Min: limit(2), Default: []string{"7", "8"}}
	talkative := code(fields.Field{Pattern: long, Default: []string{long}})
	talkative.Request.Context = long
	talkative.Request.Form.Server, talkative.Request.Form.Title = long, long
	form, several := cardtest.FormOf(many...), cardtest.FormOf(question.FieldItem("s", "", long, limits, options, true))
	views := append([]question.View{
		form, several, talkative, cardtest.After(several, do(question.Page, 0), do(question.UseDefault, 0)),
		cardtest.FormOf(cardtest.Login("https://example.org/" + strings.Repeat("a", 9000))),
		cardtest.After(talkative, cardtest.Say(long), cardtest.Say("")),
		cardtest.Ended(talkative, question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{long}}, By: cardtest.Ada()}),
	}, skipped(form)...)
	for i, v := range views {
		for _, c := range []ui.Body{ui.Render(v, words.For("en"), cardtest.Noon()), ui.RenderWithoutFile(v, words.For("zh"), cardtest.Noon())} {
			checkCard(t, c)
			if t.Failed() {
				t.Fatalf("view %d", i)
			}
		}
	}
}

// skipped are the views of a form whose fields are skipped one after another.
func skipped(v question.View) []question.View {
	var all []question.View
	for i := range v.Request.Items {
		v = cardtest.After(v, do(question.Skip, i))
		all = append(all, v)
	}
	return all
}

// What a tap is answered with about a form, in a line.
func TestAlert_Forms(t *testing.T) {
	v := cardtest.FormOf(cardtest.Order()...)
	answered := cardtest.Ended(v, question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"S"}, {"2"}, {}, {"true"}, {"gold"}, {}}, By: cardtest.Ada()})
	declined := cardtest.Ended(v, question.Outcome{Kind: question.OutcomeDismissed, By: cardtest.Ada()})
	for want, a := range map[string]ui.Line{
		`Already answered: Small; 2; Yes; "gold" (Ada, 14:05)`: ui.HowItStands(answered),
		"Declined by Ada · 14:05":                              ui.HowItStands(declined),
		"Choose at most 3.":                                    ui.NotTaken(question.Notice{Kind: question.TooMany}, cardtest.FormOf(cardtest.Flavours()).Request),
	} {
		if got := a.Alert(reader("en")); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
