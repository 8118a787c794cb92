package v1

import (
	"cmp"
	"encoding/json"
	"sync"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// maxTurns bounds how many turns are followed; others are not known.
const maxTurns = 1000

// Turns follows, in the events of one process, which turns are under way, who speaks in
// them, and for which asks they wait. An ask waits from its event on, if the turn that it is
// of is under way then, as long as nothing is told of its session that may end that. What
// has been measured to be told while an ask waits says nothing; everything else of its
// session, known or not, makes it doubtful, and then only a look tells.
//
// An abort is told (session.status, session.idle, session.error) when it is carried out,
// though its ask stays listed; so is a deletion (docs/design/proof.md). The events must be
// all of the process, in OpenCode's order. Safe for concurrent use.
type Turns struct {
	from time.Time // what is told before is not known to be all

	mu     sync.Mutex
	of     map[session.ID]*turn
	asks   int // that wait, in all turns
	doubts int // counts what may have ended any wait
}

// turn is one that is under way.
type turn struct {
	message session.MessageID // the answer that is being written; empty: it has not begun
	agent   string            // that writes it
	waits   map[question.RequestID]question.CallID
}

// NewTurns follows what is told from a time on.
func NewTurns(from time.Time) *Turns { return &Turns{from: from, of: map[session.ID]*turn{}} }

// Waits reports whether an ask certainly waits, by all that was heard.
func (t *Turns) Waits(r question.Request) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	in := t.of[r.Session]
	if in == nil || r.ID == "" || r.Message == "" || in.message != r.Message {
		return false
	}
	_, waits := in.waits[r.ID]
	return waits
}

// Doubt forgets that an ask waits.
func (t *Turns) Doubt(r question.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.doubts++
	if in := t.of[r.Session]; in != nil {
		t.forget(in, r.ID)
	}
}

// Agent is who asks, empty if it was not heard.
func (t *Turns) Agent(r question.Request) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if in := t.of[r.Session]; in != nil && r.Message != "" && in.message == r.Message {
		return in.agent
	}
	return ""
}

// Mark is a moment before a look.
type Mark struct {
	doubts int
	at     time.Time
}

// Mark marks this moment.
func (t *Turns) Mark() Mark {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Mark{t.doubts, time.Now()}
}

// Seen notes that a look which began at the mark found that the ask waits. It counts only
// if nothing that may have ended that was heard since.
func (t *Turns) Seen(m Mark, r question.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.doubts != t.doubts || m.at.Before(t.from) || r.ID == "" || r.Message == "" {
		return
	}
	in := t.begin(r.Session)
	if in == nil || in.message > r.Message {
		return
	}
	if in.message != r.Message {
		t.clear(in)
		in.message, in.agent = r.Message, r.Agent
	}
	t.add(in, r)
}

// Hear takes in the next event.
func (t *Turns) Hear(e wire.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Now().Before(t.from) {
		return
	}
	switch {
	case e.Type == "server.instance.disposed", e.Type == "global.disposed":
		t.endAll()
	case e.Type == "message.part.delta":
	case e.Type == "message.part.updated" && t.asks == 0:
		t.doubts++ // a call that fails is not read where nothing is certain, but a look may be under way
	default:
		var p told
		_ = json.Unmarshal(e.Properties, &p) // what does not fit stays empty, and then proves nothing
		t.hear(e.Type, p)
	}
}

// told is what an event tells of a turn.
type told struct {
	SessionID string       `json:"sessionID"`
	ID        string       `json:"id"` // of an ask
	Tool      wire.ToolRef `json:"tool"`
	Info      toldInfo     `json:"info"`
	Part      struct {
		Type      string `json:"type"`
		SessionID string `json:"sessionID"`
		MessageID string `json:"messageID"`
		CallID    string `json:"callID"`
		State     struct {
			Status string `json:"status"`
		} `json:"state"`
	} `json:"part"`
	Status struct {
		Type string `json:"type"`
	} `json:"status"`
}

// toldInfo is a message, or a session.
type toldInfo struct {
	ID        string `json:"id"`
	SessionID string `json:"sessionID"`
	Role      string `json:"role"`
	Agent     string `json:"agent"`
	Mode      string `json:"mode"` // the agent's older name
	Time      struct {
		Completed float64 `json:"completed"`
		Archived  float64 `json:"archived"`
	} `json:"time"`
	Error json.RawMessage `json:"error"`
}

// isUnfinished reports whether an answer has no end yet.
func (i toldInfo) isUnfinished() bool {
	return i.Role == "assistant" && i.Time.Completed == 0 && (len(i.Error) == 0 || string(i.Error) == "null")
}

