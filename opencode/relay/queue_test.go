package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func delta(ordinal int, text string) frame {
	raw, _ := json.Marshal(map[string]any{"sessionID": "ses_1", "assistantMessageID": "msg_1", "ordinal": ordinal, "delta": text})
	return frame{Type: "session.text.delta", Data: raw}
}

// Pieces of a text that follow one another are told as one; nothing changes places.
func TestQueue_Order(t *testing.T) {
	q := newQueue()
	for _, f := range []frame{delta(0, "a"), delta(0, "b"), delta(1, "c"), {Type: "session.step.started"}, delta(1, "d"), delta(1, "e")} {
		if err := q.put(f); err != nil {
			t.Fatal(err)
		}
	}
	if !q.isUrgent() {
		t.Error("a step may wait")
	}
	var told []string
	for _, text := range q.take() {
		var f struct {
			Type string
			Data struct{ Delta string }
		}
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatal(err)
		}
		told = append(told, f.Type[len("session."):]+" "+f.Data.Delta)
	}
	if got := strings.Join(told, ", "); got != "text.delta ab, text.delta c, step.started , text.delta de" {
		t.Errorf("told %s", got)
	}
	if q.take() != nil || q.isUrgent() || q.size != 0 {
		t.Errorf("something is left: %d bytes", q.size)
	}
	_ = q.put(delta(1, "f"))
	if len(q.take()) != 1 || q.isUrgent() {
		t.Error("what was taken goes on, or is urgent")
	}
}

// A request has room for one event at least, and for no more than it may have.
func TestQueue_Batches(t *testing.T) {
	q := newQueue()
	for range 3 {
		_ = q.put(frame{Type: "form.created", Data: json.RawMessage(`"` + strings.Repeat("x", batchBytes) + `"`)})
	}
	for range 250 {
		_ = q.put(frame{Type: "session.step.started"})
	}
	var sizes []int
	for batch := q.take(); batch != nil; batch = q.take() {
		sizes = append(sizes, len(batch))
	}
	if got := fmt.Sprint(sizes); got != "[1 1 1 100 100 50]" {
		t.Errorf("batches of %s", got)
	}
}

// What hermes does not take is not kept for ever: the stream ends, and another one begins with a listing.
func TestQueue_IsBounded(t *testing.T) {
	for name, f := range map[string]frame{"events": {Type: "session.step.started"}, "bytes": {Type: "form.created", Data: json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)}, "one text": delta(0, strings.Repeat("x", 1<<18))} {
		q := newQueue()
		var err error
		puts := 0
		for ; err == nil && puts < 2*maxQueued; puts++ {
			err = q.put(f)
		}
		if !errors.Is(err, errBehind) {
			t.Errorf("%s: %d are kept", name, puts)
		}
	}
}
