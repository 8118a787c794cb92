package opencodesim

import (
	"cmp"
	"slices"
	"time"
)

// storePrompt stores a user's message. A message id that exists already gets
// the parts appended, as OpenCode does, unless they have the ids of those that are
// there. Parts are listed by their ids.
func (s *Simulator) storePrompt(ses *session, inst *instance, p Prompt) *message {
	m := ses.message(p.MessageID)
	if m == nil {
		m = s.newUserMessage(ses, p)
	}
	s.publishMessage(inst, m)
	for _, given := range p.parts {
		s.storePart(inst, m, given)
		for _, text := range s.is.expand(given) {
			s.storePart(inst, m, part{Type: "text", Text: text, Synthetic: true})
		}
	}
	slices.SortStableFunc(m.parts, func(a, b *part) int { return cmp.Compare(a.ID, b.ID) })
	return m
}

func (s *Simulator) newUserMessage(ses *session, p Prompt) *message {
	id := p.MessageID
	if id == "" {
		id = s.mint.Ascending("msg")
	}
	m := &message{info: messageInfo{
		ID: id, SessionID: ses.info.ID, Role: "user", Agent: cmp.Or(p.Agent, agentOf(ses)),
		Time: messageTime{Created: time.Now().UnixMilli()},
	}}
	ses.model = cmp.Or(p.model, ses.model, modelRef{provider, theModel})
	m.info.Model = &modelRef{ses.model.ProviderID, ses.model.ModelID}
	ses.messages = append(ses.messages, m)
	if !s.is.modern {
		slices.SortStableFunc(ses.messages, func(a, b *message) int { return cmp.Compare(a.info.ID, b.info.ID) })
	}
	return m
}

func (s *Simulator) storePart(inst *instance, m *message, p part) {
	if p.ID == "" {
		p.ID = s.mint.Ascending("prt")
	}
	p.SessionID, p.MessageID = m.info.SessionID, m.info.ID
	if slices.ContainsFunc(m.parts, func(old *part) bool { return old.ID == p.ID }) {
		return
	}
	m.parts = append(m.parts, &p)
	s.publishPart(inst, &p)
}

func (ses *session) message(id string) *message {
	for _, m := range ses.messages {
		if m.info.ID == id {
			return m
		}
	}
	return nil
}

// addPart adds a part to the assistant message of the turn's step.
func (s *Simulator) addPart(t *turn, p *part) {
	s.place(t, p)
	s.publishPart(t.inst, p)
}

// place adds it, and tells nobody.
func (s *Simulator) place(t *turn, p *part) {
	p.ID = s.mint.Ascending("prt")
	p.SessionID, p.MessageID = t.ses.info.ID, t.assistant.info.ID
	t.assistant.parts = append(t.assistant.parts, p)
}

func (s *Simulator) publishMessage(inst *instance, m *message) {
	s.bus.publishStored(inst.dir, m.info.SessionID, "message.updated", map[string]any{"info": m.info})
}

func (s *Simulator) publishPart(inst *instance, p *part) {
	props := map[string]any{"part": p}
	if s.is.modern {
		props["time"] = time.Now().UnixMilli()
	}
	s.bus.publishStored(inst.dir, p.SessionID, "message.part.updated", props)
}
