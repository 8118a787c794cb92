package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// Fifty sessions in ten directories: each is on one page, with the name of its project,
// and can be used from there.
func TestFiftySessionsInTenDirectories(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		driving(t, version, nil, func(c talk) {
			where := map[string]string{}
			for n := range 50 {
				dir := fmt.Sprintf("/srv/project-%d", n%10)
				title := fmt.Sprintf("task %02d.", n)
				id := c.opencode.NewSession(dir, title)
				where[title] = id
				if n < 10 { // hermes hears of a directory when something happens there
					request, _ := c.opencode.Ask(dir, id, database())
					c.opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
				}
				c.wait(time.Second)
			}
			c.wait(time.Minute)
			c.say("/sessions", 0)
			seen := map[string]int{}
			for page := 1; ; page++ {
				text := c.last().Text
				if !strings.Contains(text, fmt.Sprintf("%d of 7", page)) {
					t.Fatalf("%s: page %d reads\n%s", version, page, text)
				}
				for title := range where {
					seen[title] += strings.Count(text, "project-"+string(title[6])+" · "+title)
				}
				if page == 7 {
					break
				}
				c.tap("Next")
				c.wait(2 * time.Second)
			}
			for title := range where {
				if seen[title] != 1 {
					t.Errorf("%s: %q is there %d times", version, title, seen[title])
				}
			}
			c.tap("◀ Back")
			c.wait(2 * time.Second)
			button := c.last().Labels()[3]
			title := button[strings.Index(button, "task"):]
			c.tap(button[:4])
			c.wait(2 * time.Second)
			c.say("go on", 0)
			c.wait(20 * time.Second)
			if got := c.where()["go on"]; got != where[title] {
				t.Errorf("%s: the prompt went to %q, want that of %q", version, got, title)
			}
		})
	}
}

// Two people of a group prompt at once: the session gets all of it in the order in which
// it was written, and each of them sees what became of theirs.
func TestTwoPeoplePromptAtOnceInAGroup(t *testing.T) {
	const team = -1001234567890
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		driving(t, version, withGroup(team), func(c talk) {
			c.telegram.AddChat(telegram.Chat{ID: team, Type: telegram.Supergroup, Title: "Team", Members: []int64{ada, bob}, BotAdmin: true})
			c.sayIn(ada, team, "/use fix checkout", 0)
			use := c.lastIn(team).ID
			var want []string
			var ids []int
			for n := range 3 {
				for who, name := range map[int64]string{ada: "Ada", bob: "Bob"} {
					text := fmt.Sprintf("%s says %d", name, n)
					id, err := c.telegram.Say(who, team, text, telegram.ReplyTo(use))
					if err != nil {
						t.Fatal(err)
					}
					want, ids = append(want, text), append(ids, id)
				}
			}
			c.wait(3 * time.Minute)
			c.wantPrompts(want...)
			history := c.telegram.History(team)
			for _, text := range want {
				if !strings.Contains(history, fmt.Sprintf("reacts to “%s” with 👍", text)) {
					t.Errorf("%s: %q was not acknowledged:\n%s", version, text, history)
				}
			}
			acknowledged := map[int]bool{}
			for _, m := range c.telegram.Messages(team) {
				if m.FromBot && slices.Contains(ids, m.ReplyTo) {
					acknowledged[m.ReplyTo] = true
				}
			}
			if len(acknowledged) == 0 || !acknowledged[ids[len(ids)-1]] {
				t.Errorf("%s: the last of them was not told of the end:\n%s", version, history)
			}
			if n := len(c.journal(question.EntryCarried)); n != len(want) {
				t.Errorf("%s: %d were carried", version, n)
			}
		})
	}
}

// The model that was chosen is gone when the prompt comes: it is not sent, and the chat
// says why and goes on with another one.
func TestAModelThatIsGone(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		driving(t, version, nil, func(c talk) {
			c.useSession()
			driving, err := c.daemon.store.Driving()
			if err != nil || len(driving.Seats) != 1 {
				t.Fatalf("%+v, %v", driving, err)
			}
			seat := driving.Seats[0]
			seat.Model = question.Model{Provider: "scripted", ID: "gone"}
			if err := c.daemon.store.Commit(question.Change{Seats: []question.Seat{seat}}); err != nil {
				t.Fatal(err)
			}
			c.halt()
			c.start()
			c.say("go on", 0)
			c.wait(time.Minute)
			c.screen("Not sent: OpenCode does not take it. There is no such model.")
			c.wantPrompts()
			c.say("/model off", 0)
			c.say("go on", 0)
			c.wait(time.Minute)
			c.wantPrompts("go on")
		})
	}
}

// A session that was deleted meanwhile: whatever is wanted of it, the chat says so.
func TestASessionThatIsGone(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		synctest.Test(t, func(t *testing.T) {
			c := drivingRig(t, version, nil)
			defer c.end()
			c.useSession()
			use := c.last().ID
			c.say("/sessions", 0)
			list := c.last()
			c.opencode.Delete(c.session)
			c.say("still there?", use)
			c.wait(time.Minute)
			c.screen("Not sent: the session was deleted")
			for _, command := range []string{"/last", "/diff", "/todo", "/abort", "/model scripted/second"} {
				c.say(command, 0)
				c.screen("There is no such session")
			}
			if _, err := c.telegram.Tap(ada, ada, list.ID, "1."); err != nil {
				t.Fatal(err)
			}
			c.wait(3 * time.Second)
			c.screen("There is no such session")
			c.say("and now?", 0)
			c.wait(time.Minute)
			c.wantPrompts()
		})
	}
}
