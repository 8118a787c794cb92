//go:build e2e

package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hermes/e2e/lab"
	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/opencode/link"
)

// TestLink_Boundary shows what crosses the link to a real OpenCode: no text that it would run
// or read past its permissions, and back from it no secret.
func TestLink_Boundary(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		var wire recorder
		d, _ := linkThrough(t, version, lab.Serve, guarded(), func(event.Event) {}, wire.around)
		b := &boundary{driven: d, secret: filepath.Join(d.Home, "secret.txt"), mark: filepath.Join(d.Home, "mark")}
		for path, content := range map[string]string{b.secret: canary("file"), filepath.Join(d.Dir, "inside.txt"): canary("inside")} {
			if err := os.WriteFile(path, []byte(content+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := d.drive.Create(t.Context(), "From afar")
		if err != nil {
			t.Fatal(err)
		}
		b.session = s.ID
		for _, part := range []struct {
			name string
			play func(*testing.T)
		}{
			{"texts that mean nothing else are given", b.plain},
			{"texts that OpenCode would run or read are not", b.refused},
			{"calls of another form are not made", b.otherCalls},
			{"no secret crosses", func(t *testing.T) { b.noSecret(t, &wire) }},
			{"without the plugin they would be run and read", b.control},
		} {
			t.Run(part.name, func(t *testing.T) {
				d.SpeakTo(t)
				d.t = t
				part.play(t)
			})
		}
		d.SpeakTo(t)
	})
}

// canary is a text that must not cross.
func canary(place string) string { return "canary-of-" + place + "-7f3a" }

// guarded is an OpenCode whose agent may do nothing, and that has secrets wherever it
// takes some.
func guarded() lab.Options {
	auth, _ := json.Marshal(map[string]any{"openai": map[string]string{"type": "api", "key": canary("auth")}})
	return lab.Options{
		Env:   []string{"ANTHROPIC_API_KEY=" + canary("environment")},
		Files: map[string]string{"../../.local/share/opencode/auth.json": string(auth)},
		Config: func(config map[string]any) {
			config["permission"] = map[string]any{"bash": "deny", "edit": "deny", "read": "deny", "external_directory": "deny", "webfetch": "deny"}
			options := config["provider"].(map[string]any)["scripted"].(map[string]any)["options"].(map[string]any)
			options["apiKey"], options["headers"] = canary("key"), map[string]any{"X-Secret": canary("header")}
			config["agent"].(map[string]any)["keeper"] = map[string]any{"mode": "primary", "description": "keeps", "prompt": canary("prompt")}
			config["mcp"] = map[string]any{
				"far":  map[string]any{"type": "remote", "url": "http://127.0.0.1:9/mcp", "headers": map[string]any{"X": canary("mcp-header")}},
				"near": map[string]any{"type": "local", "command": []string{"false"}, "environment": map[string]any{"X": canary("mcp-environment")}},
			}
			commands := config["command"].(map[string]any)
			for name, template := range map[string]string{
				"greet": "Greet $ARGUMENTS.", "pair": "First $1, then $2.", "bare": "Do your work.", "span": "Explain `$ARGUMENTS` and `touch $MARK` to me.",
				"log": "See !`echo $ARGUMENTS`.", "logs": "See !`date` and\n!`echo a\necho $1`.", "doc": "See @docs/$1.", "any": "See @$ARGUMENTS now.", "secret": canary("template"),
			} {
				commands[name] = map[string]any{"template": template}
			}
		},
	}
}

type boundary struct {
	*driven

	session      session.ID
	secret, mark string // a file outside of the project, and one that must not come to be
}

// texts are texts that OpenCode would expand, and commands that would have it do so.
func (b *boundary) texts() [][2]string {
	touch := "touch " + b.mark
	outside, err := filepath.Rel(b.Dir, b.secret)
	if err != nil {
		b.t.Fatal(err)
	}
	list := [][2]string{
		{"greet", "Bob !`" + touch + "; id -un` and @" + outside},
		{"init", "!`" + touch + "`"},
		{"review", "!`" + touch + "`"},
		{"review", "fix it!"},
		{"greet", "!`" + touch + "`"},
		{"bare", "!`" + touch + "`"},
		{"pair", "!`" + touch + "`"},
		{"pair", "'!`touch' '" + b.mark + "`'"},
		{"pair", `"!` + "`touch\" \"" + b.mark + "`\""},
		{"greet", "one\n\n!`" + touch + "`"},
		{"greet", "!`\n" + touch + "\n`"},
		{"greet", "a!`" + touch + "`b"},
		{"greet", "`!`" + touch + "`"},
		{"greet", "\\!`" + touch + "`"},
		{"say", "!`" + touch + "`"},
		{"span", "wow!"},
		{"span", "$'"},
		{"span", "$&"},
		{"greet", "$`"},
		{"pair", "$ARGUMENTS !"},
		{"greet", "@" + outside},
		{"greet", "@" + b.secret},
		{"greet", "(@" + b.secret + ")"},
		{"greet", "@~/secret.txt"},
		{"greet", `"a"@` + b.secret},
		{"pair", "x'@inside.txt'"},
		{"bare", "@inside.txt"},
		{"greet", "@./inside.txt"},
		{"greet", "@inside.txt,"},
		{"greet", "@"},
		{"greet", "@."},
		{"greet", "@" + lab.Agent},
		{"init", "@" + b.secret},
		{"review", "@" + b.secret},
		{"greet", "one\n@" + b.secret},
		{"log", touch},
		{"log", "; " + touch},
		{"log", "x\n" + touch},
		{"log", "a && " + touch},
		{"log", "| tee " + b.mark},
		{"logs", "x; " + touch},
		{"logs", "'x; " + touch + "'"},
		{"doc", "../inside.txt"},
		{"any", "inside.txt"},
		{"any", b.secret},
		{"any", "~/secret.txt"},
		{"any", outside},
	}
	return list
}

// plain gives commands texts that are nothing but text.
func (b *boundary) plain(t *testing.T) {
	for _, c := range [][2]string{
		{"greet", `it's "so": 100% #1 ~/x ; && | > (y) {file:z} {env:HOME} <a> file:///etc/passwd [Image 1] \n`}, {"pair", "one two\nthree"}, {"span", "a.b"}, {"bare", "with care"},
	} {
		id, err := b.drive.NextID(t.Context(), b.session)
		if err != nil {
			t.Fatal(err)
		}
		b.Eventually("the command is in the session", func() bool {
			err := b.drive.Prompt(t.Context(), session.Prompt{ID: id, Session: b.session, Command: c[0], Parts: texts(c[1])})
			var e interface{ Temporary() bool } // it may take longer than hermes waits
			if errors.Is(err, session.ErrLateID) {
				return true // the one before came, and went on
			}
			if err != nil && (!errors.As(err, &e) || !e.Temporary()) {
				t.Fatal(err)
			}
			there, err := b.drive.Prompted(t.Context(), b.session, id)
			return there && err == nil
		})
		words := strings.Fields(c[1])
		b.answered(b.session, words[len(words)-1])
	}
}

// refused tries all texts over the link, and past hermes' own check.
func (b *boundary) refused(t *testing.T) {
	before := len(b.Model.Requests())
	for _, c := range b.texts() {
		id, err := b.drive.NextID(t.Context(), b.session)
		if err != nil {
			t.Fatal(err)
		}
		err = b.drive.Prompt(t.Context(), session.Prompt{ID: id, Session: b.session, Command: c[0], Parts: texts(c[1])})
		if !errors.Is(err, session.ErrSigns) && !errors.Is(err, session.ErrNoText) {
			t.Errorf("hermes took /run %s %q: %v", c[0], c[1], err)
		}
		b.wantRefused(t, http.MethodPost, "/session/"+string(b.session)+"/command", map[string]any{"messageID": id, "command": c[0], "arguments": c[1]})
	}
	if lab.Exists(b.mark) {
		t.Error("a text was run")
	}
	if after := b.Model.Requests(); len(after) != before {
		t.Errorf("the model was told %+v", after[before:])
	}
}

// otherCalls tries what a hub that is not hermes might send.
func (b *boundary) otherCalls(t *testing.T) {
	prompt := "/session/" + string(b.session) + "/prompt_async"
	texts := []any{map[string]any{"type": "text", "text": "x"}}
	up := "msg_" + strings.Repeat("/..", 12) + b.mark
	for _, body := range []any{
		[]any{},
		map[string]any{},
		map[string]any{"parts": texts},
		map[string]any{"messageID": up, "parts": texts, "noReply": true},
		map[string]any{"messageID": "msg_1", "parts": []any{map[string]any{"type": "file", "mime": "text/plain", "url": "file://" + b.secret}}},
		map[string]any{"messageID": "msg_1", "parts": []any{map[string]any{"type": "text", "text": "x", "synthetic": true}}},
		map[string]any{"messageID": "msg_1", "parts": []any{map[string]any{"type": "subtask", "agent": "build", "description": "x", "prompt": "x"}}},
		map[string]any{"messageID": "msg_1", "parts": texts, "tools": map[string]bool{"bash": true}},
		map[string]any{"messageID": "msg_1", "parts": texts, "system": "x"},
	} {
		b.wantRefused(t, http.MethodPost, prompt, body)
	}
	for _, path := range []string{"/config", "/provider", "/mcp", "/file/content", "/auth/openai", "/session/" + string(b.session) + "/shell", "/tui/append-prompt"} {
		b.wantRefused(t, http.MethodGet, path, nil)
	}
	if got, _ := filepath.Glob(b.mark + "*"); len(got) > 0 {
		t.Errorf("there is %q", got)
	}
}

// call makes a call over the link that hermes itself may never make.
func (b *boundary) call(t *testing.T, method, path string, body any) (string, error) {
	t.Helper()
	var content io.Reader = http.NoBody
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, "http://opencode"+path, content)
	if err != nil {
		t.Fatal(err)
	}
	res, err := b.Endpoint.Transport.RoundTrip(req)
	if err != nil {
		return "", err
	}
	raw, err := io.ReadAll(res.Body)
	return string(raw), err
}

