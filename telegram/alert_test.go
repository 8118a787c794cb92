package telegram

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram/words"
)

func alerts() []question.Alert {
	r := question.Request{Items: []question.Item{database()}}
	at := noon().Add(-time.Hour)
	all := []question.Alert{
		{},
		{Kind: question.AlertStale},
		{Kind: question.AlertStranger},
		{Kind: question.AlertNotHere},
		{Kind: question.AlertNoRole},
		{Kind: question.AlertNoRole, Roles: []string{"lead", "ops"}},
		{Kind: question.AlertWrongRole, Roles: []string{"lead", "ops"}},
		{Kind: question.AlertUnknown},
		{Kind: question.AlertNotSaved},
		{Kind: question.AlertSetAside},
		{Kind: question.AlertNotice, Notice: question.Notice{Kind: question.PickOne}},
		{Kind: question.AlertNotice, Notice: question.Notice{Kind: question.TapSend}},
		{Kind: question.AlertEnded},
		{Kind: question.AlertDecided},
	}
	for _, by := range []question.Actor{ada(), {Kind: question.Deadline}, {Kind: question.Caller, Name: "ci"}, {Kind: question.OpenCode}, databases()} {
		sqlite := question.Answers{{"SQLite"}}
		all = append(all,
			question.Alert{Kind: question.AlertDecided, By: &question.Decision{Answers: sqlite, By: by, At: at}},
			question.Alert{Kind: question.AlertDecided, By: &question.Decision{Reject: true, By: by, At: at}},
			question.Alert{Kind: question.AlertEnded, Outcome: &question.Outcome{Kind: question.OutcomeAnswered, Answers: sqlite, By: by, At: at}},
			question.Alert{Kind: question.AlertEnded, Outcome: &question.Outcome{Kind: question.OutcomeDismissed, By: by, At: at}},
		)
	}
	for _, kind := range question.Ends()[2:] {
		all = append(all, question.Alert{Kind: question.AlertEnded, Outcome: &question.Outcome{Kind: kind, At: at}})
	}
	for i := range all {
		all[i].Request = r
	}
	return all
}

// described names an alert in the golden file.
func described(a question.Alert) string {
	text := string(a.Kind)
	if a.Outcome != nil {
		text += " " + string(a.Outcome.Kind) + " by " + string(a.Outcome.By.Kind)
	}
	if a.By != nil {
		text += fmt.Sprintf(" by %s, rejected: %v", a.By.By.Kind, a.By.Reject)
	}
	return text + string(a.Notice.Kind)
}

func TestAlerts(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, a := range alerts() {
			fmt.Fprintf(&b, "%-45s %s\n", described(a), alert(a, words.For(lang), noon()))
		}
		golden(t, "alerts."+lang+".txt", b.String())
	}
}

func TestAlertsFit(t *testing.T) {
	long := strings.Repeat("長い😀", 300)
	for _, a := range []question.Alert{
		{Kind: question.AlertDecided, By: &question.Decision{Answers: question.Answers{{long}}, By: question.Actor{Kind: question.Person, Name: long}}},
		{Kind: question.AlertNotice, Notice: question.Notice{Kind: question.Ambiguous, Options: []int{0, 1, 2}, Text: long}, Request: question.Request{
			Items: []question.Item{{Custom: true, Options: []question.Option{{Label: long}, {Label: long}, {Label: long}}}},
		}},
	} {
		text := alert(a, words.For("en"), noon())
		if n := len(utf16.Encode([]rune(text))); n > maxAlert || n < 50 {
			t.Errorf("%d: %q", n, text)
		}
	}
}

