package v2

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hermes/internal/event"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// captured is what a preview of 2.0 (2026-07-20) said.
func captured(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// written is a call in one line, with the one in its place.
func written(t *testing.T, c call.Call) string {
	t.Helper()
	body, err := json.Marshal(c.Body)
	if err != nil {
		t.Fatal(err)
	}
	line := c.Method + " " + c.Path
	if len(c.Query) > 0 {
		line += "?" + c.Query.Encode()
	}
	if c.Body != nil {
		line += " " + string(body)
	}
	if c.Else != nil {
		line += " else " + written(t, *c.Else)
	}
	return line
}

func TestProtocol_Routes(t *testing.T) {
	asking := question.Request{ID: "frm_1", Session: "ses/1", Message: "msg_1", Items: []question.Item{{ID: "q0"}, {ID: "q1", Multiple: true}}}
	global := question.Request{ID: "frm_2", Session: "global", Form: &question.Form{}, Items: []question.Item{
		question.FieldItem("elicitation", "", "", fields.Field{Kind: fields.External}, nil, false),
	}}
	leave := question.Request{ID: "per_1", Session: "ses_1", Permission: &question.Permission{}}
	const a, there = "/api/session/ses%2F1/form/frm_1", "location%5Bdirectory%5D=%2Fa+b"
	for want, c := range map[string]call.Call{
		"GET /api/form?" + there + " else GET /api/form/request?" + there: listForms("/a b"),
		"GET " + a + "/state else GET " + a:                               stateOf("/d", asking),
		"GET /api/session/ses_1/permission/per_1":                         stateOf("/d", leave),
		"DELETE " + a + " else POST " + a + "/cancel":                     reject("/d", asking, ""),
		"DELETE " + a + "?message=a+note else POST " + a + "/cancel":      reject("/d", asking, "a note"),
		`POST ` + a + `/reply {"answer":{"q0":"blue","q1":["a","b"]}}`:    replyTo("/d", asking, question.Answers{{"blue"}, {"a", "b"}}),
		`POST ` + a + `/reply {"answer":{"q1":["a"]}}`:                    replyTo("/d", asking, question.Answers{nil, {"a", " "}}),
		`POST ` + a + `/reply {"answer":{}}`:                              replyTo("/d", asking, nil),

		`POST /api/session/global/form/frm_2/reply?location%5Bdirectory%5D=%2Fd {"answer":{"elicitation":true}}`: replyTo("/d", global, question.Answers{{"true"}}),

		"GET /api/session/global/form/frm_2/state?location%5Bdirectory%5D=%2Fd else GET /api/session/global/form/frm_2?location%5Bdirectory%5D=%2Fd":                                stateOf("/d", global),
		`POST /api/session/ses_1/permission/per_1/reply {"decision":"always"} else POST /api/session/ses_1/permission/per_1/reply {"reply":"always"}`:                               replyTo("/d", leave, question.Answers{{question.Always}}),
		`POST /api/session/ses_1/permission/per_1/reply {"decision":"reject"} else POST /api/session/ses_1/permission/per_1/reply {"reply":"reject"}`:                               replyTo("/d", leave, nil),
		`POST /api/session/ses_1/permission/per_1/reply {"decision":"reject","message":"no"} else POST /api/session/ses_1/permission/per_1/reply {"message":"no","reply":"reject"}`: reject("/d", leave, "no"),
	} {
		if got := written(t, c); got != want {
			t.Errorf("calls %s\nwant  %s", got, want)
		}
	}
}

// tap writes down what is called, and answers an empty list.
type tap struct{ seen []string }

func (w *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	w.seen = append(w.seen, r.Method+" "+r.URL.String())
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader("{}")),
	}, nil
}

