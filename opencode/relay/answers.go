package relay

import (
	"hermes/opencode/call"
	"hermes/opencode/prompt"
)

// What hermes reads of the answers of OpenCode 2; opencode/v2 is what reads it. Nothing else
// crosses.
var (
	toolRef = plainFields("messageID", "callID", "id").of
	model   = plainFields("providerID", "id").of
	failure = plainFields("type", "message").of

	option = plainFields("value", "label", "description").of
	when   = fields{"key": plain, "op": plain, "value": whole}.of
	field  = plainFields(
		"key", "type", "title", "description", "required", "placeholder", "custom", "format", "pattern",
		"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "url",
	).with(fields{"when": list(when), "default": whole, "options": list(option)}).of

	// What an ask says of itself is shown to people: all of it crosses, but for what is larger than anything that is shown.
	form = plainFields("id", "sessionID", "title").with(fields{
		"metadata": plainFields("kind", "server", "message").with(fields{"tool": toolRef}).of,
		"fields":   list(field),
	}).of
	permission = plainFields("id", "sessionID", "action", "message").with(fields{
		"resources": list(plain), "save": list(plain), "source": toolRef, "metadata": moderate,
	}).of

	state     = fields{"status": plain, "answer": whole}
	formState = state.with(fields{"state": state.of}).of

	sessionInfo = plainFields("id", "parentID", "title", "agent").with(fields{
		"model": model, "location": plainFields("directory").of, "time": plainFields("updated").of,
	}).of

	answered = fields{"answers": whole}.of
	toolCall = fields{"status": plain, "error": either(failure), "structured": answered, "metadata": answered}

	messageInfo = plainFields("id", "type", "agent", "finish", "cost").with(fields{
		"model": model, "error": failure, "time": plainFields("created", "completed").of, "snapshot": fields{"files": list(plain)}.of,
		"tokens": plainFields("input", "output", "reasoning").with(fields{"cache": plainFields("read", "write").of}).of,
	})

	// Of the messages in a list hermes reads what agents said and how their calls ended; of one
	// message its calls, as their input is what an ask is about.
	message = messageInfo.with(fields{"content": list(part(toolCall, true))}).of
	asking  = messageInfo.with(fields{"content": list(part(toolCall.with(fields{"input": whole}), false))}).of

	waitingText = fields{"text": plain, "files": list(nothing), "agents": list(nothing)}.of
	waiting     = fields{"id": plain, "inboxID": plain, "data": waitingText, "payload": waitingText}.of
)

// part keeps a part of a message: of a tool call this of its state, of a text the words if
// they are wanted, of any other its type.
func part(state fields, words bool) shape {
	tool := fields{"type": plain, "id": plain, "name": plain, "state": state.of}.of
	text := plainFields("type", "text").of
	return func(value any) any {
		from, _ := value.(map[string]any)
		switch kind := from["type"]; {
		case kind == "tool":
			return tool(value)
		case kind == "text" && words:
			return text(value)
		}
		return plainFields("type").of(value)
	}
}

// command keeps of a command of OpenCode's own its name and whether it may be given a text. Its
// template is the business of who wrote it: an empty one stands for every one that may.
func command(value any) any {
	kept, _ := plainFields("name").of(value).(map[string]any)
	if template, ok := templateOf(value); ok && kept != nil && prompt.TakesText(template) {
		kept["template"] = ""
	}
	return kept
}

// templateOf is a command's template; false: it does not say it.
func templateOf(value any) (string, bool) {
	from, _ := value.(map[string]any)
	template, ok := from["template"].(string)
	return template, ok
}

// refused keeps of an error what it is called, and of one about the answers to a form what is
// wrong with them.
func refused(value any) any {
	kept, _ := plainFields("_tag").of(value).(map[string]any)
	if kept["_tag"] == call.InvalidAnswerTag {
		kept = plainFields("_tag", "message").of(value).(map[string]any)
	}
	return kept
}
