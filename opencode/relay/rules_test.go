package relay

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/secret"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode/link"
	"hermes/opencode/service"
)

// proj is where the service has sessions.
const proj = "/home/ada/proj"

// boundary is a call and whether it is made. <s> is a session of proj.
type boundary struct {
	method, path string
	query        map[string]string
	body         string
	says         string // why it is refused; empty: it is made
}

const (
	notAtAll  = "does not allow this call"
	notSo     = "does not allow this call's content"
	notHere   = "no session in this directory"
	notValue  = "does not allow this value"
	goodID    = "msg_0123456789abcdef"
	goodImage = "data:image/png;base64,aGk="
)

func here() map[string]string { return map[string]string{"location[directory]": proj} }

// boundaries are what hermes sends and what it must not be able to send.
func boundaries() map[string]boundary {
	return map[string]boundary{
		"forms":                       {"GET", "/api/form", here(), "", ""},
		"forms elsewhere":             {"GET", "/api/form", map[string]string{"location[directory]": "/tmp/evil"}, "", notHere},
		"forms above":                 {"GET", "/api/form", map[string]string{"location[directory]": proj + "/../evil"}, "", notHere},
		"forms of the home directory": {"GET", "/api/form", nil, "", notHere},
		"permissions of it":           {"GET", "/api/permission/request", nil, "", notHere},
		"an elicitation of it":        {"GET", "/api/session/global/form/frm_1", nil, "", notHere},
		"forms with more":             {"GET", "/api/form", map[string]string{"location[directory]": proj, "workspace": "x"}, "", notValue},
		"working sessions":            {"GET", "/api/session/active", nil, "", ""},
		"a session":                   {"GET", "/api/session/<s>", nil, "", ""},
		"messages":                    {"GET", "/api/session/<s>/message", map[string]string{"limit": "20", "order": "desc"}, "", ""},
		"too many messages":           {"GET", "/api/session/<s>/message", map[string]string{"limit": "20000", "order": "desc"}, "", notValue},
		"a session's name with a way": {"GET", "/api/session/ses_1/../../api/config", nil, "", notAtAll},
		"another host":                {"GET", "//evil.test/api/form", here(), "", notAtAll},
		"a whole address":             {"GET", "http://evil.test/api/form", here(), "", notAtAll},
		"a query in the path":         {"GET", "/api/session/active?x=1", nil, "", notAtAll},
		"a line in the path":          {"GET", "/api/session/active\nHost: evil", nil, "", notAtAll},
		"a line behind the path":      {"GET", "/api/session/active\n", nil, "", notAtAll},
		"a line in a query":           {"GET", "/api/session/<s>/message", map[string]string{"limit": "20\r\nX: y", "order": "desc"}, "", notValue},
		"an upgrade":                  {"GET", "/api/pty/1/connect", nil, "", notAtAll},
		"another method":              {"CONNECT", "/api/session/active", nil, "", notAtAll},
		"the event stream":            {"GET", "/api/event", nil, "", notAtAll},
		"an encoded way":              {"GET", "/api/session/ses_1%2f..", nil, "", notAtAll},
		"a body where none is":        {"GET", "/api/session/active", nil, "{}", notSo},
		"reply":                       {"POST", "/api/session/<s>/form/frm_1/reply", nil, `{"answer":{"q0":"Red","q1":["a","b"],"n":1.5,"b":true}}`, ""},
		"reply with more":             {"POST", "/api/session/<s>/form/frm_1/reply", nil, `{"answer":{"q0":"Red"},"then":"x"}`, notSo},
		"reply, twice":                {"POST", "/api/session/<s>/form/frm_1/reply", nil, `{"answer":{"q0":"Red"}}{}`, notSo},
		"dismiss":                     {"DELETE", "/api/session/<s>/form/frm_1", nil, "", ""},
		"dismiss an elicitation":      {"POST", "/api/session/global/form/frm_1/cancel", here(), "", ""},
		"dismiss with a reason":       {"DELETE", "/api/session/global/form/frm_1", map[string]string{"location[directory]": proj, "message": "not now"}, "", ""},
		"delete a session":            {"DELETE", "/api/session/<s>", nil, "", notAtAll},
		"decide":                      {"POST", "/api/session/<s>/permission/per_1/reply", nil, `{"reply":"once","decision":"once"}`, ""},
		"decide otherwise":            {"POST", "/api/session/<s>/permission/per_1/reply", nil, `{"decision":"everything"}`, notSo},
		"saved rules":                 {"GET", "/api/permission/saved", here(), "", notAtAll},
		"the password's page":         {"GET", "/openapi.json", nil, "", notAtAll},
		"a file":                      {"GET", "/api/fs/read", map[string]string{"path": "/etc/passwd"}, "", notAtAll},
		"a shell":                     {"POST", "/api/session/<s>/shell", nil, `{"command":"id"}`, notAtAll},
		"a form of its own":           {"POST", "/api/session/<s>/form", nil, `{"title":"x","fields":[]}`, notAtAll},
		"share, fork or revert":       {"POST", "/api/session/<s>/fork", nil, `{}`, notAtAll},
		"move a session":              {"PATCH", "/api/session/<s>", nil, `{"title":"x"}`, notAtAll},
	}
}