func TestProtocol_RoutesOfLists(t *testing.T) {
	for directory, location := range map[string]string{"": "", "/a b": "?location%5Bdirectory%5D=%2Fa+b"} {
		way := &tap{}
		d := NewDriver(&call.Endpoint{Transport: way, Directory: directory})
		_, _ = d.Permissions(t.Context())
		_, _ = d.Busy(t.Context())
		_, _ = d.Message(t.Context(), question.Request{Session: "ses/1", Message: "msg_1"})
		_, _ = d.messagesSince(t.Context(), question.Request{Session: "ses_1"})
		want := []string{
			"GET /api/permission/request" + location, "GET /api/session/active",
			"GET /api/session/ses%2F1/message/msg_1", "GET /api/session/ses_1/message?limit=20&order=desc",
		}
		if !slices.Equal(way.seen, want) {
			t.Errorf("called %q, want %q", way.seen, want)
		}
	}
}

// colour is the form of capture 02.
var colour = question.Request{
	ID: "frm_20101faf1001HGbtmCqYmUd2su", Protocol: session.V2, Session: "ses_dfefe084fffeIWreV28YLYM48a",
	Message: "msg_20101fac7001LIOnMYumzT6LjG", Call: "call_1_7773b0",
	Items: []question.Item{{ID: "q0", Header: "Color", Text: "Which color?", Custom: true, Options: []question.Option{
		{Label: "red", Description: "warm"}, {Label: "blue", Description: "cold"},
	}}},
}

// All that waits is listed, from either form of a list. What the
// release calls otherwise is read as well.
func TestProtocol_ListsQuestions(t *testing.T) {
	const fields = `"fields":[{"key":"q0","title":"Color","description":"Which color?","type":"string","options":[` +
		`{"value":"red","label":"red","description":"warm"},{"value":"blue","label":"blue","description":"cold"}],"custom":true}]`
	const named = `{"id":"frm_20101faf1001HGbtmCqYmUd2su","sessionID":"ses_dfefe084fffeIWreV28YLYM48a","title":"Questions","metadata":{"kind":"question","tool":{"messageID":"msg_20101fac7001LIOnMYumzT6LjG",`
	const elicitation = `{"id":"frm_2","sessionID":"global","title":"x","metadata":{"kind":"mcp-elicitation"},"fields":[{"key":"n","type":"integer","minimum":1,"maximum":"Infinity"}]}`
	for _, body := range []string{
		`{"location":{"directory":"/home/u/a"},"data":[` + named + `"callID":"call_1_7773b0"}},` + fields + `},` + elicitation + `]}`,
		`{"data":[` + elicitation + `,` + named + `"id":"call_1_7773b0"}},` + fields + `,"state":{"status":"pending"}}]}`,
	} {
		got, err := decodeAsks[Form]([]byte(body))
		got = slices.DeleteFunc(got, func(r question.Request) bool { return r.ID == "frm_2" && r.Form != nil && len(r.Items) == 1 })
		if err != nil || !reflect.DeepEqual(got, []question.Request{colour}) {
			t.Errorf("read %+v, %v", got, err)
		}
	}
}

