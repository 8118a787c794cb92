package daemon_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
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
