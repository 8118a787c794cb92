package relay

import (
	"encoding/json"
	"slices"
	"strings"

	"hermes/opencode/call"
	"hermes/opencode/prompt"
	"hermes/opencode/wire"
)

// What hermes reads of the answers of OpenCode 2; opencode/v2 is what reads it. Nothing else crosses.
var (
	nothing = only("").of
	toolRef = only("messageID callID id").of
	model   = only("providerID id").of
	failure = only("type message").of

	// What is asked is shown to people: all of it crosses, but for what is larger than anything that is shown.
	field = only("key type title description required placeholder custom format pattern minLength maxLength minimum maximum minItems maxItems url").
		with(fields{"default": whole, "when": only("key op").with(fields{"value": whole}).of, "options": only("value label description").of})
	form = only("id sessionID title").
		with(fields{"metadata": only("kind server message").with(fields{"tool": toolRef}).of, "fields": field.of}).of
	permission = only("id sessionID action message resources save").with(fields{"source": toolRef, "metadata": moderate}).of

	state     = fields{"status": plain, "answer": whole}
	formState = state.with(fields{"state": state.of}).of

	sessionInfo = only("id parentID projectID title agent").
			with(fields{"model": model, "location": only("directory").of, "time": only("updated").of}).of

	// Of a message hermes reads what agents said and how their calls ended. Of one that is read alone it reads the
	// calls' input, as that is what a request is about.
	answered = fields{"answers": whole}.of
	toolCall = only("status").with(fields{"error": failure, "structured": answered, "metadata": answered})
	part     = only("type id name text").with(fields{"state": toolCall.of})
	asking   = only("type id name").with(fields{"state": toolCall.with(fields{"input": whole}).of})
	message  = only("id type agent finish cost").with(fields{
		"model": model, "error": failure, "time": only("created completed").of, "snapshot": only("files").of,
		"tokens": only("input output reasoning").with(fields{"cache": only("read write").of}).of,
	})

	waitingText = only("text").with(fields{"files": nothing, "agents": nothing}).of
	waiting     = only("id inboxID").with(fields{"data": waitingText, "payload": waitingText}).of
)

// parts keeps the parts of a message: their words if they are texts, and not what models reason.
func parts(value any) any {
	kept := part.of(value)
	list, _ := kept.([]any)
	for _, one := range list {
		if object, _ := one.(map[string]any); object["type"] != "text" {
			delete(object, "text")
		}
	}
	return kept
}

// working keeps the names of an object, which are the sessions that work.
func working(value any) any {
	object, _ := value.(map[string]any)
	kept := map[string]any{}
	for name := range object {
		kept[name] = map[string]any{}
	}
	return kept
}

// command keeps of each command of OpenCode's own its name and whether it may be given a text: then it has an empty template
// in the place of its own.
func command(value any) any {
	one, ok := value.(map[string]any)
	if !ok {
		return each(value, command)
	}
	kept := map[string]any{"name": plain(one["name"])}
	if takesText(one) {
		kept["template"] = ""
	}
	return kept
}

func takesText(command map[string]any) bool {
	template, ok := command["template"].(string)
	return ok && prompt.TakesText(template)
}

// refused keeps of an error what it is called, and of one about the answers to a form what is wrong with them.
func refused(value any) any {
	if named, _ := value.(map[string]any); named["_tag"] == call.InvalidAnswerTag {
		return only("_tag message").of(value)
	}
	return only("_tag").of(value)
}

// What hermes reads of the events of OpenCode 2. Others do not cross: a directory that begins to be used says some eighty.
var (
	settled = only("id sessionID requestID reply").with(fields{"answer": whole}).of
	turn    = only("sessionID reason").with(fields{"error": failure}).of
	toolEnd = only("sessionID assistantMessageID callID id").of

	events = map[string]shape{
		"location.shutdown":             nothing,
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
		"session.created":               only("sessionID parentID projectID title").with(fields{"info": only("id parentID projectID title").of}).of,
		"session.renamed":               only("sessionID title").of,
		"session.deleted":               only("sessionID").of,
		"session.text.ended":            only("sessionID assistantMessageID ordinal").with(fields{"text": end}).of, // shown with what is asked next
		"session.tool.success":          toolEnd,
		"session.tool.failed":           toolEnd,
	}

	// spoken are the events that show how a session goes on. They cross of followed sessions alone.
	spoken = map[string]shape{
		"session.text.delta":         only("sessionID assistantMessageID ordinal delta").of,
		"session.tool.input.started": only("sessionID assistantMessageID callID id name").of,
		"session.tool.called":        only("sessionID assistantMessageID callID id").with(fields{"input": subject}).of,
	}
)

// end keeps the end of a text.
func end(value any) any {
	text, _ := value.(string)
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
	if skips(text) || json.Unmarshal([]byte(text), &f) != nil {
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

// skips reports, before it is decoded, that an event is none that crosses: there are thousands
// of pieces of what models write in a turn.
func skips(text string) bool {
	head := text[:min(len(text), 256)]
	return slices.ContainsFunc([]string{`"type":"session.reasoning.`, `"type":"session.tool.input.delta"`, `"type":"plugin.`, `"type":"catalog.`},
		func(kind string) bool { return strings.Contains(head, kind) })
}