// An ask without an id can be answered by nobody, and is none.
func TestProtocol_ListsNothingWithoutAnID(t *testing.T) {
	for name, decode := range map[string]func([]byte) ([]question.Request, error){"forms": decodeAsks[Form], "permissions": decodeAsks[permissionAsk]} {
		if got, err := decode([]byte(`{"data":[{"sessionID":"ses_1"},{"id":"x_2","sessionID":"ses_1"}]}`)); err != nil || len(got) != 1 || got[0].ID != "x_2" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestProtocol_ListsPermissions(t *testing.T) {
	want := question.Request{
		ID: "per_1", Protocol: session.V2, Session: "ses_1", Message: "msg_1", Call: "call_1",
		Permission: &question.Permission{Kind: "bash", Patterns: []string{"echo hi"}, Always: []string{"echo hi"}},
	}
	got, err := decodeAsks[permissionAsk]([]byte(`{"data":[{"id":"per_1","sessionID":"ses_1","action":"shell","resources":["echo hi"],
		"save":["echo hi"],"source":{"type":"tool","messageID":"msg_1","callID":"call_1"}}]}`))
	if err != nil || !reflect.DeepEqual(got, []question.Request{want}) {
		t.Errorf("the preview: %+v, %v", got, err)
	}
	want.Permission.Diff, want.Permission.Details = "--- a", []question.Detail{{Name: "message", Text: "Edit?"}}
	got, err = decodeAsks[permissionAsk]([]byte(`{"data":[{"id":"per_1","sessionID":"ses_1","action":"shell","resources":["echo hi"],
		"save":["echo hi"],"source":{"type":"tool","messageID":"msg_1","id":"call_1"},"message":"Edit?","metadata":{"diff":"--- a"}}]}`))
	if err != nil || !reflect.DeepEqual(got, []question.Request{want}) {
		t.Errorf("the release: %+v, %v", got, err)
	}
}

// Every event of one captured turn, and one of each other kind.
func TestProtocol_Hears(t *testing.T) {
	const a = session.ID("ses_dfefe084fffeIWreV28YLYM48a")
	want := map[string][]event.Event{
		"form.created":   {{Kind: event.Asked, Session: a, Asks: []event.Ask{{Request: colour}}}},
		"form.replied":   {{Kind: event.Replied, Session: a, ID: colour.ID, Answers: question.Answers{{"blue"}}}},
		"form.cancelled": {{Kind: event.Touched, Session: "ses_dfefb1315ffeCV3cyrEwsh0VG6"}},
		"permission.v2.asked": {{Kind: event.Asked, Session: "ses_dfef9e234ffeXxPa5Xs6dNQ7dY", Asks: []event.Ask{{Request: question.Request{
			ID: "per_201061e5c001SRWoXvxSmuzry6", Protocol: session.V2, Session: "ses_dfef9e234ffeXxPa5Xs6dNQ7dY",
			Message: "msg_201061e4d001Snfz97gU83181K", Call: "call_16_717eb6",
			Permission: &question.Permission{Kind: "bash", Patterns: []string{"echo hello-perm"}, Always: []string{"echo hello-perm"}},
		}}}}},
		"permission.v2.replied":         {{Kind: event.Replied, Session: "ses_dfef9e234ffeXxPa5Xs6dNQ7dY", ID: "per_201061e5c001SRWoXvxSmuzry6", Answers: question.Answers{{"once"}}}},
		"session.deleted":               {{Kind: event.Finished, Session: "ses_dfefb0c93ffe3NAnf5Ar1ep5ce"}},
		"session.execution.started":     {{Kind: event.Worked, Session: a}},
		"session.step.started":          {{Kind: event.Worked, Session: a}},
		"session.execution.succeeded":   {{Kind: event.Touched, Session: a}, {Kind: event.Rested, Session: a}},
		"session.execution.interrupted": {{Kind: event.Declined, Session: "ses_dfefb1315ffeCV3cyrEwsh0VG6"}, {Kind: event.Touched, Session: "ses_dfefb1315ffeCV3cyrEwsh0VG6"}, {Kind: event.Rested, Session: "ses_dfefb1315ffeCV3cyrEwsh0VG6"}},
		"session.execution.failed": {
			{Kind: event.Touched, Session: "ses_dfef87e2bffebkBGiqZTf9O1Ls"},
			{Kind: event.Failed, Session: "ses_dfef87e2bffebkBGiqZTf9O1Ls", Text: `Agent not found: "nope"`},
			{Kind: event.Rested, Session: "ses_dfef87e2bffebkBGiqZTf9O1Ls"},
		},
		"session.retry.scheduled": {
			{Kind: event.Worked, Session: "ses_dfeeb1f57ffev3rPWwbsuCGii5"},
			{Kind: event.Retried, Session: "ses_dfeeb1f57ffev3rPWwbsuCGii5", Text: `Provider request failed with HTTP 500: {"error": {"message": "scripted failure", "type": "invalid_request_error", "code": "scripted"}}`},
		},
	}
	for _, e := range eventsIn(t, "events.jsonl") {
		said, known := new(Driver).Hear(e)
		if wanted, ok := want[e.Type]; known != ok || !reflect.DeepEqual(said, wanted) {
			t.Errorf("%s says\n%+v, want\n%+v", e.Type, said, wanted)
		}
		delete(want, e.Type)
	}
	if len(want) > 0 {
		t.Errorf("nothing was heard of %v", want)
	}
}

// eventsIn are the events of a file, one in a line.
func eventsIn(t *testing.T, name string) (list []wire.Event) {
	t.Helper()
	for line := range lines(captured(t, name)) {
		var frame struct {
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(line, &frame); err != nil {
			t.Fatal(err)
		}
		list = append(list, wire.Event{Type: frame.Type, Properties: frame.Data})
	}
	return list
}

func lines(text []byte) iter.Seq[[]byte] { return bytes.SplitSeq(bytes.TrimSpace(text), []byte("\n")) }

// What the release calls otherwise, and what makes no sense.
func TestProtocol_HearsOtherForms(t *testing.T) {
	for raw, want := range map[string][]event.Kind{
		`permission.asked {"id":"per_1","sessionID":"ses_1","action":"edit","resources":["a"],"source":{"type":"tool","messageID":"msg_1","id":"call_1"}}`: {event.Asked},
		`permission.replied {"sessionID":"ses_1","requestID":"per_1","reply":"reject"}`:                                                                    {event.Rejected},
		`permission.replied {"sessionID":"ses_1","requestID":"per_1","reply":"perhaps"}`:                                                                   {event.Touched},
		`form.replied {"id":"frm_1","sessionID":"ses_1","answer":{"q1":["a"],"q0":"b"}}`:                                                                   {event.Replied},
		`form.replied {"id":"frm_1","sessionID":"ses_1","answer":{"size":"S","n":2}}`:                                                                      {event.Touched},
		`form.replied {"id":"frm_1","sessionID":"ses_1","answer":{"q01":"S"}}`:                                                                             {event.Touched},
		`form.replied {"id":"frm_1","sessionID":"ses_1","answer":{"q99999999":"S"}}`:                                                                       {event.Touched},
		`form.replied {"id":"frm_1","sessionID":"ses_1","answer":7}`:                                                                                       {event.Touched},
		`form.created {"form":{"id":"","sessionID":"ses_1","metadata":{"kind":"question"}}}`:                                                               nil,
		`form.created {"form":7}`:        nil,
		`session.execution.succeeded {}`: {event.Touched},
		`session.execution.failed {"sessionID":"ses_1","error":{"type":"provider.quota"}}`: {event.Touched, event.Failed, event.Rested},
		`session.execution.interrupted {"sessionID":"ses_1","reason":"inactivity"}`:        {event.Touched, event.Rested},
		`session.execution.interrupted {"sessionID":"ses_1","reason":"user"}`:              {event.Touched, event.Rested},
		`session.execution.interrupted {"sessionID":"ses_1","reason":"shutdown"}`:          {event.Declined, event.Touched, event.Rested},
		`location.shutdown {}`: {event.Unloaded},
	} {
		kind, data, _ := strings.Cut(raw, " ")
		said, known := new(Driver).Hear(wire.Event{Type: kind, Properties: json.RawMessage(data)})
		var kinds []event.Kind
		for _, e := range said {
			kinds = append(kinds, e.Kind)
		}
		if !known || len(kinds) != len(want) {
			t.Errorf("%s says %v, want %v", raw, kinds, want)
			continue
		}
		for n := range kinds {
			if kinds[n] != want[n] {
				t.Errorf("%s says %v, want %v", raw, kinds, want)
			}
		}
	}
}

// A form that is no question of an agent is heard as one of a program.
func TestProtocol_HearsElicitations(t *testing.T) {
	for _, e := range eventsIn(t, "forms.jsonl") {
		said, known := new(Driver).Hear(e)
		if !known || len(said) != 1 || said[0].Kind != event.Asked || said[0].Asks[0].Request.Form == nil {
			t.Errorf("%s says %+v", e.Properties, said)
		}
	}
}

// Events say which session they are of, also where they do not say the directory.
func TestSessionOf(t *testing.T) {
	none := map[string]bool{"server.connected": true, "catalog.updated": true}
	for _, e := range eventsIn(t, "events.jsonl") {
		if got := SessionOf(e); strings.HasPrefix(string(got), "ses_") == none[e.Type] {
			t.Errorf("%s is of %q", e.Type, got)
		}
	}
}

func TestNameOf(t *testing.T) {
	for raw, want := range map[string]session.Session{
		`session.created {"sessionID":"ses_1","info":{"id":"ses_1","parentID":"ses_0","title":"sub"}}`:                 {ID: "ses_1", Parent: "ses_0", Title: "sub"},
		`session.created {"sessionID":"ses_1","info":{"id":"ses_1","title":"New session - 2026-11-22T02:07:16.181Z"}}`: {ID: "ses_1"},
		`session.created {"sessionID":"ses_1","parentID":"ses_0","projectID":"global","title":"sub"}`:                  {ID: "ses_1", Parent: "ses_0", Title: "sub", Project: "global"},
		`session.renamed {"sessionID":"ses_1","title":"Paint"}`:                                                        {ID: "ses_1", Title: "Paint"},
		`session.deleted {"sessionID":"ses_1"}`:                                                                        {},
		`session.renamed {"title":"Paint"}`:                                                                            {Title: "Paint"},
	} {
		kind, data, _ := strings.Cut(raw, " ")
		got, ok := NameOf(wire.Event{Type: kind, Properties: json.RawMessage(data)})
		if got != want || ok != (want.ID != "") {
			t.Errorf("%s names %+v, %v", raw, got, ok)
		}
	}
}

// Whatever an OpenCode says: an ask has an id and a session's end has a session, and what is
// shown of a text has its bound.
func FuzzProtocol_Hear(f *testing.F) {
	for line := range lines(captured(f, "events.jsonl")) {
		f.Add(line)
	}
	for line := range lines(captured(f, "forms.jsonl")) {
		f.Add(line)
	}
	speech := NewSpeech(func(session.ID) bool { return true })
	f.Fuzz(func(t *testing.T, line []byte) {
		var frame struct {
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal(line, &frame) != nil {
			return
		}
		e := wire.Event{Type: frame.Type, Properties: frame.Data}
		said, _ := new(Driver).Hear(e)
		for _, one := range said {
			switch {
			case one.Kind == event.Asked && (len(one.Asks) != 1 || one.Asks[0].Request.ID == "" || one.Asks[0].Request.Protocol != session.V2),
				one.Kind == event.Replied && len(one.Answers) > 1000,
				one.Kind != event.Touched && one.Kind != event.Asked && one.Kind != event.Replied && one.Kind != event.Rejected && one.Session == "":
				t.Errorf("%s says %+v", line, one)
			}
		}
		if _, chunk, ok := speech.Hear(e); ok && (len(chunk.Text) > session.MaxStreamChunk || chunk.Text == "" && chunk.Tool == "") {
			t.Errorf("%s says %+v", line, chunk)
		}
		speech.Skips(string(line))
	})
}

// What people see of a turn with a shell call and a text, in OpenCode's own order (capture 05).
func TestSpeech(t *testing.T) {
	const head = `"sessionID":"ses_1","assistantMessageID":"msg_1"`
	tool := session.StreamChunk{Message: "msg_1", Part: "call_1", Tool: "shell"}
	titled, ended := tool, tool
	titled.Title, ended.Title, ended.Ended = "make", "make", true
	text := func(s string) *session.StreamChunk {
		return &session.StreamChunk{Message: "msg_1", Part: "text-1", Text: s}
	}
	for _, key := range []string{"callID", "id"} { // the preview, the release
		speech := NewSpeech(func(id session.ID) bool { return id == "ses_1" })
		call := `"` + key + `":"call_1"`
		for _, step := range []struct {
			event string
			want  *session.StreamChunk
		}{
			{`session.tool.input.started {` + head + `,` + call + `,"name":"shell"}`, &tool},
			{`session.tool.input.delta {` + head + `,` + call + `,"delta":"{\"command\""}`, nil},
			{`session.tool.input.ended {` + head + `,` + call + `,"text":"{\"command\":\"make\"}"}`, nil},
			{`session.tool.called {` + head + `,` + call + `,"input":{"command":"make\nall"},"executed":false}`, &titled},
			{`session.tool.success {` + head + `,` + call + `,"structured":{},"content":[]}`, &ended},
			{`session.tool.success {` + head + `,` + call + `,"structured":{},"content":[]}`, nil},
			{`session.text.started {` + head + `,"ordinal":1}`, nil},
			{`session.text.delta {` + head + `,"ordinal":1,"delta":"done"}`, text("done")},
			{`session.text.delta {` + head + `,"ordinal":1,"delta":""}`, nil},
			{`session.text.delta {` + head + `,"ordinal":1,"delta":": all"}`, text("done: all")},
			{`session.text.ended {` + head + `,"ordinal":1,"text":"done: all"}`, nil},
			{`session.text.ended {` + head + `,"ordinal":1,"text":"done: all of it"}`, text("done: all of it")},
			{`session.text.delta {"sessionID":"ses_2","assistantMessageID":"msg_1","ordinal":1,"delta":"x"}`, nil},
			{`session.execution.succeeded {"sessionID":"ses_1"}`, nil},
			{`session.text.delta {` + head + `,"ordinal":1,"delta":"new"}`, text("new")},
			{`session.tool.failed {` + head + `,` + call + `}`, nil}, // which tool is not known
		} {
			kind, data, _ := strings.Cut(step.event, " ")
			id, got, ok := speech.Hear(wire.Event{Type: kind, Properties: json.RawMessage(data)})
			if ok != (step.want != nil) || ok && (id != "ses_1" || !reflect.DeepEqual(got, *step.want)) {
				t.Errorf("%s says %+v, %v", step.event, got, ok)
			}
		}
	}
}

// A long text is shown from its end.
func TestSpeech_LongText(t *testing.T) {
	speech := NewSpeech(func(session.ID) bool { return true })
	var last session.StreamChunk
	for _, letter := range []string{"a", "ä", "ö"} {
		data, err := json.Marshal(map[string]any{"sessionID": "ses_1", "assistantMessageID": "msg_1", "delta": strings.Repeat(letter, session.MaxStreamChunk/3)})
		if err != nil {
			t.Fatal(err)
		}
		_, last, _ = speech.Hear(wire.Event{Type: "session.text.delta", Properties: data})
	}
	if len(last.Text) > session.MaxStreamChunk || !strings.HasPrefix(last.Text, "…ä") || !strings.HasSuffix(last.Text, "ö") {
		t.Errorf("%d bytes are shown, %q…", len(last.Text), last.Text[:10])
	}
}

// Pieces of sessions that nobody follows are not even decoded; nothing else is left out.
func TestSpeech_Skips(t *testing.T) {
	speech := NewSpeech(func(id session.ID) bool { return id == "ses_followed" })
	skipped := map[string]bool{}
	for line := range lines(captured(t, "events.jsonl")) {
		var e struct{ Type string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if speech.Skips(string(line)) {
			skipped[e.Type] = true
		}
		if speech.Skips(strings.ReplaceAll(string(line), `"sessionID":"ses_`, `"sessionID":"ses_followed","x":"`)) {
			t.Errorf("%s of a followed session is skipped", e.Type)
		}
	}
	if want := map[string]bool{"session.text.delta": true, "session.tool.input.delta": true}; !reflect.DeepEqual(skipped, want) {
		t.Errorf("skipped %v, want %v", skipped, want)
	}
}
