package plugin_test

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/opencode/link"
)

// What drives sessions: method, path and body.
var driving = []string{
	"GET /session?roots=true&limit=100",
	"GET /session/ses_1/todo",
	"GET /agent",
	"GET /command",
	"GET /config/providers",
	`POST /session {"title":"Paint"}`,
	"POST /session {}",
	`POST /session/ses_1/prompt_async {"messageID":"msg_1","agent":"plan","model":{"providerID":"a","modelID":"b"},"noReply":true,"parts":[` +
		`{"id":"prt_1","type":"text","text":"hello"},{"type":"file","mime":"image/png","filename":"a","url":"data:image/png;base64,AA=="},{"type":"agent","name":"asker"}]}`,
	`POST /session/ses_1/prompt_async {"messageID":"msg_1","parts":[]}`,
	`POST /session/ses_1/command {"messageID":"msg_1","command":"say","arguments":"hello","agent":"plan","model":"a/b"}`,
	`POST /session/ses_1/command {"messageID":"msg_1","command":"shell","arguments":" "}`,
	"POST /session/ses_1/abort",
}

func sendLine(t *testing.T, l *link.Link, line string) (int, error) {
	t.Helper()
	method, rest, _ := strings.Cut(line, " ")
	path, body, _ := strings.Cut(rest, " ")
	var payload io.Reader
	if body != "" {
		payload = strings.NewReader(body)
	}
	status, _, err := roundTrip(t, l, method, path, payload)
	return status, err
}

func wantRefused(t *testing.T, l *link.Link, line string) {
	t.Helper()
	_, err := sendLine(t, l, line)
	var refused *link.CallError
	if !errors.As(err, &refused) || refused.Sent || !refused.Refused {
		t.Errorf("%s gave %v", line, err)
	}
}

// Where hermes does not say that people may drive sessions, nothing of that passes.
func TestDriving_SessionsAreNotDriven(t *testing.T) {
	h := startHermes(t)
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	before := len(a.requests())
	for _, line := range driving {
		wantRefused(t, l, line)
	}
	if asked := a.requests()[before:]; len(asked) > 0 {
		t.Errorf("OpenCode was asked %+v", asked)
	}
	a.exits()
}

func TestDriving_SessionsAreDriven(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	if off := time.Since(time.UnixMilli(l.Hello().Time)); off.Abs() > patience {
		t.Errorf("the plugin's clock is off by %v", off)
	}
	for _, line := range driving {
		if status, err := sendLine(t, l, line); status != 200 && status != 204 {
			t.Errorf("%s gave %d %v", line, status, err)
		}
	}
	last := func(url string) (found asked) {
		for _, r := range a.requests() {
			if r.URL == url && (found.URL == "" || r.Method == "GET") {
				found = r
			}
		}
		return found
	}
	if list := last("/session"); list.Query["roots"] != "true" || list.Query["limit"] != "100" || list.Query["directory"] != directory {
		t.Errorf("the list was asked for with %v", list.Query)
	}
	if prompt := last("/session/ses_1/prompt_async"); !strings.Contains(string(prompt.Body), "data:image/png;base64,AA==") {
		t.Errorf("the prompt came as %s", prompt.Body)
	}
	before := len(a.requests())
	for _, line := range []string{
		"DELETE /session/ses_1", "POST /session/ses_1/shell", "POST /session/ses_1/revert", "POST /session/ses_1/share", "PATCH /config",
		"GET /config", "GET /provider", "POST /session/ses_1", "POST /session/ses_1/fork", "GET /session?roots=false", "GET /file/content",
		"POST /session/ses_1/command/../shell", "POST /session/ses_1/message", "PUT /auth/x",
		"POST /session", "POST /session []", `POST /session {"title":5}`, `POST /session {"title":"a\u001b[2J"}`, `POST /session {"parentID":"ses_1"}`,
		`POST /session {"permission":[{"permission":"*","pattern":"*","action":"allow"}]}`,
		"POST /session/ses_1/prompt_async", "POST /session/ses_1/prompt_async []", "POST /session/ses_1/prompt_async {}", `POST /session/ses_1/prompt_async "x"`,
		`POST /session/ses_1/prompt_async {"messageID":"msg_1"}`,
		`POST /session/ses_1/prompt_async {"parts":[]}`,
		`POST /session/ses_1/prompt_async {"messageID":"msg_/../../x","parts":[]}`,
		`POST /session/ses_1/prompt_async {"messageID":["msg_1"],"parts":[]}`,
		prompt(`"parts":5`), prompt(`"parts":{}`), prompt(`"parts":[null]`), prompt(`"parts":[[]]`), prompt(`"parts":[{}]`), prompt(`"parts":["text"]`),
		prompt(`"parts":[],"tools":{"bash":true}`), prompt(`"parts":[],"system":"obey"`), prompt(`"parts":[],"variant":"max"`),
		prompt(`"parts":[],"format":{"type":"text"}`), prompt(`"parts":[],"noReply":"true"`), prompt(`"parts":[],"agent":["build"]`),
		prompt(`"parts":[],"agent":""`), prompt(`"parts":[],"model":"a/b"`), prompt(`"parts":[],"model":{"providerID":"a"}`),
		prompt(`"parts":[],"model":{"providerID":"a","modelID":"b","x":1}`), prompt(`"parts":[],"__proto__":{}`), prompt(`"parts":[],"constructor":{}`),
		part1(`"type":"text"`), part1(`"type":"text","text":5`), part1(`"type":["text"],"text":"a"`), part1(`"type":"text","text":"a","synthetic":true`),
		part1(`"type":"text","text":"a","ignored":true`), part1(`"type":"text","text":"a","metadata":{}`), part1(`"type":"text","text":"a","time":{"start":1}`),
		part1(`"type":"text","text":"a","id":"prt_/../x"`), part1(`"type":"text","text":"a","id":"x"`), part1(`"type":"text","text":"a","messageID":"msg_2"`),
		part1(`"type":"agent","name":"a","source":{}`), part1(`"type":"agent"`), part1(`"type":"subtask","prompt":"x","agent":"build","description":"d"`),
		part1(`"type":"file","mime":"text/plain","url":"file:///etc/passwd"`), part1(`"type":"file","mime":"text/plain","url":["data:text/plain;base64,"]`),
		part1(`"type":"file","mime":"text/plain","url":"DATA:text/plain;base64,AA=="`), part1(`"type":"file","mime":"text/plain","url":"https://example.org"`),
		part1(`"type":"file","mime":"text/plain","url":"data:text/plain,hello"`), part1(`"type":"file","mime":"text/plain","url":"data:image/png;base64,AA=="`),
		part1(`"type":"file","url":"data:image/png;base64,AA=="`), part1(`"type":"file","mime":"image/png","filename":5,"url":"data:image/png;base64,AA=="`),
		part1(`"type":"file","mime":"image/png","url":"data:image/png;base64,AA==","source":{"type":"resource","clientName":"a","uri":"b"}`),
		`POST /session/ses_1/command {"command":"say","arguments":""}`, `POST /session/ses_1/command {"messageID":"msg_1","command":"say"}`,
		command(`"command":"say","arguments":["hello"]`), command(`"command":"say","arguments":"","variant":"max"`), command(`"command":"nosuch","arguments":""`),
		command(`"command":"say","arguments":"","parts":[{"type":"file","url":"file:///etc/passwd"}]`), command(`"command":"constructor","arguments":""`),
		`POST /session/ses_1/abort {}`, `POST /session/ses_1/abort {"x":1}`, `GET /agent {"x":1}`,
		"GET /agent?limit=5", "GET /session?limit=1000", "GET /session/ses_1/todo?roots=true", "GET /session/ses_1/message?roots=true",
	} {
		wantRefused(t, l, line)
	}
	if asked := changing(a.requests()[before:]); len(asked) > 0 {
		t.Errorf("OpenCode was asked %+v", asked)
	}
	a.exits()
}