// session is whose event it is. 1.1.53 names a session in info or part alone, and one that
// was deleted by the id of info.
func (p told) session() session.ID {
	return session.ID(cmp.Or(p.SessionID, p.Info.SessionID, p.Part.SessionID, p.Info.ID))
}

func (t *Turns) hear(kind string, p told) {
	id := p.session()
	in := t.of[id]
	switch kind {
	case "session.status":
		t.hearStatus(id, p.Status.Type)
	case "session.idle", "session.deleted", "session.error":
		t.end(id)
	case "question.asked", "permission.asked":
		t.hearAsked(in, p)
	case "message.updated":
		t.hearMessage(in, p.Info)
	case "message.part.updated":
		t.hearPart(in, p)
	case "session.created", "session.diff", "todo.updated":
	case "session.updated":
		if p.Info.Time.Archived != 0 {
			t.end(id)
		}
	default:
		t.doubt(in)
	}
}

// hearStatus begins and ends turns. Busy is told at the begin of every step: what was asked
// in the one before is done.
func (t *Turns) hearStatus(id session.ID, status string) {
	if status != "busy" {
		t.end(id)
		return
	}
	t.doubt(t.of[id])
	t.begin(id)
}

// hearAsked counts an ask only of the answer that is being written: a turn that was stopped
// may ask once more (its answer is not that of a turn under way).
func (t *Turns) hearAsked(in *turn, p told) {
	if in != nil && in.message != "" && string(in.message) == p.Tool.MessageID {
		t.add(in, question.Request{ID: question.RequestID(p.ID), Call: question.CallID(p.Tool.CallID)})
	}
}

// hearMessage notes which answer is being written. Prompts may come in at any time; they
// wait for the end of the turn.
func (t *Turns) hearMessage(in *turn, m toldInfo) {
	if m.Role == "user" {
		return
	}
	id := session.MessageID(m.ID)
	switch {
	case in == nil:
		t.doubts++ // its turn is not known, and a look may be under way
	case !m.isUnfinished() || id < in.message:
		t.doubt(in)
		if id >= in.message {
			in.message = ""
		}
	case id > in.message:
		t.doubt(in)
		in.message, in.agent = id, cmp.Or(m.Agent, m.Mode)
	}
}

// hearPart tells what goes on in the answer from what may end it.
func (t *Turns) hearPart(in *turn, p told) {
	switch part := p.Part; {
	case part.Type == "text", part.Type == "reasoning", part.Type == "step-start", part.Type == "file", part.Type == "agent":
	case in == nil, part.Type != "tool" || part.MessageID != string(in.message):
		t.doubt(in)
	case part.State.Status == "completed":
		t.forgetCall(in, question.CallID(part.CallID))
	case part.State.Status != "pending" && part.State.Status != "running":
		t.doubt(in)
	}
}

// forgetCall forgets the asks of a call that has ended.
func (t *Turns) forgetCall(in *turn, id question.CallID) {
	for ask, of := range in.waits {
		if of == id {
			t.forget(in, ask)
			t.doubts++
		}
	}
}

func (t *Turns) forget(in *turn, ask question.RequestID) {
	if _, known := in.waits[ask]; known {
		delete(in.waits, ask)
		t.asks--
	}
}

// begin gives the turn of a session; nil: there are too many.
func (t *Turns) begin(id session.ID) *turn {
	if t.of[id] == nil && id != "" && len(t.of) < maxTurns {
		t.of[id] = &turn{waits: map[question.RequestID]question.CallID{}}
	}
	return t.of[id]
}

// maxAsksOfTurn bounds how many asks of one turn are followed.
const maxAsksOfTurn = 100

func (t *Turns) add(in *turn, r question.Request) {
	if _, known := in.waits[r.ID]; !known && r.ID != "" && len(in.waits) < maxAsksOfTurn {
		in.waits[r.ID] = r.Call
		t.asks++
	}
}

func (t *Turns) clear(in *turn) {
	t.asks -= len(in.waits)
	clear(in.waits)
}

// doubt makes all asks of a turn doubtful; nil: of none that is known.
func (t *Turns) doubt(in *turn) {
	t.doubts++
	if in != nil {
		t.clear(in)
	}
}

// end ends the turn of a session; of one that is not named: all.
func (t *Turns) end(id session.ID) {
	if id == "" {
		t.endAll()
		return
	}
	t.doubt(t.of[id])
	delete(t.of, id)
}

func (t *Turns) endAll() {
	t.doubts++
	t.of, t.asks = map[session.ID]*turn{}, 0
}
