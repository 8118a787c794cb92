package opencode

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	"hermes/opencode/release"
	"hermes/opencode/wire"
)

var here = session.Origin{Way: session.Direct, Process: "http://opencode:4096", Directory: proj, Host: "opencode:4096"}

// listener is an instance of an OpenCode that cannot be asked anything, where
// que_1 of ses_1 waits, and what it reports.
func listener(told *[]event.Event) *instance {
	var mu sync.Mutex
	emit := func(e event.Event) {
		mu.Lock()
		defer mu.Unlock()
		*told = append(*told, e)
	}
	i := newInstance(here, NewClient(call.Endpoint{Transport: nobody}, release.Newest, 0), &sessionNames{}, emit)
	i.names.put(session.Session{ID: "ses_1", Title: "Paint"})
	i.names.put(session.Session{ID: "ses_2", Parent: "ses_1", Title: "Find a colour"})
	i.asks.asks["que_1"] = openAsk{request: question.Request{ID: "que_1", Session: "ses_1"}}
	return i
}

func hearRaw(t testing.TB, raw string) []event.Event {
	t.Helper()
	var e wire.Event
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	var told []event.Event
	i := listener(&told)
	i.hear(context.Background(), e)
	i.inOrder.wait()
	return told
}

const asking = `"id":"que_2","sessionID":"ses_2","questions":[{"question":"Which?","header":"H","multiple":true,"options":` +
	`[{"label":"a","description":"b"}]},{"question":"Sure?","custom":false}],"tool":{"messageID":"msg_1","callID":"call_1"}`

func wantAsked() *event.Event {
	return &event.Event{Kind: event.Asked, Asks: []event.Ask{{
		Request: question.Request{ID: "que_2", Protocol: session.V1, Session: "ses_2", Message: "msg_1", Call: "call_1", Items: []question.Item{
			{Header: "H", Text: "Which?", Multiple: true, Custom: true, Options: []question.Option{{Label: "a", Description: "b"}}},
			{Text: "Sure?"},
		}},
		Place: session.Place{Title: "Paint", Subagent: "Find a colour", Root: "ses_1"},
	}}}
}

const leaving = `"id":"per_1","sessionID":"ses_2","permission":"bash","patterns":["ls -la"],"always":["ls *"],` +
	`"metadata":{"command":"ls -la","timeout":5},"tool":{"messageID":"msg_1","callID":"call_1"}`

func wantLeave() *event.Event {
	return &event.Event{Kind: event.Asked, Asks: []event.Ask{{
		Request: question.Request{ID: "per_1", Protocol: session.V1, Session: "ses_2", Message: "msg_1", Call: "call_1", Permission: &question.Permission{
			Kind: "bash", Patterns: []string{"ls -la"}, Always: []string{"ls *"}, Command: "ls -la",
			Details: []question.Detail{{Name: "timeout", Text: "5"}},
		}},
		Place: session.Place{Title: "Paint", Subagent: "Find a colour", Root: "ses_1"},
	}}}
}

func touched(s session.ID) *event.Event {
	return &event.Event{Kind: event.Touched, Session: s}
}

func finished(s session.ID) *event.Event {
	return &event.Event{Kind: event.Finished, Session: s}
}

