package opencode2sim_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/opencodesim/model"
)

// captured is the model of the captures: it calls the tools that a prompt names, and
// says "done: " and the last thing that it was told.
type captured struct{}

func (captured) Act(prompt string) []model.Action {
	var actions []model.Action
	var manner model.Action
	for _, line := range strings.Split(prompt, "\n") {
		verb, rest, _ := strings.Cut(line, ":")
		switch tool, args, _ := strings.Cut(rest, ":"); verb {
		case "CALL":
			actions = append(actions, model.Action{Tool: tool, Args: json.RawMessage(args)})
		case "SLEEP", "SLOW":
			manner.Delay, _ = time.ParseDuration(rest + "s")
		case "FAIL":
			fmt.Sscan(rest, &manner.Status)
		}
	}
	switch {
	case actions != nil:
		return actions
	case strings.HasPrefix(prompt, "SLOW:"):
		return []model.Action{{Text: "done: "}, {Text: prompt, Delay: manner.Delay}}
	}
	manner.Text = "done: " + prompt
	return []model.Action{manner}
}

func (captured) Echo(results []string) string { return "done: " + results[len(results)-1] }

func (captured) Title(prompt string) string {
	line, _, _ := strings.Cut(prompt, "\n")
	return "done: " + line
}

// capturedOptions are the server of the captures.
func capturedOptions() opencode2sim.Options {
	const project = "121dc5a9c92ae260365db7f23cbd3868e4030d45"
	return opencode2sim.Options{
		Shape: opencode2sim.Preview, Home: "/home/u", Model: captured{}, Models: []string{"fake/fake"}, ModelLag: time.Second,
		Missing:  []string{"/home/u/none"},
		Projects: map[string]string{"/home/u/a": project, "/home/u/b": project},
		Agents:   []opencode2sim.Agent{{Name: "mine", Mode: "primary"}},
		Shell:    capturedShell,
	}
}

// capturedShell is what the commands of the captures printed.
func capturedShell(command string) string {
	switch text, isEcho := strings.CutPrefix(command, "echo "); {
	case isEcho:
		return text + "\n"
	case command == "ls":
		return "note.txt\nopencode.json\n"
	case strings.HasPrefix(command, "git log"):
		return "commit 121dc5a9c92ae260365db7f23cbd3868e4030d45\nAuthor: x <x@x>\nDate:   Sun Nov 22 02:02:33 2026 +0000\n\n    init\n"
	}
	return ""
}

// wish is what the MCP tool of capture 12 asked for.
func wish(visit bool) opencode2sim.Elicited {
	if visit {
		return opencode2sim.Elicited{Message: "Please visit", URL: "https://example.com/auth"}
	}
	var fields []map[string]any
	_ = json.Unmarshal([]byte(`[
		{"key":"size","title":"Size","required":true,"type":"string","options":[{"value":"S","label":"Small"},{"value":"M","label":"Medium"}],"custom":false},
		{"key":"n","title":"How many","required":true,"type":"integer","minimum":1,"maximum":9},
		{"key":"w","title":"w","type":"number"},
		{"key":"gift","title":"Gift?","type":"boolean","default":false},
		{"key":"mail","title":"mail","type":"string","format":"email"},
		{"key":"tags","title":"tags","type":"multiselect","options":[{"value":"a","label":"a"},{"value":"b","label":"b"}],"custom":false}]`), &fields)
	return opencode2sim.Elicited{Message: "Order details", Fields: fields}
}

// replay plays captures against one simulator, as they were made with one server.
type replay struct {
	*testing.T
	sim    *opencode2sim.Simulator
	beside *opencode2sim.Simulator // in capture 11
	alike  *alike
	heard  collector
	api    *document
	other  map[string]bool // sessions of which a request was left out
}

// TestCaptures plays every request of the captures and compares the answers, and then the
// events of every session with those that were captured.
func TestCaptures(t *testing.T) {
	hi := capturedOptions()
	hi.Commands = []opencode2sim.Command{{Name: "hi", Template: "Say hi to $ARGUMENTS", Description: "greets"}}
	hi.Changes = []opencode2sim.Change{
		{File: ".opencode/commands/hi.md", Additions: 4, Status: "added"},
		{File: "note.txt", Additions: 2, Status: "added"},
		{File: "opencode.json", Additions: 1, Status: "added"},
	}
	playCaptures(t, hi, []string{"15-misc"}, "15-misc")
	playCaptures(t, capturedOptions(),
		[]string{
			"02-question-turn", "04-form-cancel-interrupt", "05-permissions", "06-prompts", "07-subagent-list-log",
			"08-restart-1", "08-restart-2", "08-restart-3", "10-tui", "12-mcp-elicitation",
		},
		"01-discovery", "02-question-turn", "03-form-replies", "04-form-cancel-interrupt", "05-permissions", "06-prompts",
		"07-subagent-list-log", "08-restart", "10-tui", "11-run-serve-standalone", "12-mcp-elicitation",
		"17-detect-1x-vs-2x", "19-edge-inputs")
}

