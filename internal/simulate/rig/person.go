package rig

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
)

// Line is a line of the journal.
type Line = pending.Line

// Say is a text of Ada's; a replyTo of 0 is no reply.
func (r *Rig) Say(text string, replyTo int) {
	r.T.Helper()
	r.SayIn(Ada, Ada, text, replyTo)
}

// SayIn is a text of a person's in a chat; replyTo is 0 for no reply.
func (r *Rig) SayIn(user, chat int64, text string, replyTo int, how ...telegram.SayOption) {
	r.T.Helper()
	if replyTo != 0 {
		how = append(how, telegram.ReplyTo(replyTo))
	}
	if _, err := r.Telegram.Say(user, chat, text, how...); err != nil {
		r.T.Fatal(err)
	}
	r.Wait(2 * time.Second)
}

// Last is the newest message of the bot in Ada's chat.
func (r *Rig) Last() telegram.Message {
	r.T.Helper()
	return r.LastIn(Ada)
}

// LastIn is the bot's newest message in a chat.
func (r *Rig) LastIn(chat int64) telegram.Message {
	r.T.Helper()
	all := r.Telegram.Messages(chat)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].FromBot && !all[i].Deleted {
			return all[i]
		}
	}
	r.T.Fatal("hermes has written nothing; log:\n" + r.Log.String())
	return telegram.Message{}
}

// keysIn is the newest message of the bot that has buttons, else the newest.
func (r *Rig) keysIn(chat int64) telegram.Message {
	r.T.Helper()
	all := r.Telegram.Messages(chat)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].FromBot && !all[i].Deleted && len(all[i].Rows) > 0 {
			return all[i]
		}
	}
	return r.LastIn(chat)
}

// WantScreen fails the test unless the newest message has all of these texts.
func (r *Rig) WantScreen(texts ...string) {
	r.T.Helper()
	r.WantScreenIn(Ada, texts...)
}

// WantScreenIn is WantScreen in a chat.
func (r *Rig) WantScreenIn(chat int64, texts ...string) {
	r.T.Helper()
	m := r.LastIn(chat)
	for _, text := range texts {
		if !strings.Contains(m.Text, text) {
			r.T.Errorf("the message lacks %q:\n%s\nlog:\n%s", text, m.Text, r.Log.String())
		}
	}
}

// Tap is a tap of Ada's on the newest message with buttons.
func (r *Rig) Tap(label string) {
	r.T.Helper()
	r.TapIn(Ada, Ada, label)
}

// Dismiss is Ada's dismissal of a question, in both steps.
func (r *Rig) Dismiss() {
	r.T.Helper()
	r.Tap("🚫")
	r.Wait(2 * time.Second)
	r.Tap("🚫")
}

// TapIn is a tap of a person's on the newest message with buttons in a chat.
func (r *Rig) TapIn(user, chat int64, label string) {
	r.T.Helper()
	if _, err := r.Telegram.Tap(user, chat, r.keysIn(chat).ID, label); err != nil {
		r.T.Fatalf("tap %q: %v\n%s", label, err, r.Telegram.Transcript(chat))
	}
	r.Wait(100 * time.Millisecond)
}

// Data is what a button of a message sends.
func (r *Rig) Data(m telegram.Message, label string) string {
	r.T.Helper()
	for _, row := range m.Rows {
		for _, b := range row {
			if strings.HasPrefix(b.Label, label) {
				return b.Data
			}
		}
	}
	r.T.Fatalf("no button %q: %q", label, m.Labels())
	return ""
}

// ForgeTap is a tap with any data, and returns the alert that answers it.
func (r *Rig) ForgeTap(user, chat int64, message int, data string) string {
	r.T.Helper()
	callback, err := r.Telegram.TapData(user, chat, message, data)
	if err != nil {
		r.T.Fatal(err)
	}
	r.Wait(time.Second)
	return r.Alert(callback)
}

// Alert is how a tap was acknowledged.
func (r *Rig) Alert(callback string) string {
	r.T.Helper()
	for _, a := range r.Telegram.Alerts() {
		if a.Callback == callback {
			return a.Text
		}
	}
	r.T.Error("the tap was not acknowledged")
	return ""
}

// Ask makes the agent of a new session ask, and waits until the phone shows it.
func (r *Rig) Ask(questions ...opencode.Question) (request, call string) {
	dir := r.Opencode.Directory()
	request, call = r.Opencode.Ask(dir, r.Opencode.NewSession(dir, "fix checkout flow"), questions...)
	r.Wait(2 * time.Second)
	return request, call
}

// WantAnswers fails the test unless the agent has received just these answers.
func (r *Rig) WantAnswers(call string, answers ...[]string) {
	r.T.Helper()
	got, ok := r.Opencode.Received(call)
	if !ok || !question.Answers(answers).Equal(got) {
		r.T.Errorf("the agent received %q, %v, want %q\n%s", got, ok, answers, r.Telegram.History(Ada))
	}
}

// WantNoAnswer fails the test if the agent has received anything.
func (r *Rig) WantNoAnswer(call string) {
	r.T.Helper()
	if got, ok := r.Opencode.Received(call); ok {
		r.T.Errorf("the agent received %q", got)
	}
}

// DatabaseQuestion is a question with one answer of several, or with one in words.
func DatabaseQuestion() opencode.Question {
	return opencode.Question{
		Question: "Which database should this feature use?", Header: "Database",
		Options: []opencode.Option{{Label: "SQLite", Description: "file based"}, {Label: "PostgreSQL (Recommended)", Description: "needs a server"}},
	}
}

// WantAlert fails the test unless the answer to a tap is this.
func WantAlert(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: the alert is %q, want %q", what, got, want)
	}
}

const (
	SaysUnknown = "This question is no longer available"
	SaysStale   = "That was an older version of this question"
	SaysEve     = "Only people on the list can answer here"
)
