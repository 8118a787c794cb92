package telegramsim

import (
	"time"
)

func (s *Server) sendMessage(q *request) (any, *refusal) {
	f, refused := q.params.messageText()
	if refused != nil {
		return nil, refused
	}
	m, refused := s.draft(q)
	if refused != nil {
		return nil, refused
	}
	if m.formatted, refused = f.finish(s.opts.CountUnits); refused != nil {
		return nil, refused
	}
	return s.deliver(m)
}

func (s *Server) sendDocument(q *request) (any, *refusal) {
	f, refused := q.params.parseText("caption")
	if refused != nil {
		return nil, refused
	}
	doc, refused := s.document(q.params)
	if refused != nil {
		return nil, refused
	}
	m, refused := s.draft(q)
	if refused != nil {
		return nil, refused
	}
	m.document = doc
	if m.formatted, refused = f.finishCaption(); refused != nil {
		return nil, refused
	}
	return s.deliver(m)
}

// document is the uploaded file.
func (s *Server) document(p params) (*Document, *refusal) {
	up := p.files["document"]
	switch {
	case up == nil:
		return nil, wrong("there is no document in the request")
	case len(up.Data) == 0:
		return nil, wrong("file must be non-empty")
	case len(up.Data) > 50<<20:
		return nil, &refusal{code: 413, text: "Request Entity Too Large", misuse: true}
	}
	s.upload(up)
	return up, nil
}

// draft reads what all sending methods have in common and checks the chat.
func (s *Server) draft(q *request) (*message, *refusal) {
	p := q.params
	mk, refused := p.replyMarkup()
	if refused != nil {
		return nil, refused
	}
	c, refused := s.reach(p.text("chat_id"), writeAccess)
	if refused == nil {
		refused = c.answers()
	}
	if refused != nil {
		return nil, refused
	}
	mk.unopened = s.opts.NoBoxInTopics && c.Forum
	m := &message{
		chat: c, from: &s.bot, byBot: true, date: time.Now(), markup: mk,
		silent: p.boolean("disable_notification"),
	}
	var preview struct{}
	if refused := p.structure("link_preview_options", "{", &preview, "can't parse link preview options JSON object", "object expected as link preview options"); refused != nil {
		return nil, refused
	}
	if m.thread, refused = s.thread(c, int(p.integer("message_thread_id"))); refused != nil {
		return nil, refused
	}
	if refused := s.replyTarget(m, p); refused != nil {
		return nil, refused
	}
	if m.thread == 0 && c.generalShut && !c.managed() {
		return nil, bad("TOPIC_CLOSED") // telegramdesktop/tdesktop#30476
	}
	return m, nil
}

// replyTarget sets the message replied to. A reply without a topic goes to the topic of its target.
func (s *Server) replyTarget(m *message, p params) *refusal {
	var reply struct {
		ID  int  `json:"message_id"`
		Lax bool `json:"allow_sending_without_reply"`
	}
	if refused := p.structure("reply_parameters", "{", &reply, "can't parse reply parameters JSON object", "object expected as reply parameters"); refused != nil {
		return refused
	}
	if reply.ID == 0 {
		return nil
	}
	target := m.chat.find(reply.ID)
	if target == nil && !reply.Lax {
		return bad("message to be replied not found")
	}
	if m.replyTo = target; target != nil && m.thread == 0 {
		m.thread = target.thread
	}
	return nil
}

// deliver puts a finished message of the bot into its chat.
func (s *Server) deliver(m *message) (any, *refusal) {
	right, what := SendMessages, "text messages"
	if m.document != nil {
		right, what = SendDocuments, "documents"
	}
	if refused := m.chat.may(right, what); refused != nil {
		return nil, refused
	}
	if refused := s.limitRate(m.chat, false); refused != nil {
		return nil, refused
	}
	if refused := m.chat.limitSlowMode(); refused != nil {
		return nil, refused
	}
	s.post(m)
	return s.wire(m), nil
}

// post gives a message its id and keeps it.
func (s *Server) post(m *message) {
	m.id = s.nextID(m.chat)
	m.chat.messages = append(m.chat.messages, m)
	m.chat.noteSent(m, block(m.version(), m.extra(), ""))
}

// sendChatAction looks no topic up: whatever message_thread_id names, the answer is true
// (Client.cpp:13440-13468).
func (s *Server) sendChatAction(q *request) (any, *refusal) {
	if _, refused := s.open(q.params.text("chat_id"), writeAccess); refused != nil {
		return nil, refused
	}
	if q.params.text("action") != "typing" {
		return nil, wrong("wrong parameter action in request")
	}
	return true, nil
}