// driving are those for which hermes must have said that people may drive sessions.
func driving() map[string]boundary {
	prompt := "/api/session/<s>/prompt"
	return map[string]boundary{
		"sessions":                      {"GET", "/api/session", map[string]string{"limit": "50", "parentID": "null"}, "", ""},
		"subagents' sessions":           {"GET", "/api/session", map[string]string{"limit": "50", "parentID": "ses_1"}, "", notValue},
		"agents":                        {"GET", "/api/agent", here(), "", ""},
		"models":                        {"GET", "/api/model", here(), "", ""},
		"difference":                    {"GET", "/api/vcs/diff", map[string]string{"location[directory]": proj, "mode": "working"}, "", ""},
		"difference to elsewhere":       {"GET", "/api/vcs/diff", map[string]string{"location[directory]": proj, "mode": "main"}, "", notValue},
		"new session":                   {"POST", "/api/session", nil, `{"id":"ses_abc","location":{"directory":"` + proj + `"}}`, ""},
		"new session elsewhere":         {"POST", "/api/session", nil, `{"id":"ses_abc","location":{"directory":"/tmp/evil"}}`, notHere},
		"new session at home":           {"POST", "/api/session", nil, `{"id":"ses_abc"}`, notHere},
		"new session whose id is a way": {"POST", "/api/session", nil, `{"id":"ses_/../abc","location":{"directory":"` + proj + `"}}`, notSo},
		"difference at home":            {"GET", "/api/vcs/diff", map[string]string{"mode": "working"}, "", notHere},
		"agents at home":                {"GET", "/api/agent", nil, "", notHere},
		"new session with more":         {"POST", "/api/session", nil, `{"id":"ses_abc","permissions":[{"action":"*"}]}`, notSo},
		"prompt":                        {"POST", prompt, nil, `{"id":"` + goodID + `","text":"hello"}`, ""},
		"prompt with a picture":         {"POST", prompt, nil, `{"id":"` + goodID + `","text":"hello","files":[{"uri":"` + goodImage + `","name":"a.png"}]}`, ""},
		"prompt with their file":        {"POST", prompt, nil, `{"id":"` + goodID + `","text":"hello","files":[{"uri":"file:///etc/passwd"}]}`, notSo},
		"prompt with a way out":         {"POST", prompt, nil, `{"id":"` + goodID + `","text":"hello","files":[{"uri":"http://10.0.0.1/"}]}`, notSo},
		"prompt with more":              {"POST", prompt, nil, `{"id":"` + goodID + `","text":"hello","metadata":{}}`, notSo},
		"an agent with a line":          {"POST", "/api/session/<s>/agent", nil, `{"agent":"bu\nild"}`, notSo},
		"a command":                     {"POST", "/api/session/<s>/command", nil, theCommand("review", "the tests"), ""},
		"a command that runs":           {"POST", "/api/session/<s>/command", nil, theCommand("review", "!`id`"), "gives commands no text with"},
		"a command that puts in":        {"POST", "/api/session/<s>/command", nil, theCommand("deploy", "prod; id"), "gives this command no text"},
		"such a command alone":          {"POST", "/api/session/<s>/command", nil, theCommand("deploy", ""), ""},
		"no command":                    {"POST", "/api/session/<s>/command", nil, theCommand("nope", ""), "does not have this command"},
		"a command with two names":      {"POST", "/api/session/<s>/command", nil, strings.Replace(theCommand("review", ""), `"name":"review"`, `"name":"deploy"`, 1), notSo},
		"interrupt":                     {"POST", "/api/session/<s>/interrupt", nil, "", ""},
	}
}

