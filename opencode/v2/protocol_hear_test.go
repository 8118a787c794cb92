package v2_test

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"hermes/internal/event"
	"hermes/internal/session"
	v2 "hermes/opencode/v2"
	"hermes/opencode/wire"
)

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
	} {
		kind, data, _ := strings.Cut(raw, " ")
		said, known := v2.Protocol{}.Hear(wire.Event{Type: kind, Properties: json.RawMessage(data)})
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
		said, known := v2.Protocol{}.Hear(e)
		if !known || len(said) != 1 || said[0].Kind != event.Asked || said[0].Asks[0].Request.Form == nil {
			t.Errorf("%s says %+v", e.Properties, said)
		}
	}
}

// Events say which session they are of, also where they do not say the directory.
func TestSessionOf(t *testing.T) {
	none := map[string]bool{"server.connected": true, "catalog.updated": true}
	for _, e := range eventsIn(t, "events.jsonl") {
		if got := v2.SessionOf(e); strings.HasPrefix(string(got), "ses_") == none[e.Type] {
			t.Errorf("%s is of %q", e.Type, got)
		}
	}
}

func TestNameOf(t *testing.T) {
	for raw, want := range map[string]session.Session{
		`session.created {"sessionID":"ses_1","info":{"id":"ses_1","parentID":"ses_0","title":"sub"}}`:                 {ID: "ses_1", Parent: "ses_0", Title: "sub"},
		`session.created {"sessionID":"ses_1","info":{"id":"ses_1","title":"New session - 2026-11-22T02:07:16.181Z"}}`: {ID: "ses_1"},
		`session.renamed {"sessionID":"ses_1","title":"Paint"}`:                                                        {ID: "ses_1", Title: "Paint"},
		`session.deleted {"sessionID":"ses_1"}`:                                                                        {},
		`session.renamed {"title":"Paint"}`:                                                                            {Title: "Paint"},
	} {
		kind, data, _ := strings.Cut(raw, " ")
		got, ok := v2.NameOf(wire.Event{Type: kind, Properties: json.RawMessage(data)})
		if got != want || ok != (want.ID != "") {
			t.Errorf("%s names %+v, %v", raw, got, ok)
		}
	}
}
