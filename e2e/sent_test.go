//go:build e2e

package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/simulate/telegramsim"
)

// TestSent shows that what people send beside texts is heard by a real OpenCode's model,
// once: files that are shown as one, and a voice message.
func TestSent(t *testing.T) {
	t.Parallel()
	bin := buildHermes(t)
	for _, version := range lab.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			sendAll(t, bin, version)
		})
	}
}

func sendAll(t *testing.T, bin, version string) {
	p := newPhone(t)
	h := newHermes(t, bin, p.url)
	win := openWindow(t, version, direct, "shop-api", h)
	h.env["HERMES_OPENCODE_URLS"], h.env["HERMES_OPENCODE_PASSWORD"] = win.URL, password
	h.start(t, "HERMES_STT_URL="+scribe(t), "HERMES_IDLE_DELAY=1s")
	p.say("/start", 0)
	p.reaches()
	p.say("/new", 0)
	p.hears("A new session.")

	p.send("", telegramsim.Document{Name: "one.txt", Mime: "text/plain", Data: []byte("the first file")}, "album")
	p.send("read these", telegramsim.Document{Name: "two.txt", Mime: "text/plain", Data: []byte("the second file")}, "album")
	p.hears("read these", "the first file", "the second file")
	p.send("", telegramsim.Document{Kind: telegramsim.AsVoice, Mime: "audio/ogg", Data: []byte("said aloud")}, "")
	p.hears("🎤 said aloud")
	p.hears("💤", "said aloud")

	for _, words := range []string{"read these", "said aloud"} {
		if got := givenIn(win.Model.Requests(), words); len(got) != 1 {
			t.Errorf("the model was given %q, want one with %q", got, words)
		}
	}
}

// reaches asks until hermes reaches an OpenCode: one that has just begun takes seconds
// to say what waits there.
func (p *phone) reaches() {
	p.t.Helper()
	for range 60 {
		before := len(p.telegram.Messages(ada))
		p.say("/status", 0)
		p.await("an answer", func() bool { return len(p.telegram.Messages(ada)) > before+1 })
		all := p.telegram.Messages(ada)
		if strings.Contains(all[len(all)-1].Text, "OpenCode is reached in directories: 1") {
			return
		}
	}
	p.t.Fatal("hermes does not reach OpenCode")
}

// send sends a file to the bot; all with the same album are shown as one.
func (p *phone) send(caption string, d telegramsim.Document, album string) {
	p.t.Helper()
	if _, err := p.telegram.Say(ada, ada, caption, telegramsim.WithFile(d), telegramsim.InAlbum(album)); err != nil {
		p.t.Fatal(err)
	}
}

// hears waits for a message of the bot with all of these words.
func (p *phone) hears(words ...string) {
	p.t.Helper()
	p.await("a message with "+strings.Join(words, " and "), func() bool {
		for _, m := range p.telegram.Messages(ada) {
			has := m.FromBot
			for _, word := range words {
				has = has && strings.Contains(m.Text, word)
			}
			if has {
				return true
			}
		}
		return false
	})
}

// scribe is a server that takes the bytes of a sound file for what is said in it.
func scribe(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, _, err := r.FormFile("file")
		if err != nil || r.URL.Path != "/v1/audio/transcriptions" || r.FormValue("model") != "whisper-1" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		said, _ := io.ReadAll(file)
		_ = json.NewEncoder(w).Encode(map[string]string{"text": string(said)}) // what does not arrive is asked for again
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/v1"
}
