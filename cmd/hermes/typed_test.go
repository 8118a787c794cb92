package main

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
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

func TestTypedTextsArriveAsTheyAre(t *testing.T) {
	for name, text := range texts() {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(r *rig) {
				_, call := r.ask(projectName())
				card := r.last()
				r.say(text, card.ID)
				r.wait(3 * time.Second)
				r.got(call, []string{strings.TrimSpace(text)})
				r.screenIn(ada, "Ada")
			})
		})
	}
}

// What a keyboard's label is cut to, the text above it has whole.
func TestAskedTextsAreShownAndDeliveredAsTheyAre(t *testing.T) {
	for name, text := range texts() {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(r *rig) {
				q := opencode.Question{Question: text, Header: "Text", Options: []opencode.Option{
					{Label: "other"}, {Label: text, Description: text},
				}}
				_, call := r.ask(q)
				r.wait(5 * time.Second)
				shown := r.shown(ada)
				if n := strings.Count(shown, flat(visible.Replace(text))); n != 3 {
					t.Errorf("the text is shown %d times:\n%s", n, r.telegram.Transcript(ada))
				}
				r.tap("2.")
				r.wait(5 * time.Second)
				r.got(call, []string{text})
			})
		})
	}
}

// A NUL cannot be shown; it is delivered all the same.
func TestNUL(t *testing.T) {
	play(t, nil, func(r *rig) {
		q := opencode.Question{Question: "a\x00b?", Header: "h\x00", Options: []opencode.Option{{Label: "yes\x00no"}}}
		_, call := r.ask(q)
		r.screen("a", "b?", "1. yes")
		r.tap("1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"yes\x00no"})
	})
}

// shown is all that hermes has in a chat, without space, and without the marks
// where a text goes on in another message.
func (r *rig) shown(chat int64) string {
	var all strings.Builder
	for _, m := range r.telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			all.WriteString(flat(strings.TrimPrefix(m.Text, "…")))
		}
		if m.Document != nil {
			all.WriteString(flat(string(m.Document.Data)))
		}
	}
	return all.String()
}

func flat(text string) string { return strings.Join(strings.Fields(text), "") }

// visible is how characters are shown that would hide others, or ring.
var visible = strings.NewReplacer("\u202e", "[U+202E]", "\a", "␇")

func TestTextThatIsNotTaken(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.say("hello?", 0)
		r.screen("Nothing is asked here now.")
		n := len(r.telegram.Messages(ada))
		r.say("anybody?", 0)
		r.say("hm", 0)
		if len(r.telegram.Messages(ada)) != n+2 {
			t.Errorf("the hint comes more than once:\n%s", r.telegram.Transcript(ada))
		}
		_, call := r.ask(closed())
		card := r.last()
		r.say("MySQL", card.ID)
		r.screen("That is none of the choices. Send a number, or tap.")
		r.say("3", card.ID)
		r.screen("That is none of the choices.")
		r.unanswered(call)
		r.say("sqlite", card.ID)
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
		r.say("2", card.ID)
		r.screen("Already answered: SQLite (Ada, 00:00)")
		r.refused("ended")
		r.say("and now?", 0)
		r.screen("Nothing is asked here now.") // once for every question
	})
}

func TestTextThatCouldMeanTwoQuestions(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, first := r.ask(database())
		one := r.last()
		_, second := r.ask(projectName())
		r.say("1", 0)
		r.screen("Which question do you mean? Please reply to it.")
		r.say("1", r.last().ID) // the note is no question
		r.screen("Which question do you mean? Please reply to it.")
		r.unanswered(first)
		r.unanswered(second)
		r.say("1", one.ID)
		r.wait(2 * time.Second)
		r.got(first, []string{"SQLite"})
		r.say("The Bridge", 0) // only one is left
		r.wait(2 * time.Second)
		r.got(second, []string{"The Bridge"})
	})
}

// What a person edits or attaches is no answer.
func TestWhatIsNoText(t *testing.T) {
	play(t, nil, func(r *rig) {
		before, err := r.telegram.Say(ada, ada, "hm")
		if err != nil {
			t.Fatal(err)
		}
		_, call := r.ask(projectName())
		if err := r.telegram.Rewrite(ada, ada, before, "The Bridge"); err != nil {
			t.Fatal(err)
		}
		r.sayIn(ada, ada, "a caption", r.last().ID, telegram.WithFile(telegram.Document{Name: "x.txt", Data: []byte("x")}))
		if err := r.telegram.Poison("message", `{"message_id":"no number","chat":[]}`); err != nil {
			t.Fatal(err)
		}
		if err := r.telegram.Poison("news", `{"of":["tomorrow"]}`); err != nil {
			t.Fatal(err)
		}
		r.wait(2 * time.Second)
		r.unanswered(call)
		r.say("The Ship", 0)
		r.wait(2 * time.Second)
		r.got(call, []string{"The Ship"})
	})
}

func TestStrangers(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask(database())
		r.sayIn(eve, eve, "let me in", 0)
		if n := len(r.telegram.Messages(eve)); n != 1 {
			t.Errorf("a stranger's text was answered:\n%s", r.telegram.Transcript(eve))
		}
		r.sayIn(eve, eve, "/start", 0)
		r.screenIn(eve, "This bot works only for people on its list. Your id is 66")
		for _, text := range []string{"/start", "1", "SQLite"} {
			r.sayIn(eve, eve, text, 0)
		}
		if n := len(r.telegram.Messages(eve)); n != 6 {
			t.Errorf("a stranger gets more than one answer:\n%s", r.telegram.Transcript(eve))
		}
		wantAlert(t, "a stranger's tap", r.forge(eve, eve, r.lastIn(eve).ID, r.data(r.last(), "1.")), saysEve)
		r.unanswered(call)
		if entries := r.journal(question.EntryRefused); len(entries) != 1 || entries[0].By.User != eve || entries[0].Detail != "stranger" {
			t.Errorf("the journal says %+v", entries)
		}
	})
}
