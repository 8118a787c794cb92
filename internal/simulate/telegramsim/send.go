package telegramsim

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
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
	if m.formatted, refused = f.finish(); refused != nil {
		return nil, refused
	}
	return s.deliver(m)
}

func (s *Server) sendDocument(q *request) (any, *refusal) {
	f, refused := q.params.parseText("caption", "caption_entities")
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

// document is the uploaded file, or one that was sent before, by its file_id.
func (s *Server) document(p params) (*Document, *refusal) {
	name := strings.TrimPrefix(p.text("document"), "attach://")
	up := p.files["document"]
	if up == nil {
		up = p.files[name]
	}
	switch {
	case up == nil && name == "":
		return nil, wrong("there is no document in the request")
	case up == nil && s.files[name] == nil:
		return nil, wrong("wrong file identifier/HTTP URL specified")
	case up == nil:
		return s.files[name], nil
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
		refused = s.answers(c, true)
	}
	if refused != nil {
		return nil, refused
	}
	if s.unsent[p.text("chat_id")] >= maxUnsent {
		return nil, tooMany(unsentWait, false)
	}
	m := &message{
		chat: c, byBot: true, date: time.Now(), markup: mk,
		silent: p.boolean("disable_notification"), protected: p.boolean("protect_content"),
	}
	if refused := p.structure("link_preview_options", "{", &m.linkPreview, "can't parse link preview options JSON object", "object expected as link preview options"); refused != nil {
		return nil, refused
	}
	if c.Type != Channel {
		m.from = &s.bot
	}
	if m.thread, refused = s.thread(c, int(p.integer("message_thread_id"))); refused != nil {
		return nil, refused
	}
	return m, s.replyTarget(m, p)
}

// replyTarget sets the message replied to, from reply_parameters or from the
// older parameters. A reply without a topic goes to the topic of its target.
func (s *Server) replyTarget(m *message, p params) *refusal {
	reply := struct {
		ID   int             `json:"message_id"`
		Chat json.RawMessage `json:"chat_id"`
		Lax  bool            `json:"allow_sending_without_reply"`
	}{ID: int(p.integer("reply_to_message_id")), Lax: p.boolean("allow_sending_without_reply")}
	if refused := p.structure("reply_parameters", "{", &reply, "can't parse reply parameters JSON object", "object expected as reply parameters"); refused != nil {
		return refused
	}
	if reply.ID == 0 {
		return nil
	}
	target := m.chat.find(reply.ID)
	if id := strings.Trim(string(reply.Chat), `"`); id != "" && id != strconv.FormatInt(m.chat.ID, 10) {
		target = nil
	}
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
	if refused := s.limitRate(m.chat); refused != nil {
		return nil, refused
	}
	s.post(m)
	return s.wire(m), nil
}

// post gives a message its id and keeps it.
func (s *Server) post(m *message) {
	m.id = s.nextID(m.chat)
	m.chat.messages = append(m.chat.messages, m)
	m.chat.note(entry{kind: entrySent, message: m, shown: m.version()})
}

func (m *message) version() version { return version{m.formatted, m.markup} }

// sendChatAction looks no topic up: whatever message_thread_id names, the answer is true
// (Client.cpp:13440-13468).
func (s *Server) sendChatAction(q *request) (any, *refusal) {
	if _, refused := s.open(q.params.text("chat_id"), writeAccess); refused != nil {
		return nil, refused
	}
	known := []string{
		"typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice",
		"upload_document", "choose_sticker", "find_location", "record_video_note", "upload_video_note", "cancel",
	}
	if !slices.Contains(known, q.params.text("action")) {
		return nil, wrong("wrong parameter action in request")
	}
	return true, nil
}
