package daemon_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// In a group with privacy mode the bot sees replies to its own messages alone. Each who wants to type gets a box of
// their own, and all of them go when one has answered.
func TestReplyBoxes_TypingInAGroup(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		for _, refuses := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				r := rig.NewStoppedOn(t, opencode.VersionNew, telegram.Options{RefuseForceReplyEdits: refuses}, func(c *config.Config) {
					c.Lang, c.TelegramChats = lang, []config.Chat{{ID: rig.Team}}
				})
				r.AddTeam(false)
				r.Start()
				defer r.End()
				_, call := r.Ask(rig.DatabaseQuestion())
				card := r.LastIn(rig.Team)
				data := r.Data(card, r.InLanguage("✏️ Type an answer", "✏️ 输入答案"))
				r.ForgeTap(rig.Ada, rig.Team, card.ID, data)
				r.ForgeTap(rig.Bob, rig.Team, card.ID, data) // in the moment before the button went
				r.ForgeTap(rig.Eve, rig.Team, card.ID, data) // she may not answer
				r.Wait(5 * time.Second)
				boxes := r.ReplyBoxes(rig.Team)
				if len(boxes) != 2 || !slices.Equal(boxes[0].Opens, []int64{rig.Ada}) || !slices.Equal(boxes[1].Opens, []int64{rig.Bob}) {
					t.Fatalf("the boxes are %+v", boxes)
				}
				r.SayIn(rig.Bob, rig.Team, "Neither of them.", boxes[1].ID)
				r.Wait(5 * time.Second)
				r.WantAnswers(call, []string{"Neither of them."})
				if left := r.ReplyBoxes(rig.Team); len(left) != 0 {
					t.Errorf("these boxes stay: %+v", left)
				}
				rig.Golden(t, "typed-in-a-group."+lang+".txt", strings.ReplaceAll(deletesLast(r.Telegram.History(rig.Team)), "forged: "+data, "the same, which is gone by now"))
			})
		}
	}
}

// Who taps their way to a question that takes words alone may write at once; nobody else's reply box is opened.
func TestReplyBoxes_TappingToAQuestionOfWordsInAGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStoppedOn(t, opencode.VersionNew, telegram.Options{}, func(c *config.Config) { c.TelegramChats = []config.Chat{{ID: rig.Team}} })
		r.AddTeam(false)
		r.Start()
		defer r.End()
		_, call := r.Ask(rig.ProjectNameQuestion(), rig.DatabaseQuestion(), rig.ProjectNameQuestion())
		card := r.LastIn(rig.Team)
		if boxes := r.ReplyBoxes(rig.Team); len(boxes) != 0 {
			t.Errorf("before anybody did anything there are %+v", boxes)
		}
		r.SayIn(rig.Ada, rig.Team, "The Bridge", card.ID) // the card says to reply to it
		r.Wait(5 * time.Second)
		r.ForgeTap(rig.Bob, rig.Team, card.ID, r.Data(r.LastIn(rig.Team), "1. SQLite"))
		r.Wait(5 * time.Second)
		boxes := r.ReplyBoxes(rig.Team)
		if len(boxes) != 1 || !slices.Equal(boxes[0].Opens, []int64{rig.Bob}) {
			t.Fatalf("the boxes are %+v", boxes)
		}
		r.SayIn(rig.Bob, rig.Team, "The Ferry", boxes[0].ID)
		r.Wait(5 * time.Second)
		r.ForgeTap(rig.Bob, rig.Team, card.ID, r.Data(r.LastIn(rig.Team), "✅ Send"))
		r.Wait(5 * time.Second)
		r.WantAnswers(call, []string{"The Bridge"}, []string{"SQLite"}, []string{"The Ferry"})
		if left := r.ReplyBoxes(rig.Team); len(left) != 0 {
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
func TestReplyBoxes_ToABoxThatIsNotKnown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		rig.Play(t, nil, func(r *rig.Rig) {
			_, call := r.Ask(rig.DatabaseQuestion())
			r.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
			r.Tap("✏️ Type an answer")
			r.Wait(5 * time.Second)
			if restart {
				r.Halt()
				r.Start()
			}
			r.Wait(2 * time.Minute)
			boxes := r.ReplyBoxes(rig.Ada)
			if len(boxes) != 1 {
				t.Fatalf("the boxes are %+v", boxes)
			}
			r.Say("Neither of them.", boxes[0].ID)
			r.Wait(5 * time.Second)
			r.WantAnswers(call, []string{"Neither of them."})
			if left := r.ReplyBoxes(rig.Ada); len(left) != 0 {
				t.Errorf("these boxes stay: %+v", left)
			}
		})
	}
}

// The ask ended while nothing but the sending of its box was known: a reply to the box is told that it did not count.
func TestReplyBoxes_ToABoxOfWhatEnded(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		request, _ := r.Ask(rig.DatabaseQuestion())
		r.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
		r.Tap("✏️ Type an answer")
		r.Wait(5 * time.Second)
		r.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
		r.Wait(5 * time.Second)
		r.Say("Neither of them.", r.ReplyBoxes(rig.Ada)[0].ID)
		r.WantScreen("That did not count: hermes cannot tell which question it is for.")
	})
}

// What a box is for cannot be told from its place alone: a reply to an old one counts for no other question.
func TestReplyBoxes_OldBoxAnswersNoOtherQuestion(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Tap("✏️ Type an answer")
		r.Wait(5 * time.Second)
		box := r.ReplyBoxes(rig.Ada)[0]
		r.Telegram.SetFault(func(c telegram.Call) telegram.Fault {
			if c.Method != "deleteMessage" {
				return telegram.Fault{}
			}
			return telegram.Fault{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: message can't be deleted for everyone"}
		})
		r.Tap("1.")
		r.Wait(10 * time.Second)
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Say("Neither of them.", box.ID)
		r.WantNoAnswer(call)
		r.WantScreen("Already answered", "SQLite")

		r.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
		r.Tap("✏️ Type an answer") // of the second ask, whose box is not known then
		r.Wait(5 * time.Second)
		r.Say("Nor now.", box.ID)
		r.Wait(5 * time.Second)
		r.WantNoAnswer(call)
		boxes := r.ReplyBoxes(rig.Ada)
		r.Say("MariaDB.", boxes[len(boxes)-1].ID)
		r.Wait(5 * time.Second)
		r.WantAnswers(call, []string{"MariaDB."})
	})
}

// A reply to a box comes before the word that Telegram's answer to its sending is lost: it is one box all the same, and
// stands in the way of no other.
func TestReplyBoxes_ReplyBeforeTheAnswerToItsBoxIsLost(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion(), opencode.Question{Question: "What shall it be called?", Header: "Name", Options: rig.DatabaseQuestion().Options})
		r.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter, Delay: 10 * time.Second})
		r.Tap("✏️ Type an answer")
		r.Wait(4 * time.Second)
		r.Say("Neither of them.", r.ReplyBoxes(rig.Ada)[0].ID)
		r.Wait(20 * time.Second)
		if left := r.ReplyBoxes(rig.Ada); len(left) != 0 {
			t.Errorf("these boxes stay: %+v", left)
		}
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.ResetAfter})
		r.Tap("✏️ Type an answer")
		r.Wait(5 * time.Second)
		r.Say("SQLite", r.ReplyBoxes(rig.Ada)[0].ID) // it can be meant for this one alone
		r.Wait(5 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}
