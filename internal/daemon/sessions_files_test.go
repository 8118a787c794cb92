package daemon_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/session"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// picture is a photo of that width.
func picture(t *testing.T, width int) telegram.Document {
	t.Helper()
	var data bytes.Buffer
	if err := jpeg.Encode(&data, image.NewGray(image.Rect(0, 0, width, 9)), nil); err != nil {
		t.Fatal(err)
	}
	return telegram.Document{Kind: telegram.AsPhoto, Data: data.Bytes()}
}

// note is a text file.
func note(name, text string) telegram.Document {
	return telegram.Document{Name: name, Mime: "text/plain", Data: []byte(text)}
}

// filed are what people live through who send more than texts.
func filed() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"photo": func(c rig.Talk) {
			c.UseSession()
			c.Sends(telegram.WithFile(picture(c.T, 40)), "What is wrong here, @asker?", 0)
			c.Sends(telegram.WithFile(note("log.txt", "it broke")), "", c.Last().ID)
			c.Sends(telegram.WithFile(picture(c.T, 50)), "/noreply For later.", 0)
			c.WantPromptParts("What is wrong here, @asker? [photo.jpg image/jpeg 1]", " [log.txt text/plain 1]", "For later. [photo.jpg image/jpeg 1]")
		},
		"album": func(c rig.Talk) {
			c.UseSession()
			c.Send(telegram.WithFile(picture(c.T, 40)), "", 0, telegram.InAlbum("1"))
			c.Send(telegram.WithFile(picture(c.T, 50)), "Before and after.", 0, telegram.InAlbum("1"))
			c.Wait(20 * time.Second)
			c.Sends(telegram.WithFile(picture(c.T, 60)), "Another one.", 0)
			c.WantPromptParts("Before and after. [photo.jpg image/jpeg 1] [photo.jpg image/jpeg 1]", "Another one. [photo.jpg image/jpeg 1]")
		},
		"unfit": func(c rig.Talk) {
			c.UseSession()
			use := c.Last().ID
			c.Sends(telegram.WithFile(telegram.Document{Name: "dump.sql", Mime: "text/plain", Data: make([]byte, session.MaxFiles+1)}), "", 0)
			c.Sends(telegram.WithFile(telegram.Document{Name: "all.zip", Mime: "application/zip", Data: []byte("PK\x03\x04\x00\xff")}), "", 0)
			c.Sends(telegram.WithContent("sticker", `{"file_id":"s1","emoji":"👍"}`), "", 0)
			c.Sends(telegram.WithContent("location", `{"latitude":1,"longitude":2}`), "", use)
			c.Sends(telegram.WithFile(note("log.txt", "it broke")), "/abort", 0)
			c.Sends(telegram.WithFile(note("log.txt", "it broke")), "/restart now", 0)
			c.WantPromptParts()
		},
		"no-answer": func(c rig.Talk) {
			c.Sends(telegram.WithFile(picture(c.T, 40)), "", 0)
			c.Sends(telegram.WithFile(picture(c.T, 50)), "", 0)
			_, call := c.Ask(rig.ProjectNameQuestion())
			c.Sends(telegram.WithFile(picture(c.T, 60)), "The Bridge", c.Last().ID)
			c.Sends(telegram.WithContent("sticker", `{"file_id":"s1"}`), "", 0)
			c.WantNoAnswer(call)
			c.Say("The Bridge", 0)
			c.WantAnswers(call, []string{"The Bridge"})
			c.WantPromptParts()
		},
	}
}

func TestSessions_Files(t *testing.T) {
	inLanguages(t, "remote-files-", filed(), nil, rig.Talk.TranscriptOf)
}

// The parts of an album that come before a restart are not lost by it.
func TestSessions_AlbumOutlivesARestart(t *testing.T) {
	rig.Driving(t, opencode.VersionOld, nil, func(c rig.Talk) {
		c.UseSession()
		c.Send(telegram.WithFile(picture(t, 40)), "Both.", 0, telegram.InAlbum("1"))
		c.Wait(time.Second)
		c.Halt()
		c.WantPromptParts()
		c.Send(telegram.WithFile(picture(t, 50)), "", 0, telegram.InAlbum("1"))
		c.Start()
		c.Wait(20 * time.Second)
		c.WantPromptParts("Both. [photo.jpg image/jpeg 1] [photo.jpg image/jpeg 1]")
	})
}

// In a group nothing is said of what is not for a session, and once of an album of
// somebody who may not drive it.
func TestSessions_FilesInAGroup(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules.toml")
	text := "[remote]\nroles = \"lead\"\n[[person]]\nid = 42\nname = \"Ada\"\nroles = \"lead\"\n[[person]]\nid = 43\nname = \"Bob\"\nroles = \"dev\"\n"
	if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	configured := func(c *config.Config) {
		c.Rules = rules
		withGroup(rig.Team)(c)
	}
	rig.Driving(t, opencode.VersionNew, configured, func(c rig.Talk) {
		c.Telegram.AddChat(telegram.Chat{ID: rig.Team, Type: telegram.Supergroup, Title: "Team", Members: []int64{rig.Ada, rig.Bob, rig.Eve}, BotAdmin: true})
		c.SayIn(rig.Ada, rig.Team, "/use@hermes_bot fix checkout", 0)
		use := telegram.ReplyTo(c.LastIn(rig.Team).ID)
		say := func(who int64, what telegram.SayOption, how ...telegram.SayOption) {
			if _, err := c.Telegram.Say(who, rig.Team, "", append(how, what)...); err != nil {
				t.Fatal(err)
			}
		}
		bots := func() int {
			c.Wait(20 * time.Second)
			return len(slices.DeleteFunc(c.Telegram.Messages(rig.Team), func(m telegram.Message) bool { return !m.FromBot }))
		}
		before := bots()
		say(rig.Ada, telegram.WithFile(picture(t, 40)))
		say(rig.Ada, telegram.WithContent("sticker", `{"file_id":"s1"}`))
		say(rig.Eve, telegram.WithFile(picture(t, 40)), use)
		if n := bots(); n != before {
			t.Errorf("something was said:\n%s", c.Telegram.Transcript(rig.Team))
		}
		for range 3 {
			say(rig.Bob, telegram.WithFile(picture(t, 40)), telegram.InAlbum("1"), use)
		}
		if n := bots(); n != before+1 || !strings.Contains(c.LastIn(rig.Team).Text, "lead") {
			t.Errorf("the refusal:\n%s", c.Telegram.Transcript(rig.Team))
		}
		c.WantPromptParts()
		say(rig.Ada, telegram.WithFile(picture(t, 40)), use)
		c.Wait(20 * time.Second)
		c.WantPromptParts(" [photo.jpg image/jpeg 1]")
	})
}

// A file that Telegram does not give out now is sent when it does.
func TestSessions_FilesThatCannotBeFetched(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.UseSession()
		c.Telegram.SetFault(func(call telegram.Call) telegram.Fault {
			if call.Method == "getFile" {
				return telegram.Fault{Kind: telegram.BadGateway}
			}
			return telegram.Fault{}
		})
		c.Sends(telegram.WithFile(note("log.txt", "it broke")), "Look.", 0)
		c.WantScreen("log.txt cannot be fetched from Telegram right now. Your prompt is kept")
		c.WantPromptParts()
		c.Telegram.SetFault(nil)
		c.Wait(2 * time.Minute)
		c.WantPromptParts("Look. [log.txt text/plain 1]")
	})
}
