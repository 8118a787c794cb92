package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/remote"
	"hermes/internal/session"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// Fifty sessions in ten directories: each is on one page, with the name of its project,
// and can be used from there.
func TestSessions_FiftySessionsInTenDirectories(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		rig.Driving(t, version, nil, func(c rig.Talk) {
			where := map[string]string{}
			for n := range 50 {
				dir := fmt.Sprintf("/srv/project-%d", n%10)
				title := fmt.Sprintf("task %02d.", n)
				id := c.Opencode.NewSession(dir, title)
				where[title] = id
				if n < 10 { // hermes hears of a directory when something happens there
					request, _ := c.Opencode.Ask(dir, id, rig.DatabaseQuestion())
					c.Opencode.AnswerAtTUI(request, [][]string{{"SQLite"}})
				}
				c.Wait(time.Second)
			}
			c.Wait(time.Minute)
			c.Say("/sessions", 0)
			seen := map[string]int{}
			for page := 1; ; page++ {
				text := c.Last().Text
				if !strings.Contains(text, fmt.Sprintf("%d of 7", page)) {
					t.Fatalf("%s: page %d reads\n%s", version, page, text)
				}
				for title := range where {
					seen[title] += strings.Count(text, "project-"+string(title[6])+" · "+title)
				}
				if page == 7 {
					break
				}
				c.Tap("Next")
				c.Wait(2 * time.Second)
			}
			for title := range where {
				if seen[title] != 1 {
					t.Errorf("%s: %q is there %d times", version, title, seen[title])
				}
			}
			c.Tap("◀ Back")
			c.Wait(2 * time.Second)
			button := c.Last().Labels()[3]
			title := button[strings.Index(button, "task"):]
			c.Tap(button[:4])
			c.Wait(2 * time.Second)
			c.Say("go on", 0)
			c.Wait(20 * time.Second)
			if got := c.SessionsByPrompt()["go on"]; got != where[title] {
				t.Errorf("%s: the prompt went to %q, want that of %q", version, got, title)
			}
		})
	}
}

// Two people of a group prompt at once: the session gets all of it in the order in which
// it was written, and each of them sees what became of theirs.
func TestSessions_TwoPeoplePromptAtOnceInAGroup(t *testing.T) {
	const team = -1001234567890
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		rig.Driving(t, version, withGroup(team), func(c rig.Talk) {
			c.Telegram.AddChat(telegram.Chat{ID: team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada, rig.Bob}, BotAdmin: true})
			c.SayIn(rig.Ada, team, "/use fix checkout", 0)
			use := c.LastIn(team).ID
			var want []string
			var ids []int
			for n := range 3 {
				for who, name := range map[int64]string{rig.Ada: "Ada", rig.Bob: "Bob"} {
					text := fmt.Sprintf("%s says %d", name, n)
					id, err := c.Telegram.Say(who, team, text, telegram.ReplyTo(use))
					if err != nil {
						t.Fatal(err)
					}
					want, ids = append(want, text), append(ids, id)
				}
			}
			c.Wait(3 * time.Minute)
			c.WantPrompts(want...)
			history := c.Telegram.History(team)
			for _, text := range want {
				if !strings.Contains(history, fmt.Sprintf("reacts to “%s” with 👍", text)) {
					t.Errorf("%s: %q was not acknowledged:\n%s", version, text, history)
				}
			}
			acknowledged := map[int]bool{}
			for _, m := range c.Telegram.Messages(team) {
				if m.FromBot && slices.Contains(ids, m.ReplyTo) {
					acknowledged[m.ReplyTo] = true
				}
			}
			if len(acknowledged) == 0 || !acknowledged[ids[len(ids)-1]] {
				t.Errorf("%s: the last of them was not told of the end:\n%s", version, history)
			}
			if n := len(c.Journal(storage.EntryCarried)); n != len(want) {
				t.Errorf("%s: %d were carried", version, n)
			}
		})
	}
}

// The model that was chosen is gone when the prompt comes: it is not sent, and the chat
// says why and goes on with another one.
func TestSessions_ModelThatIsGone(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		rig.Driving(t, version, nil, func(c rig.Talk) {
			c.UseSession()
			driving, err := c.Daemon.Store.SessionRecords()
			if err != nil || len(driving.ChatSettings) != 1 {
				t.Fatalf("%+v, %v", driving, err)
			}
			settings := driving.ChatSettings[0]
			settings.Model = session.Model{Provider: "scripted", ID: "gone"}
			if err := c.Daemon.Store.Commit(storage.Change{ChatSettings: []remote.ChatSettings{settings}}); err != nil {
				t.Fatal(err)
			}
			c.Halt()
			c.Start()
			c.Say("go on", 0)
			c.Wait(time.Minute)
			c.WantScreen("Not sent: OpenCode does not accept it. There is no such model.")
			c.WantPrompts()
			c.Say("/model off", 0)
			c.Say("go on", 0)
			c.Wait(time.Minute)
			c.WantPrompts("go on")
		})
	}
}

// A session that was deleted meanwhile: whatever is wanted of it, the chat says so.
func TestSessions_SessionThatIsGone(t *testing.T) {
	for _, version := range []string{opencode.VersionOld, opencode.VersionNew} {
		synctest.Test(t, func(t *testing.T) {
			c := rig.DrivingRig(t, version, nil)
			defer c.End()
			c.UseSession()
			use := c.Last().ID
			c.Say("/sessions", 0)
			list := c.Last()
			c.Opencode.Delete(c.Session)
			c.Say("still there?", use)
			c.Wait(time.Minute)
			c.WantScreen("Not sent: the session was deleted")
			for _, command := range []string{"/last", "/diff", "/todo", "/abort", "/model scripted/second"} {
				c.Say(command, 0)
				c.WantScreen("There is no such session")
			}
			if _, err := c.Telegram.Tap(rig.Ada, rig.Ada, list.ID, "1."); err != nil {
				t.Fatal(err)
			}
			c.Wait(3 * time.Second)
			c.WantScreen("There is no such session")
			c.Say("and now?", 0)
			c.Wait(time.Minute)
			c.WantPrompts()
		})
	}
}
