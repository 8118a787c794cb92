package opencodesim

import (
	"fmt"
	"time"
)

// Speak makes the agent of a session say a piece of its next text, which goes on until
// Say or a tool call ends it. A session that is idle starts a turn. It panics if the session does not
// exist or waits for a tool call.
func (s *Simulator) Speak(session, piece string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ses := s.sessions[session]
	if ses == nil {
		panic(fmt.Sprintf("simulator: there is no session %q", session))
	}
	t := s.turnFor(ses.info.Directory, session, "Speak.")
	if t.open > 0 {
		panic(fmt.Sprintf("simulator: session %q waits for a tool call", session))
	}
	p := s.speaks(t)
	p.Text += piece
	s.bus.publishPiece(t, p, piece)
}

// speaks is the text that the turn is about to say.
func (s *Simulator) speaks(t *turn) *part {
	if t.speaking == nil {
		s.addPart(t, &part{Type: "step-start"})
		t.speaking = &part{Type: "text", Time: &partTime{Start: time.Now().UnixMilli()}}
		if s.is.modern {
			s.addPart(t, t.speaking)
		} else {
			s.place(t, t.speaking)
		}
	}
	return t.speaking
}

// hush ends the text that goes on, if there is one.
func (s *Simulator) hush(t *turn) {
	if p := t.speaking; p != nil {
		p.Time.End, t.speaking = time.Now().UnixMilli(), nil
		s.publishPart(t.inst, p)
	}
}

// publishPiece tells of a piece: new versions tell it alone, 1.1.53 the whole text as
// well (measured on 1.1.53 and 1.18.33).
func (b *eventBus) publishPiece(t *turn, p *part, piece string) {
	if b.is.modern {
		b.publish(t.inst.dir, "message.part.delta", deltaEvent{p.SessionID, p.MessageID, p.ID, "text", piece})
		return
	}
	b.publish(t.inst.dir, "message.part.updated", pieceEvent{p, piece})
}

type pieceEvent struct {
	Part  *part  `json:"part"`
	Delta string `json:"delta"`
}

type deltaEvent struct {
	SessionID string `json:"sessionID"`
	MessageID string `json:"messageID"`
	PartID    string `json:"partID"`
	Field     string `json:"field"`
	Delta     string `json:"delta"`
}