// prompt, part1 and command are calls with these fields.
func prompt(fields string) string {
	return `POST /session/ses_1/prompt_async {"messageID":"msg_1",` + fields + `}`
}

func part1(fields string) string { return prompt(`"parts":[{` + fields + `}]`) }

func command(fields string) string {
	return `POST /session/ses_1/command {"messageID":"msg_1",` + fields + `}`
}

// changing are the requests other than those for the list of commands.
func changing(list []asked) []asked {
	return slices.DeleteFunc(list, func(r asked) bool { return r.Method == "GET" && r.URL == "/command" })
}

// Of a command's text OpenCode would run !`…` and read @files, and it puts text in the place of $. So would a template that puts the
// text there.
func TestDriving_CommandsAreGivenNoTextThatOpenCodeWouldRunOrRead(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	given := func(name, text string) string {
		raw, err := json.Marshal(map[string]string{"messageID": "msg_1", "command": name, "arguments": text})
		if err != nil {
			t.Fatal(err)
		}
		return "POST /session/ses_1/command " + string(raw)
	}
	for _, text := range []string{
		"!`id`", "` `", "`", "wow!", "@", "@AGENTS.md", "a@b", "@build", "\"a\"@b", "$1", "$ARGUMENTS", "$&", "$'", "$(id)", "one\n@two",
	} {
		wantRefused(t, l, given("say", text))
		wantRefused(t, l, given("plain", text))
	}
	for _, name := range []string{"shell", "shells", "file", "any", "home", "mcp"} {
		wantRefused(t, l, given(name, "hello"))
	}
	a.do("mode", "fail") // what the template says is not known then
	a.do("sync")
	wantRefused(t, l, given("say", "hello"))
	a.do("mode", "good")
	a.do("sync")
	if asked := changing(a.requests()[3:]); len(asked) > 0 {
		t.Errorf("OpenCode was asked %+v", asked)
	}
	for _, name := range []string{"say", "plain", "fixed"} {
		if status, err := sendLine(t, l, given(name, "it's \"so\", 100% # ~/x ; && | > (y)\nand {file:z}")); status != 200 {
			t.Errorf("%s gave %d %v", name, status, err)
		}
	}
	a.exits()
}

// A prompt with files is larger than what one answer of a poll used to be.
func TestDriving_LargePromptsPass(t *testing.T) {
	h := serve(t, hermesThat(true))
	a := startAgent(t, h.URL)
	a.do("init")
	l := receive(t, h.opened)
	file := strings.Repeat("A", 10<<20)
	results := make(chan error, 3)
	for range cap(results) {
		go func() {
			_, _, err := roundTrip(t, l, "POST", "/session/ses_1/prompt_async",
				strings.NewReader(`{"messageID":"msg_1","parts":[{"type":"file","mime":"image/png","url":"data:image/png;base64,`+file+`"}]}`))
			results <- err
		}()
	}
	for range cap(results) {
		if err := receive(t, results); err != nil {
			t.Error(err)
		}
	}
	a.exits()
}
