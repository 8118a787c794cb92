package daemon_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// playLenient plays with a Telegram that takes what it may take, and with one that does not.
func playLenient(t *testing.T, alter func(*config.Config), test func(*rig.Rig)) {
	t.Helper()
	for name, lenient := range map[string]bool{"strict": false, "lenient": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rig.New(t, opencode.VersionNew, alter)
				defer r.End()
				r.Telegram.SetLenient(lenient)
				test(r)
			})
		})
	}
}

// An edit alone never tells that a group became a supergroup, and what told it is gone
// after a day. What is asked comes in the new group all the same, and its end is told
// there.
func TestChats_UpgradeThatNobodyTold(t *testing.T) {
	playLenient(t, func(c *config.Config) {
		in(config.Chat{ID: rig.Pair})(c)
		c.QuestionTTL = 0
	}, func(r *rig.Rig) {
		r.Telegram.AddChat(telegram.Chat{ID: rig.Pair, Type: telegram.Group, Title: "Pair", Members: []int64{rig.Ada, rig.Bob}})
		request, _ := r.Ask(rig.DatabaseQuestion())
		r.Halt()
		after, err := r.Telegram.Upgrade(rig.Ada, rig.Pair)
		if err != nil {
			r.T.Fatal(err)
		}
		r.Wait(25 * time.Hour) // the service messages are gone
		r.Start()
		r.Wait(time.Minute)
		if !r.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}}) {
			r.T.Fatal("it cannot be answered")
		}
		r.Wait(time.Minute)
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Wait(time.Minute)
		if m := r.LastIn(after); !strings.Contains(m.Text, "❓") {
			r.T.Fatalf("the new group has %q\n%s", m.Text, r.Log.String())
		}
		before := r.Telegram.Count("editMessageText")
		r.Wait(10 * time.Minute)
		if n := r.Telegram.Count("editMessageText") - before; n > 5 {
			r.T.Errorf("%d edits in ten minutes of rest", n)
		}
		r.TapIn(rig.Bob, after, "1.")
		r.Wait(5 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}

// Who blocked the bot while a question was open is asked no more, and nothing is tried for
// ever, whatever Telegram says to an edit there.
func TestChats_BlockedWhileAsked(t *testing.T) {
	playLenient(t, nil, func(r *rig.Rig) {
		request, _ := r.Ask(rig.DatabaseQuestion())
		if err := r.Telegram.Block(rig.Ada); err != nil {
			r.T.Fatal(err)
		}
		r.Wait(time.Second)
		if !r.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}}) {
			r.T.Fatal("it cannot be answered")
		}
		r.Wait(10 * time.Minute)
		if n := r.Telegram.Count("editMessageText"); n > 8 {
			r.T.Errorf("%d edits of what nobody can see", n)
		}
		if err := r.Telegram.Unblock(rig.Ada); err != nil {
			r.T.Fatal(err)
		}
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Tap("1.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}

// What is done to topics comes as messages of the bot itself, or of whoever did it. They
// mean nothing to hermes: no reply, no entry, no stranger.
func TestChats_ServiceMessagesOfTopicsAreIgnored(t *testing.T) {
	playForum(t, "en", func(c rig.Talk) {
		_, call := c.Ask(rig.DatabaseQuestion())
		c.Opencode.Rename(c.Session, "another name")
		c.Wait(5 * time.Second)
		c.Telegram.AddTopic(rig.Team, "of a person")
		c.Wait(time.Second)
		c.TapIn(rig.Ada, rig.Team, "1.")
		c.Wait(2 * time.Second)
		c.WantAnswers(call, []string{"SQLite"})
		c.Opencode.Delete(c.Session)
		c.Wait(5 * time.Second)
		c.WantTopics("another name closed=true, of a person closed=false")
		if n := len(c.Journal(storage.EntryRefused)); n != 0 || len(c.Telegram.Messages(rig.Team)) != 1 {
			t.Errorf("%d refusals, and the group has\n%s", n, c.Telegram.History(rig.Team))
		}
		if got := c.Metrics(); !strings.Contains(got, "hermes_strangers_total 0") {
			t.Error("a service message counts as one of a stranger")
		}
		pending, err := c.Daemon.Store.Inbox()
		if err != nil || len(pending) != 0 {
			t.Errorf("%d updates are left in the inbox, %v", len(pending), err)
		}
	})
}

// Topics that are switched off in a group are no reason not to be asked: what was to go to
// one comes in the group.
func TestChats_TopicsSwitchedOff(t *testing.T) {
	playForum(t, "en", func(c rig.Talk) {
		_, call := c.Ask(rig.DatabaseQuestion())
		c.TapIn(rig.Ada, rig.Team, "1.")
		c.Wait(2 * time.Second)
		c.WantAnswers(call, []string{"SQLite"})
		c.Telegram.EndForum(rig.Team)
		_, call = c.Ask(rig.DatabaseQuestion())
		if m := c.LastIn(rig.Team); m.Topic != 0 || !strings.Contains(m.Text, "❓") {
			t.Fatalf("the group has %+v", m)
		}
		c.TapIn(rig.Ada, rig.Team, "1.")
		c.Wait(2 * time.Second)
		c.WantAnswers(call, []string{"SQLite"})
		_, call = c.In(billing, "elsewhere").Ask(rig.DatabaseQuestion())
		c.TapIn(rig.Ada, rig.Team, "2.")
		c.Wait(2 * time.Second)
		c.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
	})
}
