package daemon_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
)

const sttKey = "stt-canary"

// dictates lets voice messages be written down.
func dictates(c *config.Config) {
	c.STTURL, c.STTKey, c.STTModel = "https://stt.test/v1", sttKey, "whisper-1"
}

// spoken is a voice message in which this is said.
func spoken(text string) telegram.Document {
	return telegram.Document{Kind: telegram.AsVoice, Mime: "audio/ogg", Data: []byte(text)}
}

// scribe is a server that writes down what is said in files of spoken. heard is told of
// each; it may be nil.
func scribe(heard func()) http.RoundTripper {
	return rig.RoundTripper(func(req *http.Request) (*http.Response, error) {
		resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}}
		file, _, err := req.FormFile("file")
		if err != nil || req.Header.Get("Authorization") != "Bearer "+sttKey || req.URL.Path != "/v1/audio/transcriptions" {
			resp.StatusCode = http.StatusBadRequest
			resp.Body = io.NopCloser(strings.NewReader(sttKey))
			return resp, nil
		}
		said, err := io.ReadAll(file)
		if err != nil {
			return nil, err
		}
		answer, err := json.Marshal(map[string]string{"text": string(said)})
		if heard != nil {
			heard()
		}
		if strings.Contains(string(said), "mumble") {
			resp.StatusCode = http.StatusInternalServerError
		}
		resp.Body = io.NopCloser(strings.NewReader(string(answer)))
		return resp, err
	})
}

// voiced are what people live through who speak.
func voiced() map[string]func(rig.Talk) {
	return map[string]func(rig.Talk){
		"heard": func(c rig.Talk) {
			c.UseSession()
			use := c.Last().ID
			c.Sends(telegram.WithFile(spoken("Now the <b>tests</b>,\nplease.")), "", 0)
			c.Sends(telegram.WithFile(spoken("And the docs.")), "Listen:", use)
			c.Sends(telegram.WithFile(spoken(" ")), "", 0)
			c.Sends(telegram.WithFile(spoken("mumble")), "", 0)
			c.WantPrompts("Now the <b>tests</b>,\nplease.", "Listen:\nAnd the docs.")
		},
		"no-answer": func(c rig.Talk) {
			_, call := c.Ask(rig.ProjectNameQuestion())
			c.Sends(telegram.WithFile(spoken("The Bridge")), "", c.Last().ID)
			c.WantNoAnswer(call)
			c.WantPrompts()
		},
		"deaf": func(c rig.Talk) {
			c.Halt()
			c.Config.STTURL, c.Config.STTKey = "", ""
			c.Start()
			c.UseSession()
			c.Sends(telegram.WithFile(spoken("Now the tests.")), "", 0)
			c.Sends(telegram.WithFile(telegram.Document{Kind: telegram.AsAudio, Name: "memo.mp3", Mime: "audio/mpeg", Data: []byte("la")}), "", 0)
			c.WantPrompts()
		},
	}
}

func TestSessions_Voice(t *testing.T) {
	inLanguages(t, "remote-voice-", voiced(), dictates, func(c rig.Talk, play func(rig.Talk)) string {
		c.Halt()
		c.Voice = scribe(nil)
		c.Start()
		return c.TranscriptOf(play)
	})
}

// Texts that are written after a voice message are sent after it, however long it takes
// to write it down, and it is written down once.
func TestSessions_VoicesKeepTheirPlace(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, dictates, func(c rig.Talk) {
		c.Halt()
		heard := 0
		c.Voice = scribe(func() { heard++; time.Sleep(time.Minute) })
		c.Start()
		c.UseSession()
		c.Send(telegram.WithFile(spoken("first")), "", 0)
		c.Say("second", 0)
		c.WantPrompts()
		c.Wait(2 * time.Minute)
		c.WantPrompts("first", "second")
		if heard != 1 {
			t.Errorf("written down %d times", heard)
		}
		if entries := c.Journal(storage.EntryHeard); len(entries) != 1 || entries[0].Note != "first" {
			t.Errorf("the journal has %+v", entries)
		}
	})
}

// Voices may go in the clear, but not without a word, and not to this machine's own.
func TestSessions_VoicesInTheClear(t *testing.T) {
	for url, want := range map[string]int{"http://stt.lan:8000/v1": 1, "http://127.0.0.1:8000/v1": 0, "https://stt.example/v1": 0} {
		testenv.Isolate(t)
		c, err := rig.LoadFile(t, rig.WellFormed+"HERMES_STT_URL="+url+"\n")
		if err != nil || len(c.Warnings) != want || want > 0 && !strings.HasPrefix(c.Warnings[0], "HERMES_STT_URL: is not https://") {
			t.Errorf("%s: %v, %v", url, c.Warnings, err)
		}
	}
}