func playCaptures(t *testing.T, o opencode2sim.Options, events []string, names ...string) {
	synctest.Test(t, func(t *testing.T) {
		r := &replay{T: t, sim: opencode2sim.New(o), alike: newAlike(), api: readDocument(t), other: map[string]bool{}}
		defer r.sim.Stop()
		serve := o
		serve.Home = "/home/u/b"
		r.beside = r.sim.Beside(serve)
		defer r.beside.Stop()
		r.heard.attach(t, r.sim)
		for _, name := range names {
			section := ""
			all := readCapture(t, name)
			for i, x := range all {
				if x.section != section {
					section = x.section
					time.Sleep(5 * time.Second)
				}
				if r.leaveOut(x) {
					continue
				}
				r.foresee(x, all[i+1:])
				r.before(name, x)
				r.play(name, x)
			}
		}
		synctest.Wait()
		r.heard.mu.Lock()
		defer r.heard.mu.Unlock()
		for _, f := range r.heard.frames {
			if wrong := r.api.event(f); wrong != nil {
				t.Errorf("event against the document: %v", wrong)
			}
		}
		r.compareEvents(capturedEvents(t, events...), r.heard.frames)
	})
}

// unsent are requests that hermes does not make: the simulator does not know their routes.
var unsent = regexp.MustCompile(`^/openapi.json|^/api/(server|location|provider|mcp|vcs/status|question/request|service/stop|permission/saved)` +
	`|/(synthetic|rename|shell|wait|fork|context|log)(\?|$)|[?&](search|auth_token)=`)

// leaveOut reports whether a request is not played. Instead of the code that called an MCP server's tool, the server asks by itself.
func (r *replay) leaveOut(x exchange) bool {
	ids := namedIDs.FindStringSubmatch(x.path)
	switch {
	case x.sent != nil && strings.Contains(*x.sent, "CALL:execute"):
		r.sim.Elicit("/home/u/b", "elicitor", wish(strings.Contains(*x.sent, "true")))
	case x.sent != nil && strings.Contains(*x.sent, "file://"):
	case x.status != "415" && !unsent.MatchString(x.path): // 415: of text/plain
		return false
	}
	if ids != nil && x.method != http.MethodGet {
		r.other[ids[1]] = true
	}
	return true
}

// before does what happened between two requests of a capture and is not in its transcript.
func (r *replay) before(name string, x exchange) {
	open := r.sim.Pending("/home/u/a")
	switch {
	case name == "05-permissions" && x.section == "ASK + lists + ONCE" && x.n == 0: // the race at the end of capture 04
		r.sim.AnswerAtTUI(open[0], [][]string{{"c1"}})
	case strings.HasPrefix(x.section, "GRACEFUL RESTART") && x.n == 0:
		r.sim.Restart()
		r.heard.attach(r.T, r.sim)
	case strings.HasPrefix(x.section, "KILL -9") && x.n == 2:
		r.sim.Kill()
		r.sim.Start()
		r.heard.attach(r.T, r.sim)
	case strings.HasPrefix(x.section, "dismiss in the TUI") && x.n == 0:
		r.sim.AnswerAtTUI(open[0], [][]string{{"red"}})
	case strings.HasPrefix(x.section, "permission while the TUI") && x.n == 0:
		r.sim.RejectAtTUI(open[0])
	}
}

// foresee names the forms and permissions that the next step takes away, and that later
// requests are about.
func (r *replay) foresee(x exchange, rest []exchange) {
	restart := strings.HasPrefix(x.section, "GRACEFUL") && x.n == 0 || strings.HasPrefix(x.section, "KILL -9") && x.n == 2
	if !restart && !strings.HasSuffix(x.path, "/interrupt") {
		return
	}
	for _, later := range rest {
		if later.section == x.section {
			r.path(later)
		}
	}
}

// server is the process that a request of capture 11 went to.
func (r *replay) server(x exchange) *opencode2sim.Simulator {
	if strings.HasPrefix(x.section, "serve (foreground)") || strings.HasPrefix(x.section, "two servers") && x.n >= 2 && x.n <= 6 {
		return r.beside
	}
	return r.sim
}

