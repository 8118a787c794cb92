package daemon_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"
	"time"

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
			wantPromptParts(c, "What is wrong here, @asker? [photo.jpg image/jpeg 1]", " [log.txt text/plain 1]", "For later. [photo.jpg image/jpeg 1]")
		},
		"album": func(c rig.Talk) {
			c.UseSession()
			c.Send(telegram.WithFile(picture(c.T, 40)), "", 0, telegram.InAlbum("1"))
			c.Send(telegram.WithFile(picture(c.T, 50)), "Before and after.", 0, telegram.InAlbum("1"))
			c.Wait(20 * time.Second)
			c.Sends(telegram.WithFile(picture(c.T, 60)), "Another one.", 0)
			wantPromptParts(c, "Before and after. [photo.jpg image/jpeg 1] [photo.jpg image/jpeg 1]", "Another one. [photo.jpg image/jpeg 1]")
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
			wantPromptParts(c)
		},
		"nowhere": func(c rig.Talk) { // no session is in use
			c.Sends(telegram.WithContent("sticker", `{"file_id":"s1","emoji":"👍"}`), "", 0)
			c.Sends(telegram.WithFile(picture(c.T, 40)), "What is wrong here?", 0)
			wantPromptParts(c)
			restartAfter(c.Rig, time.Second, time.Second, true)
			c.Tap("shop-api · fix checkout flow")
			c.Wait(20 * time.Second)
			c.Send(telegram.WithFile(picture(c.T, 40)), "", 0, telegram.InAlbum("1"))
			c.Send(telegram.WithFile(picture(c.T, 50)), "Before and after.", 0, telegram.InAlbum("1"))
			c.Wait(20 * time.Second)
			c.Tap("shop-api · fix checkout flow")
			c.Wait(20 * time.Second)
			wantPromptParts(c, "What is wrong here? [photo.jpg image/jpeg 1]", "Before and after. [photo.jpg image/jpeg 1] [photo.jpg image/jpeg 1]")
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
			wantPromptParts(c)
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
		wantPromptParts(c)
		c.Send(telegram.WithFile(picture(t, 50)), "", 0, telegram.InAlbum("1"))
		c.Start()
		c.Wait(20 * time.Second)
		wantPromptParts(c, "Both. [photo.jpg image/jpeg 1] [photo.jpg image/jpeg 1]")
	})
}

// promptParts are the prompts with their files, in words: "text [name type bytes] …".
func promptParts(c rig.Talk) []string {
	var all []string
	for _, p := range c.Opencode.Prompts() {
		words := []string{p.Text}
		for _, f := range p.Files {
			words = append(words, "["+f.Name+" "+f.Mime+" "+string(rune('0'+min(len(f.Data), 1)))+"]")
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

// wantPromptParts fails the test unless the sessions got these texts and files.
func wantPromptParts(c rig.Talk, want ...string) {
	c.T.Helper()
	if got := promptParts(c); !slices.Equal(got, want) {
		c.T.Errorf("the session was given %q, want %q\n%s\nlog:\n%s", got, want, c.Telegram.History(rig.Ada), c.Log.String())
	}
}