func TestHear(t *testing.T) {
	for _, test := range []struct {
		raw  string
		want *event.Event // nil: nothing
	}{
		{`{"type":"question.asked","properties":{` + asking + `}}`, wantAsked()},
		{`{"type":"question.asked","properties":{"sessionID":"ses_1"}}`, nil},
		{`{"type":"question.asked","properties":{"id":5}}`, nil},
		{`{"type":"question.asked"}`, nil},
		{
			`{"type":"question.replied","properties":{"sessionID":"ses_1","requestID":"que_1","answers":[["a","b"],[]]}}`,
			&event.Event{Kind: event.Replied, ID: "que_1", Session: "ses_1", Answers: question.Answers{{"a", "b"}, {}}},
		},
		{
			`{"type":"question.rejected","properties":{"sessionID":"ses_1","requestID":"que_1"}}`,
			&event.Event{Kind: event.Rejected, ID: "que_1", Session: "ses_1"},
		},
		{`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"MessageAbortedError"}}}`, touched("ses_1")},
		{`{"type":"session.deleted","properties":{"info":{"id":"ses_1"}}}`, finished("ses_1")},
		{`{"type":"session.deleted","properties":{"sessionID":"ses_2","info":{"id":"ses_2"}}}`, finished("ses_2")},
		{`{"type":"session.updated","properties":{"info":{"id":"ses_1","title":"Paint","time":{"created":1,"updated":2,"archived":2}}}}`, finished("ses_1")},
		{`{"type":"session.updated","properties":{"info":{"id":"ses_1","title":"Paint","time":{"created":1,"updated":2}}}}`, nil},
		{`{"type":"message.part.updated","properties":{"part":{"type":"tool","sessionID":"ses_1","state":{"status":"completed"}}}}`, touched("ses_1")},
		{`{"type":"message.part.updated","properties":{"part":{"type":"tool","sessionID":"ses_1","state":{"status":"error","error":"x"}}}}`, touched("ses_1")},
		{`{"type":"message.part.updated","properties":{"part":{"type":"tool","sessionID":"ses_1","state":{"status":"running"}}}}`, nil},
		{`{"type":"message.part.updated","properties":{"part":{"type":"text","sessionID":"ses_1"}}}`, nil},
		{`{"type":"server.instance.disposed","properties":{"directory":"/home/ada/proj"}}`, touched("")},
		{
			`{"type":"tool.execute.before","properties":{"tool":"question","sessionID":"ses_1","callID":"call_1","args":{"questions":[{"question":"Sure?","custom":false}]}}}`,
			&event.Event{Kind: event.Captured, Asks: []event.Ask{{Place: session.Place{Title: "Paint", Root: "ses_1"}, Request: question.Request{
				Protocol: session.V1, Session: "ses_1", Call: "call_1", Items: []question.Item{{Text: "Sure?"}},
			}}}},
		},
		{`{"type":"tool.execute.before","properties":{"tool":"bash","sessionID":"ses_1","callID":"call_1"}}`, nil},
		{`{"type":"tool.execute.before","properties":{"tool":{"name":"question"},"sessionID":"ses_1","callID":"call_1"}}`, nil},
		{`{"type":"tool.execute.before","properties":{"tool":"question","sessionID":"ses_1"}}`, nil},
		{`{"type":"server.connected","properties":{}}`, nil},
		{`{"type":"question.withdrawn","properties":{"id":"que_1","requestID":"que_1"}}`, nil},
		{`{"type":"permission.asked","properties":{` + leaving + `}}`, wantLeave()},
		{`{"type":"permission.asked","properties":{"sessionID":"ses_1"}}`, nil},
		{
			`{"type":"permission.replied","properties":{"sessionID":"ses_2","requestID":"per_1","reply":"always"}}`,
			&event.Event{Kind: event.Replied, ID: "per_1", Session: "ses_2", Answers: question.Answers{{question.Always}}},
		},
		{
			`{"type":"permission.replied","properties":{"sessionID":"ses_2","requestID":"per_1","reply":"reject"}}`,
			&event.Event{Kind: event.Rejected, ID: "per_1", Session: "ses_2"},
		},
		{`{"type":"permission.replied","properties":{"sessionID":"ses_2","requestID":"per_1","reply":"deny"}}`, touched("ses_2")},
		{`{"type":"permission.replied","properties":{"sessionID":"ses_2","requestID":"per_1","reply":true}}`, touched("ses_2")},
		{`{"type":"","properties":[1,2]}`, nil},
		{`{}`, nil},
	} {
		got, want := hearRaw(t, test.raw), []event.Event(nil)
		if test.want != nil {
			w := *test.want
			w.Origin = here
			want = []event.Event{w}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis heard as %+v\nwant        %+v", test.raw, got, want)
		}
	}
}

// A title comes some time after the question: those that wait are named anew.
func TestHear_Names(t *testing.T) {
	named := func(title string) string {
		return fmt.Sprintf(`{"type":"session.updated","properties":{"info":{"id":"ses_1","title":%q}}}`, title)
	}
	for title, want := range map[string]int{"Paint the house": 1, "Paint": 0, "": 1} {
		told := hearRaw(t, named(title))
		if len(told) != want || want == 1 && (told[0].Kind != event.Named || told[0].Asks[0].Place.Title != title ||
			told[0].Asks[0].Request.ID != "que_1") {
			t.Errorf("%q: told %+v", title, told)
		}
	}
}

