package telegramsim

import "time"

// deletable is how long messages can be deleted for everyone.
const deletable = 48 * time.Hour

const notModified = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"

func (s *Server) editMessageText(q *request) (any, *refusal) {
	f, refused := q.params.messageText()
	if refused != nil {
		return nil, refused
	}
	mk, refused := q.params.editMarkup()
	if refused != nil {
		return nil, refused
	}
	m, refused := s.editable(q.params)
	if refused != nil {
		return nil, refused
	}
	if m.document != nil || m.content != nil {
		return nil, bad("there is no text in the message to edit")
	}
	if f, refused = f.finish(); refused != nil {
		return nil, refused.edited()
	}
	if mk, refused = s.keepBox(m, mk); refused != nil {
		return nil, refused
	}
	return s.change(m, version{f, mk})
}

// editMessageCaption changes what is said of a file; a text has no caption (td
// MessagesManager.cpp:23687).
func (s *Server) editMessageCaption(q *request) (any, *refusal) {
	f, refused := q.params.parseText("caption", "caption_entities")
	if refused != nil {
		return nil, refused
	}
	mk, refused := q.params.editMarkup()
	if refused != nil {
		return nil, refused
	}
	m, refused := s.editable(q.params)
	if refused != nil {
		return nil, refused
	}
	if m.document == nil {
		return nil, bad("there is no caption in the message to edit")
	}
	if f, refused = f.finishCaption(); refused != nil {
		return nil, refused
	}
	if mk, refused = s.keepBox(m, mk); refused != nil {
		return nil, refused
	}
	return s.change(m, version{f, mk})
}

func (s *Server) editMessageReplyMarkup(q *request) (any, *refusal) {
	mk, refused := q.params.editMarkup()
	if refused != nil {
		return nil, refused
	}
	m, refused := s.editable(q.params)
	if refused != nil {
		return nil, refused
	}
	if mk, refused = s.keepBox(m, mk); refused != nil {
		return nil, refused
	}
	return s.change(m, version{m.formatted, mk})
}

// keepBox is the keyboard that an edit leaves. Bot API 10.3, InlineKeyboardMarkup.force_reply: "The value of the
// field can't be changed when the inline keyboard is edited." Whether such an edit is refused or the field is
// passed over is not said: see [Options.RefuseForceReplyEdits]. Either way it is a mistake of the bot to try.
func (s *Server) keepBox(m *message, to markup) (markup, *refusal) {
	if !to.inline || to.forceReply == m.markup.forceReply {
		return to, nil
	}
	if to.forceReply {
		s.violations = append(s.violations, "edit: force_reply cannot be changed by an edit")
	}
	if s.opts.RefuseForceReplyEdits {
		return to, bad("the value of force_reply can't be changed when the inline keyboard is edited")
	}
	to.forceReply = m.markup.forceReply
	return to, nil
}

// editable finds the message that an edit names. Which messages those are may be what a
// bot wants to find out, so a refusal is no violation.
func (s *Server) editable(p params) (*message, *refusal) {
	if p.text("chat_id") == "" && p.integer("message_id") == 0 {
		return nil, wrong("message identifier is not specified")
	}
	c, refused := s.open(p.text("chat_id"), editAccess)
	if refused != nil {
		return nil, refused
	}
	m := c.find(int(p.integer("message_id")))
	switch {
	case m == nil:
		return nil, bad("message to edit not found")
	case m.service():
		return nil, bad("message can't be edited") // also the bot's own: can_edit_message, MessagesManager.cpp:23385
	case !m.byBot || m.markup.prompt:
		return nil, bad("message can't be edited")
	}
	return m, nil
}

// change applies an edit that changes something. Edits count for the rate limits.
func (s *Server) change(m *message, to version) (any, *refusal) {
	if m.formatted.equal(to.formatted) && m.markup.equal(to.markup) {
		return nil, bad(notModified)
	}
	if refused := s.limitRate(m.chat); refused != nil {
		return nil, refused
	}
	m.past = append(m.past, m.version())
	m.formatted, m.markup = to.formatted, to.markup
	m.edits++
	m.edited = time.Now()
	m.chat.note(entry{kind: entryEdited, message: m, shown: to})
	return s.wire(m), nil
}

func (s *Server) deleteMessage(q *request) (any, *refusal) {
	c, refused := s.open(q.params.text("chat_id"), writeAccess)
	if refused != nil {
		return nil, refused
	}
	m := c.find(int(q.params.integer("message_id")))
	switch {
	case m == nil:
		return nil, bad("message to delete not found")
	case time.Since(m.date) >= deletable:
		return nil, bad("message can't be deleted for everyone")
	case !m.byBot && c.Type != Private && c.bot != RoleAdministrator:
		return nil, bad("message can't be deleted")
	}
	m.deleted = true
	c.note(entry{kind: entryDeleted, who: s.bot.name(), message: m, shown: m.version()})
	return true, nil
}
