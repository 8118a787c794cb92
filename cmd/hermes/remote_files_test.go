package main

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

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
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

// send is something of Ada's that is no text, with a caption; a replyTo of 0 is no reply.
func (r *rig) send(what telegram.SayOption, caption string, replyTo int, how ...telegram.SayOption) int {
	r.t.Helper()
	if replyTo != 0 {
		how = append(how, telegram.ReplyTo(replyTo))
	}
	id, err := r.telegram.Say(ada, ada, caption, append(how, what)...)
	if err != nil {
		r.t.Fatal(err)
	}
	return id
}

// sends is send, and what comes of it.
func (r *rig) sends(what telegram.SayOption, caption string, replyTo int) {
	r.t.Helper()
	r.send(what, caption, replyTo)
	r.wait(20 * time.Second)
}

// given are the prompts with their files, in words: "text [name type bytes] …".
func (c talk) given() []string {
	var all []string
	for _, p := range c.opencode.Prompts() {
		words := []string{p.Text}
		for _, f := range p.Files {
			words = append(words, "["+f.Name+" "+f.Mime+" "+string(rune('0'+min(len(f.Data), 1)))+"]")
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

func (c talk) wantGiven(want ...string) {
	c.t.Helper()
	if got := c.given(); !slices.Equal(got, want) {
		c.t.Errorf("the session was given %q, want %q\n%s\nlog:\n%s", got, want, c.telegram.History(ada), c.log.String())
	}
}

// filed are what people live through who send more than texts.
func filed() map[string]func(talk) {
	return map[string]func(talk){
		"photo": func(c talk) {
			c.useSession()
			c.sends(telegram.WithFile(picture(c.t, 40)), "What is wrong here, @asker?", 0)
			c.sends(telegram.WithFile(note("log.txt", "it broke")), "", c.last().ID)
			c.sends(telegram.WithFile(picture(c.t, 50)), "/noreply For later.", 0)
			c.wantGiven("What is wrong here, @asker? [photo.jpg image/jpeg 1]", " [log.txt text/plain 1]", "For later. [photo.jpg image/jpeg 1]")
		},
		"album": func(c talk) {
			c.useSession()
			c.send(telegram.WithFile(picture(c.t, 40)), "", 0, telegram.InAlbum("1"))
			c.send(telegram.WithFile(picture(c.t, 50)), "Before and after.", 0, telegram.InAlbum("1"))
			c.sends(telegram.WithFile(picture(c.t, 60)), "Another one.", 0)
			c.wantGiven("Before and after. [photo.jpg image/jpeg 1] [photo.jpg image/jpeg 1]", "Another one. [photo.jpg image/jpeg 1]")
		},
		"unfit": func(c talk) {
			c.useSession()
			use := c.last().ID
			c.sends(telegram.WithFile(telegram.Document{Name: "dump.sql", Mime: "text/plain", Data: make([]byte, question.MaxFiles+1)}), "", 0)
			c.sends(telegram.WithFile(telegram.Document{Name: "all.zip", Mime: "application/zip", Data: []byte("PK\x03\x04\x00\xff")}), "", 0)
			c.sends(telegram.WithContent("sticker", `{"file_id":"s1","emoji":"👍"}`), "", 0)
			c.sends(telegram.WithContent("location", `{"latitude":1,"longitude":2}`), "", use)
			c.sends(telegram.WithFile(note("log.txt", "it broke")), "/abort", 0)
			c.sends(telegram.WithFile(note("log.txt", "it broke")), "/restart now", 0)
			c.wantGiven()
		},
		"no-answer": func(c talk) {
			c.sends(telegram.WithFile(picture(c.t, 40)), "", 0)
			c.sends(telegram.WithFile(picture(c.t, 50)), "", 0)
			_, call := c.ask(projectName())
			c.sends(telegram.WithFile(picture(c.t, 60)), "The Bridge", c.last().ID)
			c.sends(telegram.WithContent("sticker", `{"file_id":"s1"}`), "", 0)
			c.unanswered(call)
			c.say("The Bridge", 0)
			c.got(call, []string{"The Bridge"})
			c.wantGiven()
		},
	}
}

func TestFiled(t *testing.T) {
	inLanguages(t, "remote-files-", filed(), nil, talk.told)
}

// The parts of an album that come before a restart are not lost by it.
func TestAnAlbumOutlivesARestart(t *testing.T) {
	driving(t, opencode.VersionOld, nil, func(c talk) {
		c.useSession()
		c.send(telegram.WithFile(picture(t, 40)), "Both.", 0, telegram.InAlbum("1"))
		c.wait(time.Second)
		c.halt()
		c.wantGiven()
		c.send(telegram.WithFile(picture(t, 50)), "", 0, telegram.InAlbum("1"))
		c.start()
		c.wait(20 * time.Second)
		c.wantGiven("Both. [photo.jpg image/jpeg 1] [photo.jpg image/jpeg 1]")
	})
}

// In a group nothing is said of what is not for a session, and once of an album of
// somebody who may not drive it.
func TestFilesInAGroup(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules.toml")
	text := "[remote]\nroles = \"lead\"\n[[person]]\nid = 42\nname = \"Ada\"\nroles = \"lead\"\n[[person]]\nid = 43\nname = \"Bob\"\nroles = \"dev\"\n"
	if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	configured := func(c *config) {
		c.Rules = rules
		withGroup(team)(c)
	}
	driving(t, opencode.VersionNew, configured, func(c talk) {
		c.telegram.AddChat(telegram.Chat{ID: team, Type: telegram.Supergroup, Title: "Team", Members: []int64{ada, bob, eve}, BotAdmin: true})
		c.sayIn(ada, team, "/use@hermes_bot fix checkout", 0)
		use := telegram.ReplyTo(c.lastIn(team).ID)
		say := func(who int64, what telegram.SayOption, how ...telegram.SayOption) {
			if _, err := c.telegram.Say(who, team, "", append(how, what)...); err != nil {
				t.Fatal(err)
			}
		}
		bots := func() int {
			c.wait(20 * time.Second)
			return len(slices.DeleteFunc(c.telegram.Messages(team), func(m telegram.Message) bool { return !m.FromBot }))
		}
		before := bots()
		say(ada, telegram.WithFile(picture(t, 40)))
		say(ada, telegram.WithContent("sticker", `{"file_id":"s1"}`))
		say(eve, telegram.WithFile(picture(t, 40)), use)
		if n := bots(); n != before {
			t.Errorf("something was said:\n%s", c.telegram.Transcript(team))
		}
		for range 3 {
			say(bob, telegram.WithFile(picture(t, 40)), telegram.InAlbum("1"), use)
		}
		if n := bots(); n != before+1 || !strings.Contains(c.lastIn(team).Text, "lead") {
			t.Errorf("the refusal:\n%s", c.telegram.Transcript(team))
		}
		c.wantGiven()
		say(ada, telegram.WithFile(picture(t, 40)), use)
		c.wait(20 * time.Second)
		c.wantGiven(" [photo.jpg image/jpeg 1]")
	})
}

// A file that Telegram does not give out now is sent when it does.
func TestFilesThatCannotBeFetched(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.useSession()
		c.telegram.SetFault(func(call telegram.Call) telegram.Fault {
			if call.Method == "getFile" {
				return telegram.Fault{Kind: telegram.BadGateway}
			}
			return telegram.Fault{}
		})
		c.sends(telegram.WithFile(note("log.txt", "it broke")), "Look.", 0)
		c.screen("Telegram does not give log.txt out now. Your prompt is kept")
		c.wantGiven()
		c.telegram.SetFault(nil)
		c.wait(2 * time.Minute)
		c.wantGiven("Look. [log.txt text/plain 1]")
	})
}
