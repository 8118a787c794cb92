//go:build e2e

package e2e_test

import (
	"bytes"
	"image"
	"image/png"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/e2e/lab"
	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/internal/testlevel"
	"hermes/opencode"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	"hermes/opencode/v1"
)

// TestClient_Drive shows that a person away from the desk is heard by a real OpenCode: by the
// plain program, which listens nowhere, over the plugin, and by a server directly. The
// model gets the words and the files, the agent stays, and a turn can be stopped.
func TestClient_Drive(t *testing.T) {
	testlevel.FullOnly(t)
	eachVersion(t, func(t *testing.T, version string) {
		t.Run("link", func(t *testing.T) {
			t.Parallel()
			driveAll(t, linkTo(t, version), version)
		})
		t.Run("direct", func(t *testing.T) {
			t.Parallel()
			driveAll(t, serverOf(t, version), version)
		})
	})
}

// driven is a real OpenCode and the client that reaches it.
type driven struct {
	*lab.Instance
	*opencode.Client
	drive *v1.Driver // the client's own
	t     *testing.T
}

// driveToken is the token of the plugin's link.
var driveToken = link.NewToken()

func linkTo(t *testing.T, version string) *driven {
	t.Helper()
	d, _ := linkHeard(t, version, lab.AskForAll, func(event.Event) {})
	return d
}

// linkHeard is linkTo with what is heard over the link.
func linkHeard(t *testing.T, version string, config func(map[string]any), events func(event.Event)) (*driven, *opencode.Gateway) {
	t.Helper()
	return linkThrough(t, version, lab.TUI, lab.Options{Config: config}, events, func(h http.Handler) http.Handler { return h })
}

// linkThrough is linkHeard with an OpenCode of that mode and these options, and with what
// stands before hermes' end of the link.
func linkThrough(
	t *testing.T, version string, mode lab.Mode, opts lab.Options, events func(event.Event), through func(http.Handler) http.Handler,
) (*driven, *opencode.Gateway) {
	t.Helper()
	g := opencode.NewGateway(opencode.Config{
		Events: events, Log: slog.New(slog.DiscardHandler), Link: link.Config{Remote: true, Grace: patience}, // a busy machine may let OpenCode wait
	})
	srv := httptest.NewServer(through(link.Access{Link: func(h link.Hash) (string, bool) {
		return "lab", h == link.HashOf(driveToken)
	}}.GuardLinks(g.Handler())))
	t.Cleanup(srv.Close)
	t.Cleanup(g.Close)
	dir, files := t.TempDir(), maps.Clone(opts.Files)
	if files == nil {
		files = map[string]string{}
	}
	if _, err := plugin.Install(plugin.Options{ConfigDir: dir, URLs: []string{srv.URL}, Token: driveToken}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plugin/hermes.js", "plugin/hermes.json"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(raw)
	}
	opts.Files = files
	d := &driven{Instance: lab.Start(t, version, mode, opts), t: t}
	if mode == lab.Serve { // it loads its plugins when a directory is first asked about
		d.Call(http.MethodGet, "/config", nil)
	}
	d.Eventually("the plugin opens its link", func() bool {
		for _, o := range g.Origins() {
			d.Client, _ = g.Agent(o)
		}
		return d.Client != nil
	})
	d.drive = d.Client.Sessions
	return d, g
}

func serverOf(t *testing.T, version string) *driven {
	t.Helper()
	return serverWith(t, version, lab.AskForAll)
}

func serverWith(t *testing.T, version string, config func(map[string]any)) *driven {
	t.Helper()
	oc := lab.Start(t, version, lab.Serve, lab.Options{Password: "secret", Config: config})
	server := opencode.Server{URL: oc.URL, Username: "opencode", Password: "secret", Transport: http.DefaultTransport}
	client := server.Client(oc.Dir, version)
	return &driven{Instance: oc, t: t, Client: client, drive: client.Sessions}
}

// say prompts the session and returns when the prompt is there.
func (d *driven) say(p session.Prompt) {
	d.t.Helper()
	id, err := d.drive.NextID(d.t.Context(), p.Session)
	if err != nil {
		d.t.Fatal(err)
	}
	p.ID = id
	for range 2 { // as if the first one's outcome were not known
		if err := d.drive.Prompt(d.t.Context(), p); err != nil {
			d.t.Fatal(err)
		}
		d.Eventually("the prompt is in the session", func() bool {
			there, err := d.drive.Prompted(d.t.Context(), p.Session, id)
			return there && err == nil
		})
	}
}