func theCommand(name, text string) string {
	raw, _ := json.Marshal(map[string]string{"id": goodID, "command": name, "arguments": text, "name": name, "text": text})
	return string(raw)
}

// carrierTo reaches the simulator; driven: people may drive its sessions.
func carrierTo(s *opencode2sim.Simulator, driven bool) carrier {
	c := newConnected(context.Background(), service.Registration{URL: "http://opencode", Password: secret.Text("secret")}, s.Transport())
	return carrier{c, new(directories), driven}
}

// carry makes a call with this boundary, in a bubble with a service of its own.
func (b boundary) carry(t *testing.T, driven bool) (got link.Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := opencode2sim.New(opencode2sim.Options{Commands: []opencode2sim.Command{
			{Name: "review", Template: "Review $ARGUMENTS"}, {Name: "deploy", Template: "Deploy !`deploy $ARGUMENTS`"},
		}})
		defer s.Stop()
		session := s.NewSession(proj, "one")
		one := link.Call{ID: "1", Method: b.method, Path: strings.ReplaceAll(b.path, "<s>", session), Query: b.query, Body: json.RawMessage(b.body)}
		got = carrierTo(s, driven).carryOut(t.Context(), one)
		synctest.Wait()
	})
	return got
}

// The whole of what hermes can have done on that machine: what is not allowed is refused before the service is asked.
func TestBoundary(t *testing.T) {
	for _, table := range []map[string]boundary{boundaries(), driving()} {
		for name, b := range table {
			t.Run(name, func(t *testing.T) {
				got := b.carry(t, true)
				switch {
				case b.says == "" && (got.Error != "" || got.Status == 0):
					t.Errorf("it is not made: %+v", got)
				case b.says != "" && (!got.Refused || got.Unsent || !strings.Contains(got.Error, b.says)):
					t.Errorf("it is answered with %+v", got)
				}
			})
		}
	}
}

// Without leave nobody's sessions are driven.
func TestBoundary_NotDriven(t *testing.T) {
	for name, b := range driving() {
		if got := b.carry(t, false); !got.Refused || !strings.Contains(got.Error, notAtAll) {
			t.Errorf("%s is answered with %+v", name, got)
		}
	}
	for name, b := range boundaries() {
		if got := b.carry(t, false); b.says == "" && got.Error != "" {
			t.Errorf("%s is answered with %+v", name, got)
		}
	}
}

// What is checked is what is sent: of a field that is there twice the one that was checked, and none in other letters.
func TestBoundary_SendsWhatItChecked(t *testing.T) {
	r, ok := findRule(http.MethodPost, "/api/session/ses_1/prompt", true)
	if !ok {
		t.Fatal("prompts are not allowed")
	}
	const theirs = `[{"uri":"file:///etc/passwd"}]`
	ours := `[{"uri":"` + goodImage + `"}]`
	for raw, want := range map[string]string{
		`{"files":` + theirs + `,"text":"b<c>","files":` + ours + `}`: `{"files":` + ours + `,"text":"b<c>"}`,
		`{"files":` + ours + `,"files":` + theirs + `}`:               "",
		`{"files":` + ours + `,"FILES":` + theirs + `}`:               "",
		`{"files":` + ours + `,"\u0066iles":` + theirs + `}`:          "",
		`{"files":[{"uri":"` + goodImage + `","URI":"file:///x"}]}`:   "",
	} {
		body, err := r.body.read(json.RawMessage(raw))
		sent, _ := encode(body)
		if want == "" && err == nil || want != "" && (err != nil || string(sent) != want) {
			t.Errorf("of %s it sends %s, %v", raw, sent, err)
		}
	}
	answer := body{"answer": isObject}
	const number = `{"answer":{"n":12345678901234567890}}`
	got, err := answer.read(json.RawMessage(number))
	if sent, _ := encode(got); err != nil || string(sent) != number {
		t.Errorf("it sends %s, %v", sent, err)
	}
}

// A directory that the service has no session in does not come into use.
func TestBoundary_BootsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencode2sim.New(opencode2sim.Options{})
		defer s.Stop()
		c := carrierTo(s, true)
		for _, path := range []string{"/api/form/request", "/api/permission/request", "/api/agent", "/api/command"} {
			got := c.carryOut(t.Context(), link.Call{ID: "1", Method: http.MethodGet, Path: path, Query: here()})
			if !got.Refused || len(s.Instances()) != 0 {
				t.Errorf("%s: %+v, booted %q", path, got, s.Instances())
			}
		}
	})
}