func (r *replay) play(name string, x exchange) {
	status, body := r.send(x)
	where := fmt.Sprintf("%s, %q %d: %s %s", name, x.section, x.n, x.method, x.path)
	if fmt.Sprint(status) != x.status {
		r.Errorf("%s\n  captured status %s, got %d %s", where, x.status, status, body)
		return
	}
	if wrong := r.api.answer(x.method, x.path, x.status, body); wrong != nil {
		r.Errorf("%s\n  against the document: %v", where, wrong)
	}
	if strings.Contains(x.got, "InvalidRequestError") {
		return // in words that hermes does not read
	}
	var want, got any
	if json.Unmarshal([]byte(x.got), &want) != nil {
		return // cut off, or no JSON
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		r.Errorf("%s\n  captured %s, got %s", where, x.got, body)
		return
	}
	ids := namedIDs.FindStringSubmatch(x.path)
	if strings.HasPrefix(x.section, "empty text") || ids != nil && r.other[ids[1]] { // two repeats came before: one or two empty busy periods
		withoutSeq(want)
		withoutSeq(got)
	}
	if d := r.alike.differ("", want, got); d != "" {
		r.Errorf("%s\n  %s", where, d)
	}
}

func withoutSeq(body any) {
	o, _ := body.(map[string]any)
	if inner, ok := o["data"].(map[string]any); ok {
		delete(inner, "admittedSeq")
	}
}

func (r *replay) send(x exchange) (int, string) {
	r.Helper()
	var body io.Reader
	if x.sent != nil {
		body = strings.NewReader(r.alike.translate(*x.sent))
	}
	req, err := http.NewRequest(x.method, "http://opencode"+r.path(x), body)
	if err != nil {
		r.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if strings.HasSuffix(x.section, "header") && x.n == 5 {
		req.Header.Set("X-Opencode-Directory", "/home/u/a")
	}
	r.credentials(req, x)
	return r.do(r.server(x), req)
}

func (r *replay) do(sim *opencode2sim.Simulator, req *http.Request) (int, string) {
	res, err := sim.Transport().RoundTrip(req)
	if err != nil {
		r.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		r.Fatal(err)
	}
	return res.StatusCode, string(bytes.TrimSpace(raw))
}

// credentials are what the headings of captures 01 and 17 say.
func (r *replay) credentials(req *http.Request, x exchange) {
	switch {
	case strings.Contains(x.path, "auth_token"):
		req.URL.RawQuery = "auth_token=" + base64.StdEncoding.EncodeToString([]byte("opencode:secret"))
	case x.section == "no credentials" || x.section == "without credentials":
	case x.status != "401":
		req.SetBasicAuth("opencode", "secret")
	case x.n == 0:
		req.SetBasicAuth("admin", "secret")
	case x.n == 1:
		req.SetBasicAuth("opencode", "wrong")
	default:
		req.Header.Set("Authorization", "Bearer secret")
	}
}

var namedIDs = regexp.MustCompile(`^/api/session/(ses_\w+|global)(?:/(form|permission)/((?:frm|per)_\w+))?`)

// path is a captured path with the simulator's ids. An id that only an event had told is
// that of the subagent, the form or the permission that is there and was not named yet.
func (r *replay) path(x exchange) string {
	ids := namedIDs.FindStringSubmatch(x.path)
	if ids == nil {
		return r.alike.translate(x.path)
	}
	if ids[1] != "global" {
		r.guess(ids[1], r.names("/api/session?limit=1000", "parentID"))
	}
	if ids[3] != "" {
		list := "/api/session/" + r.alike.translate(ids[1]) + "/" + ids[2]
		r.guess(ids[3], r.names(list+"?location%5Bdirectory%5D=%2Fhome%2Fu%2Fb", "id"))
	}
	return r.alike.translate(x.path)
}

// names are the ids in a list of the simulator's, of the items that have a key.
func (r *replay) names(path, key string) []string {
	req, err := http.NewRequest("GET", "http://opencode"+path, nil)
	if err != nil {
		r.Fatal(err)
	}
	req.SetBasicAuth("opencode", "secret")
	_, text := r.do(r.sim, req)
	var list struct{ Data []map[string]any }
	_ = json.Unmarshal([]byte(text), &list) // a session that is not there has none
	var ids []string
	for _, item := range list.Data {
		if id, _ := item["id"].(string); item[key] != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func (r *replay) guess(captured string, ours []string) {
	if _, known := r.alike.ours[captured]; known || !idForm.MatchString(captured) {
		return
	}
	for _, id := range ours {
		if !r.alike.used[id] {
			r.alike.bind(captured, id)
			return
		}
	}
}