func (b *boundary) wantRefused(t *testing.T, method, path string, body any) {
	t.Helper()
	var refused *link.CallError
	if got, err := b.call(t, method, path, body); !errors.As(err, &refused) || !refused.Refused {
		t.Errorf("%s %s %v gave %.200s %v", method, path, body, got, err)
	}
}

// noSecret asks for all that hermes may ask for, and reads what has crossed since the link
// was opened.
func (b *boundary) noSecret(t *testing.T, wire *recorder) {
	session := "/session/" + string(b.session)
	models, err := b.drive.Models(t.Context())
	if err != nil || len(models) < 2 {
		t.Errorf("the models are %v, %v", models, err)
	}
	agents, err := b.drive.Agents(t.Context())
	if err != nil || !strings.Contains(strings.Join(agents, " "), "keeper") {
		t.Errorf("the agents are %v, %v", agents, err)
	}
	for _, path := range []string{
		"/global/health", "/question", "/permission", "/session/status", session, session + "/message", session + "/todo", "/session?roots=true", "/agent", "/command", "/config/providers",
	} {
		if _, err := b.call(t, http.MethodGet, path, nil); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if turn, err := b.drive.Turn(t.Context(), b.session); err != nil || turn.Text == "" {
		t.Errorf("the last turn is %+v, %v", turn, err)
	}
	crossed := wire.all()
	for _, must := range []string{"HERMES_PROTOCOL", "canary-of-", "apiKey", "baseURL", "template", "X-Secret"} {
		if at := strings.Index(crossed, must); at >= 0 {
			t.Errorf("%q crossed: %s", must, crossed[max(0, at-100):min(len(crossed), at+100)])
		}
	}
	for _, must := range []string{`"protocol":1`, "keeper", "greet", "scripted"} {
		if !strings.Contains(crossed, must) {
			t.Errorf("%q is not in the %d bytes that crossed", must, len(crossed))
		}
	}
}

// control shows that OpenCode, asked directly, does and tells all that.
func (b *boundary) control(t *testing.T) {
	_, told := b.Call(http.MethodGet, "/config/providers", nil)
	for _, path := range []string{"/agent", "/command", "/config"} {
		_, more := b.Call(http.MethodGet, path, nil)
		told = append(told, more...)
	}
	places := []string{"key", "header", "prompt", "template", "mcp-header", "mcp-environment", "environment", "auth"}
	for _, place := range places {
		if !bytes.Contains(told, []byte(canary(place))) {
			t.Errorf("OpenCode has no %s to tell", canary(place))
		}
	}
	run := func(name, text string) {
		b.Call(http.MethodPost, "/session/"+string(b.session)+"/command", map[string]any{"command": name, "arguments": text})
	}
	run("log", "; touch "+b.mark)
	run("greet", "Bob @"+b.secret)
	if !lab.Exists(b.mark) || b.told(canary("file")) == 0 {
		t.Error("OpenCode neither runs nor reads what is in a command's text")
	}
}

// recorder keeps what crosses, in both directions.
type recorder struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes.Write(p)
}

func (r *recorder) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes.String()
}

func (r *recorder) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(req.Body, r), req.Body}
		next.ServeHTTP(recorded{w, r}, req)
	})
}

type recorded struct {
	http.ResponseWriter
	to io.Writer
}

func (w recorded) Write(p []byte) (int, error) {
	_, _ = w.to.Write(p)
	return w.ResponseWriter.Write(p)
}

func (w recorded) Unwrap() http.ResponseWriter { return w.ResponseWriter }