func notes() []question.Note {
	all := []question.Note{
		{Kind: question.NoteRemind, View: asks(database())},
		{Kind: question.NoteAskAgain, Notice: question.Notice{Kind: question.NotAnOption}},
		{Kind: question.NoteAskAgain, Notice: question.Notice{Kind: question.OnlyOne}},
		{Kind: question.NoteEnded, View: ended(asks(database()), question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"SQLite"}}, By: ada()})},
		{Kind: question.NoteEnded, View: ended(asks(database()), question.Outcome{Kind: question.OutcomeStopped})},
		{Kind: question.NoteEnded, View: decided(asks(database()), question.PhaseSending, question.Decision{Reject: true, By: ada()})},
		{Kind: question.NoteEnded, View: asks(database())},
	}
	for _, kind := range []question.NoteKind{question.NoteNoRole, question.NoteWrongRole} {
		all = append(all, question.Note{Kind: kind, Chat: 7, Roles: []string{"lead", "ops"}})
	}
	for _, kind := range []question.NoteKind{question.NoteNothing, question.NoteWhich, question.NoteGreeting, question.NoteElsewhere, question.NoteStranger, question.NoteNotSaved, question.NoteForwarded, question.NotePaced, question.NoteSetAside, question.NoteMovedOn, question.NoteNoBox, question.NoteNoFile, question.NoteUnsigned} {
		all = append(all, question.Note{Kind: kind, Chat: 7, User: question.User{ID: 7, Name: "Ada"}})
	}
	return all
}

func TestNotes(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, n := range notes() {
			text := note(n, words.For(lang), noon())
			checkMessage(t, text)
			fmt.Fprintf(&b, "=== %s\n%s\n\n", n.Kind, text.HTML())
		}
		golden(t, "notes."+lang+".txt", b.String())
	}
}

// A tap is acknowledged at once, however full the chat's queue is.
func TestAnswersDoNotQueue(t *testing.T) {
	in(t, func(w *world) {
		s := ok(t, w.show(post(7, asks(database()))), 3)
		for range 20 {
			w.bot.Note(question.Note{Kind: question.NoteNothing, Chat: 7}, func(question.PostedID, error) {})
		}
		w.start()
		if _, err := w.tele.Tap(7, 7, int(s.Messages[0]), "1. SQLite"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		heard := w.heard()
		tap := heard[len(heard)-1]
		if tap.Kind != question.Tapped || tap.Thread != "abcdefghijkl" || tap.Move.Option != 0 {
			t.Fatalf("%+v", tap)
		}
		began := time.Now()
		w.bot.Answer(tap.Callback, question.Alert{Kind: question.AlertStale}, "zh")
		synctest.Wait()
		if got := w.tele.Alerts(); len(got) != 1 || got[0].Text != words.For("en").Stale || time.Since(began) != 0 {
			t.Errorf("%+v after %v", got, time.Since(began))
		}
		settle()
	})
}

func TestAnswerInThePersonsLanguage(t *testing.T) {
	in(t, func(w *world) {
		if got := w.bot.words(7, "zh-hans").Send; got != "发送" {
			t.Error(got)
		}
		if got := w.bot.words(7, "").Send + w.bot.words(8, "").Send; got != "发送Send" {
			t.Error(got)
		}
	}, func(c *Config) {
		c.Lang = "auto"
		c.ChatLang = func(id question.ChatID) string {
			if id == 7 {
				return "zh"
			}
			return ""
		}
	})
}

func TestLateAnswersAreFine(t *testing.T) {
	in(t, func(w *world) {
		s := ok(t, w.show(post(7, asks(database()))), 3)
		id, err := w.tele.Tap(7, 7, int(s.Messages[0]), "1. SQLite")
		if err != nil {
			t.Fatal(err)
		}
		w.tele.FailNext("answerCallbackQuery", telegramsim.Fault{Kind: telegramsim.Unreachable}) // is tried again
		w.bot.Answer(id, question.Alert{}, "")
		synctest.Wait()
		w.tele.FailNext("answerCallbackQuery", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: query is too old and response timeout expired or query ID is invalid"})
		w.bot.Answer(id, question.Alert{}, "")
		synctest.Wait()
		if n := w.tele.Count("answerCallbackQuery"); n != 3 || strings.Contains(w.log.String(), "WARN") {
			t.Errorf("%d calls\n%s", n, w.log)
		}
	})
}

func TestNoteRepliesInTopic(t *testing.T) {
	in(t, func(w *world) {
		id, _ := w.tele.Say(7, 7, "hm")
		done := make(chan question.PostedID, 1)
		w.bot.Note(question.Note{Kind: question.NoteWhich, Chat: 7, ReplyTo: question.PostedID(id), Lang: "zh"}, func(id question.PostedID, err error) {
			if err != nil {
				t.Error(err)
			}
			done <- id
		})
		sent := <-done
		all := w.tele.Messages(7)
		if m := all[len(all)-1]; m.ID != int(sent) || m.ReplyTo != id || m.Silent {
			t.Errorf("%+v", m)
		}
	})
}
