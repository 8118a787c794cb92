package v2

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"hermes/internal/recent"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// maxParts bounds how many texts and tool calls are followed at a time.
const maxParts = 128

// Speech is what followed sessions write, while they write it. It hears the events of one
// stream, in their order; it is not safe for concurrent use.
type Speech struct {
	isFollowed func(session.ID) bool
	parts      *recent.Map[string, session.StreamChunk] // as they were told last, by session and part
}

// NewSpeech follows the sessions of which isFollowed reports true at that time.
func NewSpeech(isFollowed func(session.ID) bool) *Speech {
	return &Speech{isFollowed: isFollowed, parts: recent.New[string, session.StreamChunk](maxParts)}
}

// spoken is what hermes reads of an event of a text or a tool call.
type spoken struct {
	SessionID string                     `json:"sessionID"`
	MessageID string                     `json:"assistantMessageID"`
	Ordinal   int                        `json:"ordinal"` // of a text in its message
	Delta     string                     `json:"delta"`
	Text      string                     `json:"text"`   // whole, at its end
	CallID    string                     `json:"callID"` // the preview
	ID        string                     `json:"id"`     // the same, in the release
	Name      string                     `json:"name"`   // of a tool, when its call begins
	Input     map[string]json.RawMessage `json:"input"`
}

// Hear reports what is new of a followed session. A tool is named when the model begins to
// write its call, by session.tool.input.started and no later event.
func (s *Speech) Hear(e wire.Event) (session.ID, session.StreamChunk, bool) {
	id := SessionOf(e)
	if !s.isFollowed(id) {
		return "", session.StreamChunk{}, false
	}
	var w spoken
	_ = json.Unmarshal(e.Properties, &w) // what does not fit stays empty
	text := session.StreamChunk{Message: session.MessageID(w.MessageID), Part: "text-" + strconv.Itoa(w.Ordinal)}
	tool := session.StreamChunk{Message: session.MessageID(w.MessageID), Part: cmp.Or(w.CallID, w.ID)}
	switch e.Type {
	case "session.text.delta":
		text.Text = s.before(id, text).Text + w.Delta
	case "session.text.ended":
		text.Text = w.Text
	case "session.tool.input.started":
		tool.Tool = w.Name
	case "session.tool.called":
		tool.Tool, tool.Title = s.before(id, tool).Tool, wire.Subject(w.Input)
	case "session.tool.success", "session.tool.failed":
		tool = s.before(id, tool)
		tool.Ended = true
	case "session.execution.succeeded", "session.execution.failed", "session.execution.interrupted":
		s.forget(id)
		return "", session.StreamChunk{}, false
	default:
		return "", session.StreamChunk{}, false
	}
	if tool.Tool != "" {
		return s.tell(id, tool)
	}
	text.Text = wire.EndOf(text.Text)
	return s.tell(id, text)
}

// tell remembers a chunk, and reports whether it says anything new.
func (s *Speech) tell(id session.ID, c session.StreamChunk) (session.ID, session.StreamChunk, bool) {
	if c == s.before(id, c) || c.Tool == "" && c.Text == "" {
		return "", session.StreamChunk{}, false
	}
	s.parts.Add(partOf(id, c), c)
	return id, c, true
}

// before is what was told last of that part; of an unknown one its name alone.
func (s *Speech) before(id session.ID, c session.StreamChunk) session.StreamChunk {
	if told, ok := s.parts.Peek(partOf(id, c)); ok {
		return told
	}
	return session.StreamChunk{Message: c.Message, Part: c.Part}
}

func partOf(id session.ID, c session.StreamChunk) string {
	return string(id) + "/" + string(c.Message) + "/" + c.Part
}

// forget forgets what a session said in the turn that has ended.
func (s *Speech) forget(id session.ID) {
	for _, part := range s.parts.Keys() {
		if strings.HasPrefix(part, string(id)+"/") {
			s.parts.Remove(part)
		}
	}
}

// piece matches the beginning of an event that brings a piece of what a model writes: there are
// thousands of them a turn.
var piece = regexp.MustCompile(`^\{"id":"[^"]*","created":\d+,"type":"session\.(?:text|reasoning|tool\.input)\.delta",(?:"location":\{"directory":"(?:[^"\\]|\\.)*"[^{}]*\},)?"data":\{"sessionID":"([^"]*)"`)

// headMost bounds how much of an event is looked at for that.
const headMost = 8 << 10

// Skips reports, before it is decoded, whether an event brings a piece of a session that is not
// followed. It may be called concurrently.
func (s *Speech) Skips(data string) bool {
	found := piece.FindStringSubmatch(data[:min(len(data), headMost)])
	return found != nil && !s.isFollowed(session.ID(found[1]))
}
