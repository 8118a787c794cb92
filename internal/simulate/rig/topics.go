package rig

import (
	"fmt"
	"slices"
	"strings"
	"time"

	telegram "hermes/internal/simulate/telegramsim"
)

// AddForum makes the team's group a forum where the bot may manage topics.
func (r *Rig) AddForum() {
	r.Telegram.AddChat(telegram.Chat{
		ID: Team, Type: telegram.Supergroup, Title: "Team", Forum: true, Members: []int64{Ada, Eve}, Admins: []int64{Bob},
		BotAdmin: true, ManageTopics: true,
	})
}

// In is a session of another name or directory.
func (c Talk) In(dir, title string) Talk {
	return Talk{Rig: c.Rig, Dir: dir, Session: c.Opencode.NewSession(dir, title)}
}

// topics is what the forum has, one topic a word.
func (c Talk) topics() string {
	var list []string
	for _, t := range c.Telegram.Topics(Team) {
		list = append(list, fmt.Sprintf("%s closed=%v", t.Name, t.Closed))
	}
	return strings.Join(list, ", ")
}

// WantTopics fails the test unless the group has these topics.
func (c Talk) WantTopics(want string) {
	c.T.Helper()
	if got := c.topics(); got != want {
		c.T.Errorf("topics: %s; want %s\n%s\n%s", got, want, c.Telegram.History(Team), c.Log.String())
	}
}

// WantIn fails the test unless the newest message is in the topic of this name; "": in
// the chat itself.
func (c Talk) WantIn(name string) telegram.Message {
	c.T.Helper()
	m := c.LastIn(Team)
	got := ""
	for _, t := range c.Telegram.Topics(Team) {
		if t.ID == m.Topic {
			got = t.Name
		}
	}
	if got != name {
		c.T.Errorf("the message is in %q, want %q\n%s", got, name, c.Telegram.History(Team))
	}
	return m
}

// AnswerIn taps on the newest message in the team's chat, and sees that it counts.
func (c Talk) AnswerIn(call string) {
	c.T.Helper()
	c.TapIn(Ada, Team, "1.")
	c.Wait(2 * time.Second)
	c.WantAnswers(call, []string{"SQLite"})
}

// TapCard taps on the newest message that has buttons.
func (c Talk) TapCard(user int64, label string) {
	c.T.Helper()
	for _, m := range slices.Backward(c.Telegram.Messages(Team)) {
		if len(m.Rows) > 0 && !m.Deleted {
			if _, err := c.Telegram.Tap(user, Team, m.ID, label); err != nil {
				c.T.Fatal(err)
			}
			c.Wait(2 * time.Second)
			return
		}
	}
	c.T.Fatal("no message has buttons:\n" + c.Telegram.History(Team))
}
