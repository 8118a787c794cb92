package relay

import (
	"fmt"
	"strings"
	"testing"

	"hermes/opencode/link"
)

// answerOf is what crosses of the answer to a call.
func answerOf(method, path string) shape {
	r, _ := findRule(method, path, true)
	return r.answer
}

// What hermes does not read stays on that machine; what it reads crosses as it is.
func TestShape_WhatCrosses(t *testing.T) {
	for name, c := range map[string]struct {
		of         shape
		from, want string
	}{
		"session":       {data(sessionInfo), `{"data":{"id":"ses_1","title":"t","cost":3,"location":{"directory":"/a","workspaceID":"w"},"share":"x"}}`, `{"data":{"id":"ses_1","location":{"directory":"/a"},"title":"t"}}`},
		"keys of model": {data(only("providerID id enabled").of), `{"data":[{"providerID":"p","id":"m","enabled":true,"options":{"apiKey":"k"}}]}`, `{"data":[{"enabled":true,"id":"m","providerID":"p"}]}`},
		"template that takes a text": {
			data(command), `{"data":[{"name":"a","template":"secret $1"}]}`, `{"data":[{"name":"a","template":""}]}`,
		},
		"template that runs it": {data(command), "{\"data\":[{\"name\":\"a\",\"template\":\"!`x $1`\"}]}", `{"data":[{"name":"a"}]}`},
		"prompts": {
			answerOf("GET", "/api/session/ses_1/message"), `{"data":[{"id":"msg_1","type":"user","text":"my words","files":["x"]}]}`, `{"data":[{"id":"msg_1","type":"user"}]}`,
		},
		"what agents do": {
			answerOf("GET", "/api/session/ses_1/message"),
			`{"data":[{"id":"msg_2","type":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"Done."},{"type":"tool","id":"c","name":"shell","state":{"status":"error","input":{"command":"x"},"content":["out"],"error":{"type":"aborted","message":"m","stack":"s"},"metadata":{"answers":[["A"]],"more":1}}}]}]}`,
			`{"data":[{"content":[{"type":"reasoning"},{"text":"Done.","type":"text"},{"id":"c","name":"shell","state":{"error":{"message":"m","type":"aborted"},"metadata":{"answers":[["A"]]},"status":"error"},"type":"tool"}],"id":"msg_2","type":"assistant"}]}`,
		},
		"what an ask is about": {
			answerOf("GET", "/api/session/ses_1/message/msg_1"), `{"data":{"id":"msg_2","content":[{"type":"text","text":"words"},{"type":"tool","id":"c","state":{"status":"running","input":{"command":"x"},"content":["out"]}}]}}`,
			`{"data":{"content":[{"type":"text"},{"id":"c","state":{"input":{"command":"x"},"status":"running"},"type":"tool"}],"id":"msg_2"}}`,
		},
		"working sessions":            {data(working), `{"data":{"ses_1":{"type":"running","prompt":"x"}}}`, `{"data":{"ses_1":{}}}`},
		"numbers as they are":         {fields{"n": plain}.of, `{"n":12345678901234567890.10}`, `{"n":12345678901234567890.10}`},
		"signs as they are":           {fields{"n": plain}.of, `{"n":"a<b>&\u2028"}`, `{"n":"a<b>&\u2028"}`},
		"an object in a text's place": {fields{"n": plain, "m": plain}.of, `{"n":{"secret":1},"m":1}`, `{"m":1}`},
		"an error":                    {refused, `{"_tag":"SessionNotFoundError","message":"of /home/ada","data":{"x":1}}`, `{"_tag":"SessionNotFoundError"}`},
		"answers that do not fit":     {refused, `{"_tag":"FormInvalidAnswerError","message":"too short","id":"frm_1"}`, `{"_tag":"FormInvalidAnswerError","message":"too short"}`},
	} {
		got, err := c.of.reduce([]byte(c.from))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
}

// A change of whatever size is asked about: what is too large to cross is left out of what OpenCode says of it, and named.
func TestShape_LargeChanges(t *testing.T) {
	large := strings.Repeat("+line\\n", maxEvent/6)
	left := fmt.Sprintf(`"hermes.unsent":{"diff":%d}`, len(large)+2)
	ask := `{"id":"per_1","sessionID":"ses_1","action":"edit","resources":["go.sum"],"metadata":{"diff":"` + large + `","filepath":"/src/go.sum"}}`
	want := `{"action":"edit","id":"per_1","metadata":{"filepath":"/src/go.sum",` + left + `},"resources":["go.sum"],"sessionID":"ses_1"}`
	f, ok := crossing(`{"type":"permission.asked","location":{"directory":"/src"},"data":`+ask+`}`, nil)
	if !ok || string(f.Data) != want {
		t.Errorf("%d bytes are told: %.200s", len(f.Data), f.Data)
	}
	listed := result("1", rules[2], answer{200, "application/json", []byte(`{"data":[` + ask + `,{"id":"per_2"}]}`)})
	if listed.Error != "" || listed.Body != `{"data":[`+want+`,{"id":"per_2"}]}` {
		t.Errorf("%s, %d bytes are listed: %.200s", listed.Error, len(listed.Body), listed.Body)
	}
}

// Whatever signs an answer has, hermes takes a result with it, or is told that it is too large.
func TestResult_FitsIntoARequest(t *testing.T) {
	const most = 4 << 20
	message := strings.Repeat(`\"`, (most-len(`{"data":[{"message":""}]}`))/2)
	got := result("1", rules[2], answer{200, "application/json", []byte(`{"data":[{"message":"` + message + `"}]}`)})
	if sent, err := encode(got); err != nil || len(sent) > link.MaxBody {
		t.Errorf("%d bytes are sent, %v", len(sent), err)
	}
}

func TestShape_OfAnotherForm(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `"x"`, `null`} {
		if got, err := data(form).reduce([]byte(text)); err == nil {
			t.Errorf("%q gives %s", text, got)
		}
	}
}

