package telegramsim

import "strings"

type entryKind int

const (
	entrySent entryKind = iota
	entryEdited
	entryDeleted
	entryReacted
	entryTapped
	entryAnswered
	entryMembership
)

// entry is one thing that happened in a chat.
type entry struct {
	kind    entryKind
	who     string
	message *message
	shown   version // what the message showed then
	text    string
	loud    bool // an alert, not a toast
}

func (c *chat) note(e entry) { c.log = append(c.log, e) }

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
	var b strings.Builder
	c := s.chats[chatID]
	if c == nil {
		return ""
	}
	last := map[*message]string{}
	for _, e := range c.log {
		b.WriteString(s.line(e, last[e.message]))
		if e.kind == entrySent || e.kind == entryEdited {
			last[e.message] = title(e.shown, e.message)
		}
	}
	return b.String()
}

// line is an entry in words; before names the message as it was until then.
func (s *Server) line(e entry, before string) string {
	switch e.kind {
	case entrySent:
		return e.message.heading(false) + block(e.shown, e.message.extra(), "")
	case entryEdited:
		return e.message.author() + " changes " + before + " to:\n  " + block(e.shown, "", "")
	case entryDeleted:
		return e.who + " deletes " + before + "\n"
	case entryReacted:
		return s.bot.name() + " reacts to " + before + " with " + orDefault(e.text, "nothing") + "\n"
	case entryTapped:
		return e.who + " taps [" + e.text + "]\n"
	case entryAnswered:
		return s.answerLine(e)
	}
	return "* " + e.who + " " + e.text + "\n"
}

func (s *Server) answerLine(e entry) string {
	switch {
	case e.text == "":
		return ""
	case e.loud:
		return s.bot.name() + " alerts " + e.who + ": " + indent(e.text) + "\n"
	}
	return s.bot.name() + " tells " + e.who + " in passing: " + indent(e.text) + "\n"
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
		return t.name
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
	if v.markup.forceReply || v.markup.prompt {
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
func title(v version, m *message) string {
	switch {
	case v.text == "" && m.document != nil && m.document.Name == "":
		return "the " + string(m.document.Kind)
	case v.text == "" && m.document != nil:
		return "“" + m.document.Name + "”"
	case v.text == "" && m.content != nil:
		return "the " + m.content.kind
	}
	first, _, _ := strings.Cut(v.text, "\n")
	return "“" + first + "”"
}
