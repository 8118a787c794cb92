package opencode

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"hermes/internal/event"
	"hermes/internal/recent"
	"hermes/internal/session"
	v1 "hermes/opencode/v1"
	"hermes/opencode/wire"
)

// spokenStep is a step of a followed session as the plugin sends it, and what
// hermes reads of message.part.delta, which is how text streams from 1.2 on.
type spokenStep struct {
	SessionID string `json:"sessionID"`
	MessageID string `json:"messageID"`
	PartID    string `json:"partID"`
	Tool      string `json:"tool"`
	Title     string `json:"title"`
	Status    string `json:"status"`
	Text      string `json:"text"`
	Field     string `json:"field"`
	Delta     string `json:"delta"`
}

func (w spokenStep) step() session.StreamChunk {
	return session.StreamChunk{
		Message: session.MessageID(w.MessageID), Part: w.PartID, Tool: w.Tool, Title: wire.FirstLine(w.Title),
		Ended: wire.IsEnd(w.Status), Text: wire.EndOf(w.Text),
	}
}

// maxTexts bounds how many texts are followed at a time.
const maxTexts = 64

// maxPieces bounds how many events with a whole text that continues are kept undecoded.
const maxPieces = 16

// followedSessions are the sessions of which hermes shows what they write, while they
// write it. The zero value has none. Safe for concurrent use.
type followedSessions struct {
	ids atomic.Pointer[map[session.ID]bool]
}

func (f *followedSessions) set(sessions []session.ID) {
	ids := map[session.ID]bool{}
	for _, id := range sessions {
		ids[id] = true
	}
	f.ids.Store(&ids)
}

func (f *followedSessions) has(id session.ID) bool {
	ids := f.ids.Load()
	return ids != nil && (*ids)[id]
}

// speechFollower makes of the events of a direct way what followed sessions say. It is for
// one goroutine. Events tell a text in pieces (from 1.2 on) or whole at each piece
// (1.1.53), a tool call whenever its output grows.
type speechFollower struct {
	isFollowed func(session.ID) bool
	texts      *recent.Map[string, string] // by part: the end of a text that continues
	pieces     *recent.Map[string, string] // by session: the last event with a whole text that was not decoded
	calls      *recent.Map[string, string] // by part: what was reported of a tool call last
	whole      string                      // the head of the last event with a whole text that continues
	wholeAt    time.Time
}

func newSpeech(followed func(session.ID) bool) *speechFollower {
	return &speechFollower{isFollowed: followed, texts: recent.New[string, string](maxTexts), calls: recent.New[string, string](maxTexts), pieces: recent.New[string, string](maxPieces)}
}

// hear reports what is new of a followed session.
func (s *speechFollower) hear(e wire.Event) (session.ID, session.StreamChunk, bool) {
	switch e.Type {
	case "message.part.delta":
		return s.hearDelta(e)
	case "message.part.updated":
		return s.hearPart(e)
	case "session.idle":
		if p := v1.PropertiesOf(e); s.isFollowed(p.Session()) {
			s.forgetTurn(p.Session())
		}
	}
	return "", session.StreamChunk{}, false
}

// forgetTurn forgets what a session said in the turn that has ended.
func (s *speechFollower) forgetTurn(id session.ID) {
	for _, m := range []*recent.Map[string, string]{s.texts, s.calls} {
		for _, part := range m.Keys() {
			if strings.HasPrefix(part, partOf(id, "")) {
				m.Remove(part)
			}
		}
	}
}

// partOf names a part.
func partOf(id session.ID, part string) string { return string(id) + "/" + part }

func (s *speechFollower) hearDelta(e wire.Event) (session.ID, session.StreamChunk, bool) {
	var w spokenStep
	_ = json.Unmarshal(e.Properties, &w)
	id := session.ID(w.SessionID)
	part := partOf(id, w.PartID)
	text, speaks := s.texts.Peek(part) // else it thinks
	if w.Field != "text" || !speaks {
		return "", session.StreamChunk{}, false
	}
	w.Text = wire.EndOf(text + w.Delta)
	s.texts.Add(part, w.Text)
	return id, w.step(), s.isFollowed(id)
}