// Of the events those cross that hermes reads, and of what sessions write that of followed ones.
func TestEvents_Crossing(t *testing.T) {
	followed := func(id string) bool { return id == "ses_1" }
	for name, c := range map[string]struct{ from, want string }{
		"begin":        {`{"id":"evt_1","type":"server.connected","data":{"version":"x"}}`, `{"type":"server.connected"}`},
		"flood":        {`{"id":"evt_1","type":"plugin.added","data":{"id":"x"}}`, ``},
		"unknown":      {`{"id":"evt_1","type":"session.secret","data":{"sessionID":"ses_1"}}`, ``},
		"usage":        {`{"id":"evt_1","type":"session.usage.updated","data":{"sessionID":"ses_1"}}`, ``},
		"a turn's end": {`{"id":"evt_1","created":1,"type":"session.execution.failed","metadata":{"a":1},"data":{"sessionID":"ses_1","error":{"type":"t","message":"m","headers":{}}}}`, `{"type":"session.execution.failed","data":{"error":{"message":"m","type":"t"},"sessionID":"ses_1"}}`},
		"a form":       {`{"type":"form.created","location":{"directory":"/a","workspaceID":"w"},"data":{"form":{"id":"frm_1","fields":[{"key":"q0","title":"T","secret":1}]}}}`, `{"type":"form.created","location":{"directory":"/a"},"data":{"form":{"fields":[{"key":"q0","title":"T"}],"id":"frm_1"}}}`},
		"followed":     {`{"type":"session.text.delta","data":{"sessionID":"ses_1","assistantMessageID":"msg_1","ordinal":0,"delta":"Hi"}}`, `{"type":"session.text.delta","data":{"assistantMessageID":"msg_1","delta":"Hi","ordinal":0,"sessionID":"ses_1"}}`},
		"not followed": {`{"type":"session.text.delta","data":{"sessionID":"ses_2","assistantMessageID":"msg_1","ordinal":0,"delta":"Hi"}}`, ``},
		"a followed call": {
			`{"type":"session.tool.called","data":{"sessionID":"ses_1","callID":"c","input":{"command":"make\nmore","env":{"KEY":"k"}}}}`,
			`{"type":"session.tool.called","data":{"callID":"c","input":{"description":"make"},"sessionID":"ses_1"}}`,
		},
		"another call":  {`{"type":"session.tool.called","data":{"sessionID":"ses_2","callID":"c","input":{"command":"make"}}}`, ``},
		"no JSON":       {`data`, ``},
		"no data":       {`{"type":"form.created"}`, ``},
		"of other form": {`{"type":"form.created","data":[]}`, ``},
		"no such type":  {`{"type":"hermes.closed","data":{}}`, ``},
	} {
		f, crosses := crossing(c.from, followed)
		got := ""
		if crosses {
			text, err := encode(f)
			if err != nil {
				t.Fatal(err)
			}
			got = string(text)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