// FuzzHear feeds what any program that pretends to be OpenCode may send.
func FuzzHear(f *testing.F) {
	for _, kind := range strings.Fields(`question.asked question.replied question.rejected session.updated
		session.idle session.status session.deleted message.part.updated server.instance.disposed tool.execute.before sync`) {
		f.Add([]byte(`{"directory":"/d","payload":{"type":"` + kind + `","properties":{` + asking + `}}}`))
		f.Add([]byte(`{"payload":{"type":"` + kind + `","properties":{"info":{"id":"ses_3","parentID":"ses_3","title":"x"},"answers":[null],"part":[]}}}`))
	}
	for _, kind := range strings.Fields("permission.asked permission.replied") {
		f.Add([]byte(`{"payload":{"type":"` + kind + `","properties":{` + leaving + `}}}`))
		f.Add([]byte(`{"payload":{"type":"` + kind + `","properties":{"id":"per_1","requestID":"per_1","reply":[],"metadata":{"a":[{}]},"tool":7}}}`))
	}
	f.Add([]byte(oldPart("ses_1", `"type":"text","text":"a"`)))
	f.Add([]byte(newPart("ses_1", "prt_1", `"type":"tool","tool":"question","callID":"c","state":{"status":"completed"}`)))
	f.Add([]byte("null"))
	f.Add([]byte("{\"payload\":\ndata: null}\r\nid: 1"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var told []event.Event
		i := listener(&told)
		frame := "data: " + string(raw) + "\n\n"
		skip := newSpeech(func(session.ID) bool { return false }).skips
		_ = readFrames(strings.NewReader(frame), everything, func(g globalEvent) { i.hear(context.Background(), g.Payload) })
		i.inOrder.wait()
		if len(told) > 0 {
			decoded := 0
			_ = readFrames(strings.NewReader(frame), skip, func(globalEvent) { decoded++ })
			if decoded == 0 {
				t.Errorf("%q is heard as %+v, and is skipped", raw, told)
			}
		}
		for _, e := range told {
			if e.Origin != here || e.Kind == "" {
				t.Errorf("%q is heard as %+v", raw, e)
			}
			asks := e.Kind == event.Asked || e.Kind == event.Captured
			if asks != (len(e.Asks) == 1) && e.Kind != event.Named {
				t.Errorf("%q: %s with %d asks", raw, e.Kind, len(e.Asks))
			}
			if e.Kind == event.Asked && e.Asks[0].Request.ID == "" {
				t.Errorf("%q asks without an id", raw)
			}
		}
	})
}

// What may have ended a request is told first, then what the session does.
func TestHear_State(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`{"type":"session.idle","properties":{"sessionID":"ses_1"}}`, "[touched ses_1 ][rested ses_1 ]"},
		{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"idle"}}}`, "[touched ses_1 ][rested ses_1 ]"},
		{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"busy"}}}`, "[worked ses_1 ]"},
		{
			`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"retry","attempt":1,"message":"Too many requests","next":5}}}`,
			"[worked ses_1 ][retried ses_1 Too many requests]",
		},
		{
			`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"ProviderModelNotFoundError","data":{"modelID":"x"}}}}`,
			"[touched ses_1 ][failed ses_1 ProviderModelNotFoundError]",
		},
		{
			`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"UnknownError","data":{"message":"no such thing"}}}}`,
			"[touched ses_1 ][failed ses_1 no such thing]",
		},
		{
			`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}}}`,
			"[touched ses_1 ]",
		},
		{`{"type":"session.error","properties":{"error":{"name":"UnknownError"}}}`, "[touched  ]"},
		{`{"type":"session.status","properties":{"status":{"type":"busy"}}}`, ""},
		{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"asleep"}}}`, ""},
	} {
		got := ""
		for _, e := range hearRaw(t, test.raw) {
			got += fmt.Sprint([]any{e.Kind, e.Session, e.Text})
		}
		if got != test.want {
			t.Errorf("%s\nis heard as %s\nwant        %s", test.raw, got, test.want)
		}
	}
}

// Between a look and its answer a turn may be stopped. The answer is told behind the stop, and then proves nothing.
func TestHear_AnAnswerToAStoppedTurnProvesNothing(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watch(t, Config{Servers: []Server{{URL: "http://opencode", Transport: s.Transport()}}})
		wait(0)
		s.Ask(proj, s.NewSession(proj, "Paint"), colour)
		wait(0)
		heard := w.take(event.Asked)
		if len(heard) != 1 {
			t.Fatalf("told %+v", heard)
		}
		r := heard[0].Asks[0].Request
		c, ok := w.Agent(heard[0].Origin)
		if !ok {
			t.Fatal("it cannot be reached")
		}
		abort(s, r)
		if err := c.Reply(t.Context(), r, question.Answers{{"Red"}}); err != nil {
			t.Fatal(err)
		}
		wait(0)
		if proofs := w.take(event.Replied); len(proofs) > 0 {
			t.Errorf("nobody got the answer, and told is %+v", proofs)
		}
		if f, err := c.Look(t.Context(), r); err != nil || f.Kind != event.FoundStopped {
			t.Errorf("found %q %v", f.Kind, err)
		}
	})
}

// The same events may be told twice: a plugin sends a batch again if it does not know that it arrived.
func TestHear_AnAnswerToAStoppedTurnProvesNothingHoweverOftenItIsTold(t *testing.T) {
	var told []event.Event
	i := listener(&told)
	for range 2 {
		for _, e := range []wire.Event{
			{Type: "session.status", Properties: json.RawMessage(`{"sessionID":"ses_1","status":{"type":"idle"}}`)},
			{Type: "question.replied", Properties: json.RawMessage(`{"sessionID":"ses_1","requestID":"que_1","answers":[["Red"]]}`)},
		} {
			i.hear(t.Context(), e)
			i.inOrder.wait()
		}
	}
	for _, e := range told {
		if e.Kind == event.Replied {
			t.Errorf("nobody got the answer, and told is %+v", e)
		}
	}
}
