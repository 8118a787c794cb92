package daemon_test

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// texts are what people and agents write that a renderer, an escaper or a wire
// format might change.
func texts() map[string]string {
	return map[string]string{
		"4096 characters": "begin " + strings.Repeat("ä", 4096-10) + " end",
		"emoji":           "👩‍👩‍👧‍👦 🏳️‍🌈 👋🏽 🇨🇭 1️⃣",
		"right to left":   "שלום עולם — مرحبا (abc) 123",
		"override":        "safe\u202etxt.exe",
		"HTML":            `<b>bold</b> &amp; <script>alert("x")</script> <tg-spoiler>no</tg-spoiler> </b`,
		"Markdown":        "*bold* _it_ `code` [a](http://x) ~~~ ```\nrm -rf /\n``` # h | t | > q \\* {1}",
		"paragraphs":      "first\n\n  second, indented\n\n\nthird",
		"percent":         "100%s %d %!x(MISSING) %%",
		"quotes":          `she said "no" and 'left' \n \u0000`,
		"combining":       "Z̷̢a̸l̴g̵o̶ é",
		"Chinese":         "数据库,用哪个?",
		"control":         "tab\there, bell\ahere",
	}
}

func TestTexts_TypedTextsArriveAsTheyAre(t *testing.T) {
	for name, text := range texts() {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				_, call := r.Ask(rig.ProjectNameQuestion())
				card := r.Last()
				r.Say(text, card.ID)
				r.Wait(3 * time.Second)
				r.WantAnswers(call, []string{strings.TrimSpace(text)})
				r.WantScreenIn(rig.Ada, "Ada")
			})
		})
	}
}

// What a keyboard's label is cut to, the text above it has whole.
func TestTexts_AskedTextsAreShownAndDeliveredAsTheyAre(t *testing.T) {
	for name, text := range texts() {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				q := opencode.Question{Question: text, Header: "Text", Options: []opencode.Option{
					{Label: "other"}, {Label: text, Description: text},
				}}
				_, call := r.Ask(q)
				r.Wait(5 * time.Second)
				shown := r.ShownIn(rig.Ada)
				if n := strings.Count(shown, rig.WithoutSpaces(visible.Replace(text))); n != 3 {
					t.Errorf("the text is shown %d times:\n%s", n, r.Telegram.Transcript(rig.Ada))
				}
				r.Tap("2.")
				r.Wait(5 * time.Second)
				r.WantAnswers(call, []string{text})
			})
		})
	}
}

// A NUL cannot be shown; it is delivered all the same.
func TestTexts_NUL(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		q := opencode.Question{Question: "a\x00b?", Header: "h\x00", Options: []opencode.Option{{Label: "yes\x00no"}}}
		_, call := r.Ask(q)
		r.WantScreen("a", "b?", "1. yes")
		r.Tap("1.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"yes\x00no"})
	})
}

// visible is how characters are shown that would hide others, or ring.
var visible = strings.NewReplacer("\u202e", "[U+202E]", "\a", "␇")

func TestTexts_ThatIsNotTaken(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Say("hello?", 0)
		r.WantScreen("Nothing was sent: this answers no question")
		_, call := r.Ask(rig.ClosedQuestion())
		card := r.Last()
		r.Say("MySQL", card.ID)
		r.WantScreen("That is not one of the choices. Send a number or tap a button.")
		r.Say("3", card.ID)
		r.WantScreen("That is not one of the choices.")
		r.WantNoAnswer(call)
		r.Say("sqlite", card.ID)
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
		r.Say("and now?", 0)
		r.WantScreen("Nothing was sent: this answers no question")
	})
}

func TestTexts_ThatCouldMeanTwoQuestions(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, first := r.Ask(rig.DatabaseQuestion())
		one := r.Last()
		_, second := r.Ask(rig.ProjectNameQuestion())
		r.Say("1", 0)
		r.WantScreen("Which question do you mean? Please reply to it.")
		r.Say("1", r.Last().ID) // the note is no question
		r.WantScreen("Which question do you mean? Please reply to it.")
		r.WantNoAnswer(first)
		r.WantNoAnswer(second)
		r.Say("1", one.ID)
		r.Wait(2 * time.Second)
		r.WantAnswers(first, []string{"SQLite"})
		r.Say("The Bridge", 0) // only one is left
		r.Wait(2 * time.Second)
		r.WantAnswers(second, []string{"The Bridge"})
	})
}

// What a person edits or attaches is no answer.
func TestTexts_WhatIsNoText(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		before, err := r.Telegram.Say(rig.Ada, rig.Ada, "hm")
		if err != nil {
			t.Fatal(err)
		}
		_, call := r.Ask(rig.ProjectNameQuestion())
		if err := r.Telegram.Rewrite(rig.Ada, rig.Ada, before, "The Bridge"); err != nil {
			t.Fatal(err)
		}
		r.SayIn(rig.Ada, rig.Ada, "a caption", r.Last().ID, telegram.WithFile(telegram.Document{Name: "x.txt", Data: []byte("x")}))
		if err := r.Telegram.Poison("message", `{"message_id":"no number","chat":[]}`); err != nil {
			t.Fatal(err)
		}
		if err := r.Telegram.Poison("news", `{"of":["tomorrow"]}`); err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		r.WantNoAnswer(call)
		r.Say("The Ship", 0)
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"The Ship"})
	})
}

func TestTexts_Strangers(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		r.SayIn(rig.Eve, rig.Eve, "let me in", 0)
		if n := len(r.Telegram.Messages(rig.Eve)); n != 1 {
			t.Errorf("a stranger's text was answered:\n%s", r.Telegram.Transcript(rig.Eve))
		}
		r.SayIn(rig.Eve, rig.Eve, "/start", 0)
		r.WantScreenIn(rig.Eve, "This bot works only for people on its list. Your id is 66")
		for _, text := range []string{"/start", "1", "SQLite"} {
			r.SayIn(rig.Eve, rig.Eve, text, 0)
		}
		if n := len(r.Telegram.Messages(rig.Eve)); n != 6 {
			t.Errorf("a stranger gets more than one answer:\n%s", r.Telegram.Transcript(rig.Eve))
		}
		rig.WantAlert(t, "a stranger's tap", r.ForgeTap(rig.Eve, rig.Eve, r.LastIn(rig.Eve).ID, r.Data(r.Last(), "1.")), rig.SaysEve)
		r.WantNoAnswer(call)
		if entries := r.Journal(storage.EntryRefused); len(entries) != 1 || entries[0].By.User != rig.Eve || entries[0].Detail != "stranger" {
			t.Errorf("the journal says %+v", entries)
		}
	})
}
