package main

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// boxes are the messages that hold somebody's reply box open.
func (r *rig) boxes(chat int64) []telegram.Message {
	return slices.DeleteFunc(r.telegram.Messages(chat), func(m telegram.Message) bool { return !m.FromBot || !m.ForceReply || m.Deleted })
}

// In a group with privacy mode the bot sees replies to its own messages alone. Each who wants to type gets a box of
// their own, and all of them go when one has answered.
func TestTypingInAGroup(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		for _, refuses := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				r := makeRigOn(t, opencode.VersionNew, telegram.Options{RefuseForceReplyEdits: refuses}, func(c *config) {
					c.Lang, c.TelegramChats = lang, []chat{{ID: team}}
				})
				r.addTeam(false)
				r.start()
				defer r.end()
				_, call := r.ask(database())
				card := r.lastIn(team)
				data := r.data(card, r.word("✏️ Type an answer", "✏️ 输入答案"))
				r.forge(ada, team, card.ID, data)
				r.forge(bob, team, card.ID, data) // in the moment before the button went
				r.forge(eve, team, card.ID, data) // she may not answer
				r.wait(5 * time.Second)
				boxes := r.boxes(team)
				if len(boxes) != 2 || !slices.Equal(boxes[0].Opens, []int64{ada}) || !slices.Equal(boxes[1].Opens, []int64{bob}) {
					t.Fatalf("the boxes are %+v", boxes)
				}
				r.sayIn(bob, team, "Neither of them.", boxes[1].ID)
				r.wait(5 * time.Second)
				r.got(call, []string{"Neither of them."})
				if left := r.boxes(team); len(left) != 0 {
					t.Errorf("these boxes stay: %+v", left)
				}
				golden(t, "typed-in-a-group."+lang+".txt", strings.ReplaceAll(deletesLast(r.telegram.History(team)), "forged: "+data, "the same, which is gone by now"))
			})
		}
	}
}

// Who taps their way to a question that takes words alone may write at once; nobody else's reply box is opened.
func TestTappingToAQuestionOfWordsInAGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := makeRigOn(t, opencode.VersionNew, telegram.Options{}, func(c *config) { c.TelegramChats = []chat{{ID: team}} })
		r.addTeam(false)
		r.start()
		defer r.end()
		_, call := r.ask(projectName(), database(), projectName())
		card := r.lastIn(team)
		if boxes := r.boxes(team); len(boxes) != 0 {
			t.Errorf("before anybody did anything there are %+v", boxes)
		}
		r.sayIn(ada, team, "The Bridge", card.ID) // the card says to reply to it
		r.wait(5 * time.Second)
		r.forge(bob, team, card.ID, r.data(r.lastIn(team), "1. SQLite"))
		r.wait(5 * time.Second)
		boxes := r.boxes(team)
		if len(boxes) != 1 || !slices.Equal(boxes[0].Opens, []int64{bob}) {
			t.Fatalf("the boxes are %+v", boxes)
		}
		r.sayIn(bob, team, "The Ferry", boxes[0].ID)
		r.wait(5 * time.Second)
		r.forge(bob, team, card.ID, r.data(r.lastIn(team), "✅ Send"))
		r.wait(5 * time.Second)
		r.got(call, []string{"The Bridge"}, []string{"SQLite"}, []string{"The Ferry"})
		if left := r.boxes(team); len(left) != 0 {
			t.Errorf("these boxes stay: %+v", left)
		}
	})
}

// deletesLast is a history with what was deleted told at its end: a box goes when its chat has time for that, before
// or after the card has told the end.
func deletesLast(history string) string {
	var rest, deletes strings.Builder
	for line := range strings.Lines(history) {
		if strings.HasPrefix(line, "Hermes deletes ") {
			deletes.WriteString(line)
			continue
		}
		rest.WriteString(line)
	}
	return rest.String() + deletes.String()
}

// The box was sent and Telegram's answer to that is lost: no second one is sent, and a reply to it counts, also after
// a restart.
func TestAReplyToABoxThatIsNotKnown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		play(t, nil, func(r *rig) {
			_, call := r.ask(database())
			r.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
			r.tap("✏️ Type an answer")
			r.wait(5 * time.Second)
			if restart {
				r.halt()
				r.start()
			}
			r.wait(2 * time.Minute)
			boxes := r.boxes(ada)
			if len(boxes) != 1 {
				t.Fatalf("the boxes are %+v", boxes)
			}
			r.say("Neither of them.", boxes[0].ID)
			r.wait(5 * time.Second)
			r.got(call, []string{"Neither of them."})
			if left := r.boxes(ada); len(left) != 0 {
				t.Errorf("these boxes stay: %+v", left)
			}
		})
	}
}

// The ask ended while nothing but the sending of its box was known: a reply to the box is told that it did not count.
func TestAReplyToABoxOfWhatEnded(t *testing.T) {
	play(t, nil, func(r *rig) {
		request, _ := r.ask(database())
		r.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
		r.tap("✏️ Type an answer")
		r.wait(5 * time.Second)
		r.opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
		r.wait(5 * time.Second)
		r.say("Neither of them.", r.boxes(ada)[0].ID)
		r.screen("That did not count: hermes cannot tell which question it is for.")
	})
}

// What a box is for cannot be told from its place alone: a reply to an old one counts for no other question.
func TestAnOldBoxAnswersNoOtherQuestion(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.ask(database())
		r.tap("✏️ Type an answer")
		r.wait(5 * time.Second)
		box := r.boxes(ada)[0]
		r.telegram.SetFault(func(c telegram.Call) telegram.Fault {
			if c.Method != "deleteMessage" {
				return telegram.Fault{}
			}
			return telegram.Fault{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: message can't be deleted for everyone"}
		})
		r.tap("1.")
		r.wait(10 * time.Second)
		_, call := r.ask(database())
		r.say("Neither of them.", box.ID)
		r.unanswered(call)
		r.screen("Already answered", "SQLite")

		r.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
		r.tap("✏️ Type an answer") // of the second ask, whose box is not known then
		r.wait(5 * time.Second)
		r.say("Nor now.", box.ID)
		r.wait(5 * time.Second)
		r.unanswered(call)
		boxes := r.boxes(ada)
		r.say("MariaDB.", boxes[len(boxes)-1].ID)
		r.wait(5 * time.Second)
		r.got(call, []string{"MariaDB."})
	})
}

// A reply to a box comes before the word that Telegram's answer to its sending is lost: it is one box all the same, and
// stands in the way of no other.
func TestAReplyBeforeTheAnswerToItsBoxIsLost(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.ask(database(), opencode.Question{Question: "What shall it be called?", Header: "Name", Options: database().Options})
		r.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter, Delay: 10 * time.Second})
		r.tap("✏️ Type an answer")
		r.wait(4 * time.Second)
		r.say("Neither of them.", r.boxes(ada)[0].ID)
		r.wait(20 * time.Second)
		if left := r.boxes(ada); len(left) != 0 {
			t.Errorf("these boxes stay: %+v", left)
		}
		_, call := r.ask(database())
		r.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
		r.tap("✏️ Type an answer")
		r.wait(5 * time.Second)
		r.say("SQLite", r.boxes(ada)[0].ID) // it can be meant for this one alone
		r.wait(5 * time.Second)
		r.got(call, []string{"SQLite"})
	})
}
