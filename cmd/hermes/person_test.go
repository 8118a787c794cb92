package main

import (
	"strings"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
)

type line = pending.Line

// say is a text of Ada's; a replyTo of 0 is no reply.
func (r *rig) say(text string, replyTo int) {
	r.t.Helper()
	r.sayIn(ada, ada, text, replyTo)
}

func (r *rig) sayIn(user, chat int64, text string, replyTo int, how ...telegram.SayOption) {
	r.t.Helper()
	if replyTo != 0 {
		how = append(how, telegram.ReplyTo(replyTo))
	}
	if _, err := r.telegram.Say(user, chat, text, how...); err != nil {
		r.t.Fatal(err)
	}
	r.wait(2 * time.Second)
}

// last is the newest message of the bot in Ada's chat.
func (r *rig) last() telegram.Message {
	r.t.Helper()
	return r.lastIn(ada)
}

func (r *rig) lastIn(chat int64) telegram.Message {
	r.t.Helper()
	all := r.telegram.Messages(chat)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].FromBot && !all[i].Deleted {
			return all[i]
		}
	}
	r.t.Fatal("hermes has written nothing; log:\n" + r.log.String())
	return telegram.Message{}
}

// keysIn is the newest message of the bot that has buttons, else the newest.
func (r *rig) keysIn(chat int64) telegram.Message {
	r.t.Helper()
	all := r.telegram.Messages(chat)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].FromBot && !all[i].Deleted && len(all[i].Rows) > 0 {
			return all[i]
		}
	}
	return r.lastIn(chat)
}

// screen fails the test unless the newest message has all of these texts.
func (r *rig) screen(texts ...string) {
	r.t.Helper()
	r.screenIn(ada, texts...)
}

func (r *rig) screenIn(chat int64, texts ...string) {
	r.t.Helper()
	m := r.lastIn(chat)
	for _, text := range texts {
		if !strings.Contains(m.Text, text) {
			r.t.Errorf("the message lacks %q:\n%s\nlog:\n%s", text, m.Text, r.log.String())
		}
	}
}

func (r *rig) tap(label string) {
	r.t.Helper()
	r.tapIn(ada, ada, label)
}

func (r *rig) tapIn(user, chat int64, label string) {
	r.t.Helper()
	if _, err := r.telegram.Tap(user, chat, r.keysIn(chat).ID, label); err != nil {
		r.t.Fatalf("tap %q: %v\n%s", label, err, r.telegram.Transcript(chat))
	}
	r.wait(100 * time.Millisecond)
}

// data is what a button of a message sends.
func (r *rig) data(m telegram.Message, label string) string {
	r.t.Helper()
	for _, row := range m.Rows {
		for _, b := range row {
			if strings.HasPrefix(b.Label, label) {
				return b.Data
			}
		}
	}
	r.t.Fatalf("no button %q: %q", label, m.Labels())
	return ""
}

// forge is a tap with any data, and returns the alert that answers it.
func (r *rig) forge(user, chat int64, message int, data string) string {
	r.t.Helper()
	callback, err := r.telegram.TapData(user, chat, message, data)
	if err != nil {
		r.t.Fatal(err)
	}
	r.wait(time.Second)
	return r.alert(callback)
}

// alert is how a tap was acknowledged.
func (r *rig) alert(callback string) string {
	r.t.Helper()
	for _, a := range r.telegram.Alerts() {
		if a.Callback == callback {
			return a.Text
		}
	}
	r.t.Error("the tap was not acknowledged")
	return ""
}

// ask makes the agent of a new session ask, and waits until the phone shows it.
func (r *rig) ask(questions ...opencode.Question) (request, call string) {
	dir := r.opencode.Directory()
	request, call = r.opencode.Ask(dir, r.opencode.NewSession(dir, "fix checkout flow"), questions...)
	r.wait(2 * time.Second)
	return request, call
}

// got fails the test unless the agent has received just these answers.
func (r *rig) got(call string, answers ...[]string) {
	r.t.Helper()
	got, ok := r.opencode.Received(call)
	if !ok || !question.Answers(answers).Equal(got) {
		r.t.Errorf("the agent received %q, %v, want %q\n%s", got, ok, answers, r.telegram.History(ada))
	}
}

// unanswered fails the test if the agent has received anything.
func (r *rig) unanswered(call string) {
	r.t.Helper()
	if got, ok := r.opencode.Received(call); ok {
		r.t.Errorf("the agent received %q", got)
	}
}

func database() opencode.Question {
	return opencode.Question{
		Question: "Which database should this feature use?", Header: "Database",
		Options: []opencode.Option{{Label: "SQLite", Description: "file based"}, {Label: "PostgreSQL (Recommended)", Description: "needs a server"}},
	}
}
