package opencode2sim_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"hermes/internal/simulate/opencode2sim"
)

// collector keeps what every stream of a simulator carries.
type collector struct {
	mu     sync.Mutex
	frames []map[string]any
}

// attach opens a stream, which ends with the process.
func (l *collector) attach(t *testing.T, sim *opencode2sim.Simulator) {
	t.Helper()
	req, err := http.NewRequest("GET", "http://opencode/api/event", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("opencode", "secret")
	res, err := sim.Transport().RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer res.Body.Close()
		for lines := bufio.NewReader(res.Body); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if text, ok := strings.CutPrefix(line, "data: "); ok {
				l.add(text)
			}
		}
	}()
}

func (l *collector) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var f map[string]any
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		f = map[string]any{"type": "broken: " + text}
	}
	l.frames = append(l.frames, f)
}

// bySession sorts events by their session, in the order of their first event.
func bySession(frames []map[string]any) (order []string, events map[string][]map[string]any) {
	events = map[string][]map[string]any{}
	for _, f := range frames {
		id := sessionOf(f)
		if id == "" || id == "global" {
			continue
		}
		if events[id] == nil {
			order = append(order, id)
		}
		events[id] = append(events[id], f)
	}
	return order, events
}

func sessionOf(f map[string]any) string {
	body, _ := f["data"].(map[string]any)
	if form, ok := body["form"].(map[string]any); ok {
		body = form
	}
	id, _ := body["sessionID"].(string)
	return id
}

// compareEvents holds the events of each captured session against those of the same session here.
func (r *replay) compareEvents(captured, ours []map[string]any) {
	order, theirs := bySession(captured)
	_, mine := bySession(ours)
	for _, id := range order {
		if r.other[id] || theirs[id][0]["type"] == "session.forked" {
			continue
		}
		own := mine[r.alike.ours[id]]
		switch id {
		case "ses_hermes0000000000000001": // repeated prompts: one or two empty busy periods
			continue
		case "ses_dfef1b78cffe7mkxPVFSOG5Lww": // the last of its capture: the stream was closed before its end
			own = own[:min(len(own), len(theirs[id]))]
		}
		r.compareSession(id, theirs[id], own)
	}
}

func (r *replay) compareSession(id string, theirs, mine []map[string]any) {
	if a, b := counts(theirs), counts(mine); a != b {
		r.Errorf("session %s\n  captured %s\n  got      %s", id, a, b)
	}
	a, b := groups(theirs), groups(mine)
	for i := range min(len(a), len(b)) {
		if x, y := types(a[i]), types(b[i]); x != y {
			r.Errorf("session %s\n  captured the order\n    %s\n  got\n    %s", id, x, y)
			continue
		}
		for n := range a[i] {
			r.compareEvent(a[i][n], b[i][n])
		}
	}
}

func (r *replay) compareEvent(theirs, mine map[string]any) {
	for _, key := range []string{"data", "location"} {
		if d := r.alike.differ(fmt.Sprint(theirs["type"])+"."+key, theirs[key], mine[key]); d != "" {
			r.Error(d)
		}
	}
	if (theirs["durable"] == nil) != (mine["durable"] == nil) || (theirs["created"] == nil) != (mine["created"] == nil) {
		r.Errorf("captured %s, got %s", show(theirs), show(mine))
	}
}

// counts are how many events of each type there are; pieces of texts do not count.
func counts(events []map[string]any) string {
	n := map[string]int{}
	for _, e := range events {
		if kind := fmt.Sprint(e["type"]); kind != "session.text.delta" {
			n[kind]++
		}
	}
	var lines []string
	for kind, times := range n {
		lines = append(lines, fmt.Sprintf("%s×%d", kind, times))
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

// groups are the events in the order in which they have to come: all in one group, or, of
// sessions that make calls side by side, those of each call in a group of its own. What
// has no fixed place (the title, the use) and pieces of texts are left out.
func groups(events []map[string]any) [][]map[string]any {
	calls := map[string]string{} // of requests
	order := []string{""}
	by := map[string][]map[string]any{}
	for _, e := range events {
		switch e["type"] {
		case "session.renamed", "session.usage.updated", "session.text.delta":
			continue
		}
		call := ""
		if sideBySide(events) {
			call = callOf(e, calls)
		}
		if by[call] == nil && call != "" {
			order = append(order, call)
		}
		by[call] = append(by[call], e)
	}
	var all [][]map[string]any
	for _, call := range order {
		all = append(all, by[call])
	}
	return all
}

// sideBySide tells whether a step of a session makes several calls.
func sideBySide(events []map[string]any) bool {
	n := 0
	for _, e := range events {
		switch e["type"] {
		case "session.step.started":
			n = 0
		case "session.tool.called":
			if n++; n > 1 {
				return true
			}
		}
	}
	return false
}

// callOf is the tool call that an event is about, also that of a form or a permission.
func callOf(e map[string]any, calls map[string]string) string {
	body, _ := e["data"].(map[string]any)
	if form, ok := body["form"].(map[string]any); ok {
		body = form
	}
	call, _ := body["callID"].(string)
	for _, path := range [][]string{{"source"}, {"metadata", "tool"}} {
		inner := body
		for _, key := range path {
			inner, _ = inner[key].(map[string]any)
		}
		if id, ok := inner["callID"].(string); ok {
			call = id
		}
	}
	for _, key := range []string{"id", "requestID"} {
		if id, ok := body[key].(string); ok && call != "" {
			calls[id] = call
		} else if ok {
			call = calls[id]
		}
	}
	return call
}

func types(events []map[string]any) string {
	var list []string
	for _, e := range events {
		list = append(list, fmt.Sprint(e["type"]))
	}
	return strings.Join(list, " ")
}

// capturedEvents are the events of captures. Of a restart only those are comparable that
// the sessions of the second stream had from their start: a stand-in resumes what was cut
// before anybody can listen.
func capturedEvents(t *testing.T, names ...string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, name := range names {
		frames := readFrames(t, name)
		if name == "08-restart-2" {
			frames = fromTheirStart(frames)
		}
		all = append(all, frames...)
	}
	return all
}

func fromTheirStart(frames []map[string]any) []map[string]any {
	_, events := bySession(frames)
	return slices.DeleteFunc(frames, func(f map[string]any) bool {
		own := events[sessionOf(f)]
		return len(own) > 0 && own[0]["type"] != "session.created"
	})
}
