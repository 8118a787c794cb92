package relay

import (
	"encoding/json"
	"slices"
	"strings"

	"hermes/opencode/wire"
)

// What hermes reads of the events of OpenCode 2. Others do not cross: a directory that begins
// to be used says some eighty.
var (
	settled = plainFields("id", "sessionID", "requestID", "reply").with(fields{"answer": whole}).of
	turn    = plainFields("sessionID", "reason").with(fields{"error": failure}).of

	events = map[string]shape{
		"form.created":                  fields{"form": form}.of,
		"form.replied":                  settled,
		"form.cancelled":                settled,
		"permission.asked":              permission,
		"permission.v2.asked":           permission,
		"permission.replied":            settled,
		"permission.v2.replied":         settled,
		"session.execution.started":     turn,
		"session.execution.succeeded":   turn,
		"session.execution.failed":      turn,
		"session.execution.interrupted": turn,
		"session.step.started":          turn,
		"session.retry.scheduled":       turn,
		"session.created":               fields{"sessionID": plain, "info": plainFields("id", "parentID", "title").of}.of,
		"session.renamed":               plainFields("sessionID", "title").of,
		"session.deleted":               plainFields("sessionID").of,
		"session.tool.success":          plainFields("sessionID", "assistantMessageID", "callID", "id").of,
		"session.tool.failed":           plainFields("sessionID", "assistantMessageID", "callID", "id").of,
	}

	// spoken are the events of what sessions write. They cross of followed sessions alone, but for lastWords.
	spoken = map[string]shape{
		"session.text.delta":         plainFields("sessionID", "assistantMessageID", "ordinal", "delta").of,
		"session.text.ended":         plainFields("sessionID", "assistantMessageID", "ordinal").with(fields{"text": end}).of,
		"session.tool.input.started": plainFields("sessionID", "assistantMessageID", "callID", "id", "name").of,
		"session.tool.called":        plainFields("sessionID", "assistantMessageID", "callID", "id").with(fields{"input": subject}).of,
	}
)

// end keeps the end of a text.
func end(value any) any {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	return wire.EndOf(text)
}

// subject keeps of a tool call's input what it works on, in one line.
func subject(value any) any {
	raw, err := encode(value)
	var input map[string]json.RawMessage
	if err != nil || json.Unmarshal(raw, &input) != nil {
		return nil
	}
	return map[string]any{"description": wire.Subject(input)}
}

// frame is an event of the stream.
type frame struct {
	Type     string `json:"type"`
	Location struct {
		Directory string `json:"directory,omitempty"`
	} `json:"location,omitzero"`
	Data json.RawMessage `json:"data,omitempty"`
}

// connectedEvent is the first event of a stream.
const connectedEvent = "server.connected"

// crossing is an event as hermes gets it; false: it does not cross. isFollowed reports whether
// hermes wants to be told what a session writes.
func crossing(text string, isFollowed func(session string) bool) (frame, bool) {
	var f frame
	if json.Unmarshal([]byte(text), &f) != nil {
		return frame{}, false
	}
	if f.Type == connectedEvent {
		return frame{Type: connectedEvent}, true
	}
	keep := events[f.Type]
	if keep == nil {
		var of struct{ SessionID string }
		if keep = spoken[f.Type]; keep == nil || json.Unmarshal(f.Data, &of) != nil || !isFollowed(of.SessionID) {
			return frame{}, false
		}
	}
	kept, err := keep.reduce(f.Data)
	f.Data = kept
	return f, err == nil
}

// isSpoken reports whether an event is for display alone: it may wait a little.
func isSpoken(kind string) bool { return spoken[kind] != nil }

// skips reports, before it is decoded, that an event is none that crosses: there are thousands
// of pieces of what models write in a turn.
func skips(text string) bool {
	head := text[:min(len(text), 256)]
	return slices.ContainsFunc([]string{`"type":"session.reasoning.`, `"type":"session.tool.input.delta"`, `"type":"plugin.`, `"type":"catalog.`},
		func(kind string) bool { return strings.Contains(head, kind) })
}
