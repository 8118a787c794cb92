package telegramsim

import (
	"strings"
)

// entry is one thing that happened in a chat: a message, with what it showed then, or anything else in words. A topic is called in it as
// it is called when it is read.
type entry struct {
	sent *message
	text string
}

// note adds to what has happened in a chat, for people to read.
func (c *chat) note(words ...string) { c.noteSent(nil, strings.Join(words, "")) }

func (c *chat) noteSent(m *message, text string) {
	c.log = append(c.log, entry{m, strings.TrimSuffix(text, "\n") + "\n"})
}

// noteOf is note of what somebody does to the chat.
func (c *chat) noteOf(who, what string) { c.note("* ", who, " ", what) }

// Transcript returns a chat as it is on the screen now, for people to read:
// messages in order, edits in their final state, deleted messages left out,
// buttons in brackets.
func (s *Server) Transcript(chatID int64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	c := s.chats[chatID]
	if c == nil {
		return ""
	}
	for _, m := range c.messages {
		if !m.deleted && !m.service() {
			b.WriteString(m.heading(m.edits > 0) + block(m.version(), m.extra(), m.reaction))
		}
	}
	return b.String()
}

// History returns everything that happened in a chat in order, for people to
// read: messages, taps, alerts and edits.
func (s *Server) History(chatID int64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil {
		return ""
	}
	var b strings.Builder
	for _, e := range c.log {
		if e.sent != nil {
			b.WriteString(e.sent.heading(false))
		}
		b.WriteString(e.text)
	}
	return b.String()
}

// heading is who wrote a message and what is special about it.
func (m *message) heading(edited bool) string {
	var marks []string
	if m.thread != 0 {
		marks = append(marks, "in "+m.chat.topicName(m.thread))
	}
	if m.replyTo != nil {
		marks = append(marks, "replying to "+m.replyTo.author())
	}
	if edited {
		marks = append(marks, "edited")
	}
	if m.silent {
		marks = append(marks, "silent")
	}
	if len(marks) == 0 {
		return m.author() + ": "
	}
	return m.author() + " (" + strings.Join(marks, ", ") + "): "
}

func (c *chat) topicName(id int) string {
	if t := c.topics[id]; t != nil {
		return t.Name
	}
	return "a deleted topic"
}

// block is a message's content: the text, further lines indented, and one line
// for each row of buttons.
func block(v version, extra, reaction string) string {
	var b strings.Builder
	if extra != "" {
		b.WriteString(extra + "\n")
		if v.text != "" {
			b.WriteString("  ")
		}
	}
	if v.text != "" {
		b.WriteString(indent(v.text) + "\n")
	}
	for _, row := range v.markup.rows {
		b.WriteString("  " + rowText(row) + "\n")
	}
	if v.markup.opens() {
		b.WriteString("  (the reply box is open)\n")
	}
	if reaction != "" {
		b.WriteString("  " + reaction + "\n")
	}
	return b.String()
}

func indent(text string) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = "  " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// title names a message by its first line.
func (m *message) title() string {
	switch {
	case m.text == "" && m.document != nil && m.document.Name == "":
		return "the " + string(m.document.Kind)
	case m.text == "" && m.document != nil:
		return "“" + m.document.Name + "”"
	case m.text == "" && m.content != nil:
		return "the " + m.content.kind
	}
	first, _, _ := strings.Cut(m.text, "\n")
	return "“" + first + "”"
}