func (s *speechFollower) hearPart(e wire.Event) (session.ID, session.StreamChunk, bool) {
	var w struct {
		Part struct {
			v1.Part
			MessageID string          `json:"messageID"`
			Time      json.RawMessage `json:"time"`
		} `json:"part"`
	}
	_ = json.Unmarshal(e.Properties, &w) // what does not fit stays empty
	p, id := w.Part, session.ID(w.Part.SessionID)
	if p.ID == "" || !s.isFollowed(id) {
		return "", session.StreamChunk{}, false
	}
	spoken := spokenStep{MessageID: p.MessageID, PartID: p.ID}
	switch {
	case p.Type == "text" && len(p.Time) > 0 && !p.Synthetic: // a prompt's text has no time
		s.texts.Add(partOf(id, p.ID), wire.EndOf(p.Text))
		spoken.Text = p.Text
	case p.Type == "tool":
		spoken.Tool, spoken.Title, spoken.Status = p.Tool, wire.Subject(p.State.Input), p.State.Status
		told := spoken.Status + " " + spoken.Title
		if last, _ := s.calls.Peek(partOf(id, p.ID)); last == told {
			return "", session.StreamChunk{}, false
		}
		s.calls.Add(partOf(id, p.ID), told)
	default:
		return "", session.StreamChunk{}, false
	}
	return id, spoken.step(), true
}

// lastPiece is the event with a whole text that continues that came last in the session of an
// ask, if it was not decoded: what the agent wrote before.
func (s *speechFollower) lastPiece(e wire.Event) (piece wire.Event, ok bool) {
	switch e.Type {
	case "question.asked", "permission.asked", "session.idle":
	default:
		return wire.Event{}, false
	}
	id := string(v1.PropertiesOf(e).Session())
	data, ok := s.pieces.Peek(id)
	s.pieces.Remove(id)
	if !ok || e.Type == "session.idle" {
		return wire.Event{}, false
	}
	var g globalEvent
	err := json.Unmarshal([]byte(data), &g)
	return g.Payload, err == nil
}

// streamedText matches the beginning of an event that says nothing but that a text
// continues: there are thousands of them a turn, each with the whole text on 1.1.53.
var streamedText = regexp.MustCompile(`^\{(?:"(?:directory|project)":"(?:[^"\\]|\\.)*",)*"payload":\{(?:"id":"[^"]*",)?"type":"message\.part\.` +
	`(?:delta","properties":\{"sessionID":"[^"]*",|updated","properties":\{(?:"sessionID":"[^"]*",)?"part":\{(?:"(?:id|sessionID|messageID)":"[^"]*",)*"type":"(?:text|reasoning)",)`)

const (
	// headMost bounds how much of an event is looked at for that.
	headMost = 8 << 10
	// wholeEvery is how often a text is read that comes whole at each piece.
	wholeEvery = time.Second / 2
)

// skips reports, before it is decoded, whether an event is of that kind and can be
// dropped: the session is not followed, or more of the text follows at once. What lastWords
// hears of is not dropped; of texts that come whole at each piece the last one is kept for lastPiece.
func (s *speechFollower) skips(data string) bool {
	head := streamedText.FindString(data[:min(len(data), headMost)])
	if head == "" {
		return false
	}
	whole := strings.Contains(head, `.updated"`)
	inPieces := whole && strings.LastIndex(data, `,"delta":"`) >= 0
	if !s.isFollowed(session.ID(sessionIn(head))) {
		return s.skipsUnfollowed(head, data, whole, inPieces)
	}
	if !inPieces {
		return false
	}
	if head == s.whole && time.Since(s.wholeAt) < wholeEvery {
		return s.skipsUnfollowed(head, data, whole, inPieces)
	}
	s.whole, s.wholeAt = head, time.Now()
	return false
}

func (s *speechFollower) skipsUnfollowed(head, data string, whole, inPieces bool) bool {
	isText := strings.HasSuffix(head, `"type":"text",`)
	if whole && inPieces && isText {
		s.pieces.Add(sessionIn(head), data)
	}
	return whole && (inPieces || !isText)
}

// sessionIn is the session that the beginning of an event names.
func sessionIn(head string) string {
	_, after, ok := strings.Cut(head, `"sessionID":"`)
	id, _, _ := strings.Cut(after, `"`)
	if !ok {
		return ""
	}
	return id
}

// hearSpoken processes a step that the plugin sends.
func (i *instance) hearSpoken(e wire.Event) {
	var w spokenStep
	if json.Unmarshal(e.Properties, &w) == nil && w.SessionID != "" {
		i.emitSpoken(session.ID(w.SessionID), w.step())
	}
}

func (i *instance) emitSpoken(id session.ID, s session.StreamChunk) {
	i.emit(event.Event{Kind: event.Spoke, Origin: i.origin, Session: id, Spoken: s})
}
