package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// playLenient plays with a Telegram that takes what it may take, and with one that does not.
func playLenient(t *testing.T, alter func(*config), test func(*rig)) {
	t.Helper()
	for name, lenient := range map[string]bool{"strict": false, "lenient": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, opencode.VersionNew, alter)
				defer r.end()
				r.telegram.SetLenient(lenient)
				test(r)
			})
		})
	}
}

// An edit alone never tells that a group became a supergroup, and what told it is gone
// after a day. What is asked comes in the new group all the same, and its end is told
// there.
func TestAnUpgradeThatNobodyTold(t *testing.T) {
	playLenient(t, func(c *config) {
		in(chat{ID: pair})(c)
		c.QuestionTTL = 0
	}, func(r *rig) {
		r.telegram.AddChat(telegram.Chat{ID: pair, Type: telegram.Group, Title: "Pair", Members: []int64{ada, bob}})
		request, _ := r.ask(database())
		r.halt()
		after, err := r.telegram.Upgrade(ada, pair)
		if err != nil {
			r.t.Fatal(err)
		}
		r.wait(25 * time.Hour) // the service messages are gone
		r.start()
		r.wait(time.Minute)
		if !r.opencode.AnswerAtTUI(request, [][]string{{"SQLite"}}) {
			r.t.Fatal("it cannot be answered")
		}
		r.wait(time.Minute)
		_, call := r.ask(database())
		r.wait(time.Minute)
		if m := r.lastIn(after); !strings.Contains(m.Text, "❓") {
			r.t.Fatalf("the new group has %q\n%s", m.Text, r.log.String())
		}
		before := r.telegram.Count("editMessageText")
		r.wait(10 * time.Minute)
		if n := r.telegram.Count("editMessageText") - before; n > 5 {
			r.t.Errorf("%d edits in ten minutes of rest", n)
		}
		r.tapIn(bob, after, "1.")
		r.wait(5 * time.Second)
		r.got(call, []string{"SQLite"})
	})
}

// Who blocked the bot while a question was open is asked no more, and nothing is tried for
// ever, whatever Telegram says to an edit there.
func TestBlockedWhileAsked(t *testing.T) {
	playLenient(t, nil, func(r *rig) {
		request, _ := r.ask(database())
		if err := r.telegram.Block(ada); err != nil {
			r.t.Fatal(err)
		}
		r.wait(time.Second)
		if !r.opencode.AnswerAtTUI(request, [][]string{{"SQLite"}}) {
			r.t.Fatal("it cannot be answered")
		}
		r.wait(10 * time.Minute)
		if n := r.telegram.Count("editMessageText"); n > 8 {
			r.t.Errorf("%d edits of what nobody can see", n)
		}
		if err := r.telegram.Unblock(ada); err != nil {
			r.t.Fatal(err)
		}
		_, call := r.ask(database())
		r.tap("1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
	})
}

// What is done to topics comes as messages of the bot itself, or of whoever did it. They
// mean nothing to hermes: no reply, no entry, no stranger.
func TestServiceMessagesOfTopicsAreIgnored(t *testing.T) {
	playForum(t, "en", func(c talk) {
		_, call := c.ask(database())
		c.opencode.Rename(c.session, "another name")
		c.wait(5 * time.Second)
		c.telegram.AddTopic(team, "of a person")
		c.wait(time.Second)
		c.tapIn(ada, team, "1.")
		c.wait(2 * time.Second)
		c.got(call, []string{"SQLite"})
		c.opencode.Delete(c.session)
		c.wait(5 * time.Second)
		c.wantTopics("another name closed=true, of a person closed=false")
		if n := len(c.journal(question.EntryRefused)); n != 0 || len(c.telegram.Messages(team)) != 1 {
			t.Errorf("%d refusals, and the group has\n%s", n, c.telegram.History(team))
		}
		if got := c.measured(); !strings.Contains(got, "hermes_strangers_total 0") {
			t.Error("a service message counts as one of a stranger")
		}
		pending, err := c.daemon.store.Inbox()
		if err != nil || len(pending) != 0 {
			t.Errorf("%d updates are left in the inbox, %v", len(pending), err)
		}
	})
}

// Topics that are switched off in a group are no reason not to be asked: what was to go to
// one comes in the group.
func TestTopicsSwitchedOff(t *testing.T) {
	playForum(t, "en", func(c talk) {
		_, call := c.ask(database())
		c.tapIn(ada, team, "1.")
		c.wait(2 * time.Second)
		c.got(call, []string{"SQLite"})
		c.telegram.EndForum(team)
		_, call = c.ask(database())
		if m := c.lastIn(team); m.Topic != 0 || !strings.Contains(m.Text, "❓") {
			t.Fatalf("the group has %+v", m)
		}
		c.tapIn(ada, team, "1.")
		c.wait(2 * time.Second)
		c.got(call, []string{"SQLite"})
		_, call = c.in(billing, "elsewhere").ask(database())
		c.tapIn(ada, team, "2.")
		c.wait(2 * time.Second)
		c.got(call, []string{"PostgreSQL (Recommended)"})
	})
}
