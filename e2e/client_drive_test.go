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

	"hermes/e2e/lab"
	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/opencode"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	v1 "hermes/opencode/v1"
)

// driven is a real OpenCode and the client that reaches it.
type driven struct {
	*lab.Instance
	*opencode.Client
	drive *v1.Driver // the client's own
	t     *testing.T
}

// driveToken is the token of the plugin's link.
var driveToken = link.NewToken()

// linkHeard is a real OpenCode with the plugin, and the hub that its link leads to; events is told what comes over it.
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
	d.drive = v1.NewDriver(d.Client.Endpoint, version, 0)
	return d, g
}

func serverWith(t *testing.T, version string, config func(map[string]any)) *driven {
	t.Helper()
	oc := lab.Start(t, version, lab.Serve, lab.Options{Password: "secret", Config: config})
	server := opencode.Server{URL: oc.URL, Username: "opencode", Password: "secret", Transport: http.DefaultTransport}
	client := server.Client(oc.Dir, version)
	return &driven{Instance: oc, t: t, Client: client, drive: v1.NewDriver(client.Endpoint, version, 0)}
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

func texts(text string) []session.Part { return []session.Part{{Text: text}} }

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
