package opencode

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"unicode/utf8"

	"hermes/internal/recent"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

const (
	// maxSpeakers bounds of how many sessions the last words are kept.
	maxSpeakers = 256
	// maxWords bounds how much of them is kept, in code points: what a card may show.
	maxWords = 1200
)

// lastWords are what the agents of an OpenCode have written last in a turn that goes on, by
// session: what they wrote before they ask. They are known from events alone, so nothing waits
// for them; after a start of hermes those of what asks already are not known. Safe for concurrent
// use.
type lastWords struct {
	mu sync.Mutex
	of *recent.Map[session.ID, lastText]
}

// lastText is the last text of a session, which may go on, and what was written before it.
type lastText struct{ part, text, before string }

// words are those of the text, or of the one before as long as it has only begun.
func (t lastText) words() string {
	if text := strings.TrimSpace(t.text); text != "" {
		return text
	}
	return t.before
}

func newLastWords() *lastWords { return &lastWords{of: recent.New[session.ID, lastText](maxSpeakers)} }

// before is what the agent of a session wrote last; empty: nothing is known.
func (w *lastWords) before(id session.ID) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text, _ := w.of.Peek(id)
	return text.words()
}

// keep keeps the end of a text; part is empty for one that does not go on.
func (w *lastWords) keep(id session.ID, part, text string) {
	if id == "" || len(id) > maxSessionID || len(part) > maxSessionID || part == "" && strings.TrimSpace(text) == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	last, _ := w.of.Peek(id)
	w.of.Add(id, lastText{part: part, text: endOfWords(text), before: last.words()})
}

// goOn adds a piece to the text that it belongs to, if that is the last one.
func (w *lastWords) goOn(s spokenWords) {
	id := session.ID(s.SessionID)
	w.mu.Lock()
	defer w.mu.Unlock()
	if last, ok := w.of.Peek(id); ok && s.PartID != "" && s.PartID == last.part && s.Field == "text" {
		last.text = endOfWords(last.text + s.Delta)
		w.of.Add(id, last)
	}
}

func (w *lastWords) forget(id session.ID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of.Remove(id)
}

// endOfWords is the end of a text, which says that it is one.
func endOfWords(text string) string {
	over := utf8.RuneCountInString(text) - maxWords
	if over <= 0 {
		return text
	}
	return "…" + string([]rune(text)[over+1:])
}

// spokenWords is what hermes reads of the events that tell of an agent's words.
type spokenWords struct {
	SessionID string `json:"sessionID"`
	Text      string `json:"text"` // session.text.ended (2.x)
	Said      string `json:"said"` // of an ask: the plugin adds it
	PartID    string `json:"partID"`
	Field     string `json:"field"`
	Delta     string `json:"delta"`
	Part      struct {
		ID        string          `json:"id"`
		SessionID string          `json:"sessionID"`
		Type      string          `json:"type"`
		Text      string          `json:"text"`
		Time      json.RawMessage `json:"time"` // a prompt's text has none
		Synthetic bool            `json:"synthetic"`
	} `json:"part"`
}

// hear takes in an event. Whole texts come in message.part.updated (1.x) and session.text.ended
// (2.x). With some providers a text has its end after the ask that follows it (1.18.34), so its
// pieces count.
func (w *lastWords) hear(e wire.Event) {
	var s spokenWords
	switch e.Type {
	case "message.part.updated":
		if !bytes.Contains(e.Properties, []byte(`"type":"text"`)) {
			return // a call, whose output may be long and grow
		}
		_ = json.Unmarshal(e.Properties, &s) // what does not fit stays empty
		if s.Part.Type == "text" && len(s.Part.Time) > 0 && !s.Part.Synthetic {
			w.keep(session.ID(s.Part.SessionID), s.Part.ID, s.Part.Text)
		}
	case "message.part.delta":
		_ = json.Unmarshal(e.Properties, &s)
		w.goOn(s)
	case "session.text.ended":
		_ = json.Unmarshal(e.Properties, &s)
		w.keep(session.ID(s.SessionID), "", s.Text)
	case "question.asked", "permission.asked", "tool.execute.before":
		_ = json.Unmarshal(e.Properties, &s)
		w.keep(session.ID(s.SessionID), "", s.Said)
	case "session.idle", "session.deleted", "session.execution.succeeded", "session.execution.failed", "session.execution.interrupted":
		_ = json.Unmarshal(e.Properties, &s)
		w.forget(session.ID(s.SessionID))
	}
}
