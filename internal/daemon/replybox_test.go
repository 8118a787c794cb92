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
		synctest.Test(t, func(t *testing.T) {
			r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
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
			boxes := replyBoxes(r, rig.Team)
			if len(boxes) != 2 || !slices.Equal(boxes[0].Opens, []int64{rig.Ada}) || !slices.Equal(boxes[1].Opens, []int64{rig.Bob}) {
				t.Fatalf("the boxes are %+v", boxes)
			}
			r.SayIn(rig.Bob, rig.Team, "Neither of them.", boxes[1].ID)
			r.Wait(5 * time.Second)
			r.WantAnswers(call, []string{"Neither of them."})
			if left := replyBoxes(r, rig.Team); len(left) != 0 {
				t.Errorf("these boxes stay: %+v", left)
			}
			rig.Golden(t, "typed-in-a-group."+lang+".txt", strings.ReplaceAll(deletesLast(r.Telegram.History(rig.Team)), "forged: "+data, "the same, which is gone by now"))
		})
	}
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

// In a group with topics some clients open no reply box. What its owner writes in that topic within ten minutes is the
// answer all the same; what others write there, or they elsewhere or later, is not.
func TestReplyBoxes_NoneOpensInTopics(t *testing.T) {
	const answer = "Neither of them."
	inTopic := func(r *rig.Rig, who int64, topic int) {
		r.SayIn(who, rig.Team, answer, 0, telegram.InTopic(topic))
		r.Wait(3 * time.Second)
	}
	for name, c := range map[string]struct {
		topics bool // sessions have their own; else the configuration names General
		says   func(r *rig.Rig, topic int)
		counts bool
	}{
		"in the topic of the session":  {true, func(r *rig.Rig, topic int) { inTopic(r, rig.Ada, topic) }, true},
		"in General":                   {false, func(r *rig.Rig, topic int) { inTopic(r, rig.Ada, topic) }, true},
		"after nine minutes":           {true, func(r *rig.Rig, topic int) { r.Wait(9 * time.Minute); inTopic(r, rig.Ada, topic) }, true},
		"after a restart":              {true, func(r *rig.Rig, topic int) { r.Halt(); r.Start(); inTopic(r, rig.Ada, topic) }, true},
		"after ten minutes":            {false, func(r *rig.Rig, topic int) { r.Wait(10 * time.Minute); inTopic(r, rig.Ada, topic) }, false},
		"in another topic":             {false, func(r *rig.Rig, _ int) { inTopic(r, rig.Ada, r.Telegram.AddTopic(rig.Team, "lunch")) }, false},
		"by somebody else on the list": {false, func(r *rig.Rig, topic int) { inTopic(r, rig.Bob, topic) }, false},
		"by a stranger":                {true, func(r *rig.Rig, topic int) { inTopic(r, rig.Eve, topic) }, false},
		"when the box is gone": {false, func(r *rig.Rig, topic int) {
			r.TapIn(rig.Ada, rig.Team, "◀ Back")
			r.Wait(3 * time.Second)
			inTopic(r, rig.Ada, topic)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rig.NewStoppedOn(t, opencode.VersionNew, telegram.Options{NoBoxInTopics: true}, func(cfg *config.Config) {
					cfg.Topics, cfg.TelegramChats = c.topics, []config.Chat{{ID: rig.Team}}
				})
				r.AddForum()
				r.Start()
				defer r.End()
				_, call := r.Ask(rig.DatabaseQuestion())
				r.Wait(3 * time.Second)
				r.TapIn(rig.Ada, rig.Team, "✏️ Type an answer")
				r.Wait(3 * time.Second)
				box := r.LastIn(rig.Team)
				if hint := strings.Contains(box.Text, "If no reply box opens"); box.ForceReply || hint != c.topics {
					t.Errorf("the box is %+v", box)
				}
				c.says(r, box.Topic)
				if c.counts {
					r.WantAnswers(call, []string{answer})
				} else {
					r.WantNoAnswer(call)
				}
			})
		})
	}
}

// replyBoxes are the messages that hold somebody's reply box open.
func replyBoxes(r *rig.Rig, chat int64) []telegram.Message {
	return slices.DeleteFunc(r.Telegram.Messages(chat), func(m telegram.Message) bool { return !m.FromBot || !m.ForceReply || m.Deleted })
}