// answered waits until the session rests with these last words.
func (d *driven) answered(sessionID session.ID, words string) session.Turn {
	d.t.Helper()
	var turn session.Turn
	d.Eventually("the agent says "+words, func() bool {
		var err error
		turn, err = d.drive.Turn(d.t.Context(), sessionID)
		return err == nil && !turn.Session.Busy && strings.Contains(turn.Text, words)
	})
	return turn
}

// picture is a small image: OpenCode looks into those that it gets.
func picture(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const askColour = `CALL question {"questions":[{"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}]}]}`

func texts(text string) []session.Part { return []session.Part{{Text: text}} }

// madeOnce makes a session twice for the same moment, which is one session that has no
// title until its first prompt gives it one.
func madeOnce(t *testing.T, d *driven) {
	at := time.Now()
	first, err := d.drive.CreateOnce(t.Context(), at)
	if err != nil || first.Title != "" {
		t.Fatalf("made %+v, %v", first, err)
	}
	again, err := d.drive.CreateOnce(t.Context(), at)
	if err != nil || again.ID != first.ID || again.Directory != first.Directory {
		t.Errorf("made %+v and %+v, %v", first, again, err)
	}
	d.say(session.Prompt{Session: first.ID, Agent: "build", Model: session.Model{Provider: "scripted", ID: "scripted"}, Parts: texts("hello again")})
	d.Eventually("the session gets a title", func() bool {
		now, err := d.drive.Session(t.Context(), first.ID)
		return err == nil && now.Title != ""
	})
}

func driveAll(t *testing.T, d *driven, version string) {
	s, err := d.drive.Create(t.Context(), "From afar")
	if err != nil {
		t.Fatal(err)
	}
	d.say(session.Prompt{Session: s.ID, Agent: "plan", Model: session.Model{Provider: "scripted", ID: "second"}, Parts: []session.Part{
		{Text: "hello from afar"},
		{Name: "notes.md", Mime: "text/markdown", Data: []byte("# a note")},
		{Name: "p.png", Mime: "image/png", Data: picture(t)},
	}})
	turn := d.answered(s.ID, "hello from afar")
	if !strings.Contains(turn.Text, "# a note") || !strings.Contains(turn.Text, "p.png") || turn.Agent != "plan" || turn.Model.ID != "second" || turn.Tokens == 0 {
		t.Errorf("the first turn is %+v", turn)
	}
	d.say(session.Prompt{Session: s.ID, Parts: []session.Part{{Name: "alone.png", Mime: "image/png", Data: picture(t)}}})
	d.answered(s.ID, "alone.png")
	d.say(session.Prompt{Session: s.ID, Command: "say", Parts: texts("by a command")})
	if turn := d.answered(s.ID, "by a command"); turn.Agent != "plan" {
		t.Errorf("the command was run by %s", turn.Agent)
	}
	d.say(session.Prompt{Session: s.ID, Agent: "build", Parts: texts(askColour)})
	d.Eventually("the agent asks", func() bool { list, _ := d.Questions(t.Context()); return len(list) == 1 })
	d.say(session.Prompt{Session: s.ID, Parts: texts("while it waits")})
	if err := d.drive.Abort(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	d.Eventually("the session is stopped", func() bool { s, err := d.drive.Session(t.Context(), s.ID); return err == nil && !s.Busy })
	d.say(session.Prompt{Session: s.ID, Parts: texts("after the stop")})
	if turn := d.answered(s.ID, "after the stop"); turn.Aborted || turn.Ended.Before(turn.Began) || time.Since(turn.Began) > time.Hour {
		t.Errorf("the last turn is %+v", turn)
	}
	list, err := d.drive.Sessions(t.Context(), 5)
	if err != nil || len(list) != 1 || list[0].ID != s.ID {
		t.Errorf("listed %+v, %v", list, err)
	}
	if n := d.told("hello from afar"); n != 1 {
		t.Errorf("the model was first told so %d times", n)
	}
	madeOnce(t, d)
}

// told counts the requests of the model whose last message has the words: those that
// led to an answer, without the ones for a title.
func (d *driven) told(words string) int {
	n := 0
	for _, r := range d.Model.Requests() {
		if last := r.Messages[len(r.Messages)-1]; last.Role == "user" && strings.Contains(last.Text, words) && len(r.Tools) > 0 {
			n++
		}
	}
	return n
}
