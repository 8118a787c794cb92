package telegramsim

import (
	"slices"
	"strings"
	"time"
)

// Document is a file in a message.
type Document struct {
	Name string
	Data []byte
	Mime string   // as the sender's client names it; may be empty
	Kind FileKind // empty: a document

	id    string
	small *Document // of a photo: the smaller size
}

// message is a message as the server keeps it.
type message struct {
	formatted
	id          int
	chat        *chat
	from        *User
	byBot       bool
	senderChat  *chat // channels and anonymous administrators
	date        time.Time
	edited      time.Time
	edits       int
	markup      markup
	document    *Document
	content     *content
	album       string
	replyTo     *message
	origin      int64 // who wrote it, if it was forwarded
	via         int64 // the inline bot that wrote it
	thread      int
	silent      bool
	deleted     bool
	reaction    string
	migrateTo   int64
	migrateFrom int64
	past        []version
}

// service reports whether it is a service message.
func (m *message) service() bool {
	return m.migrateTo != 0 || m.migrateFrom != 0 || m.content != nil && strings.Contains(m.content.kind, "forum_topic_")
}

// version is what an edited message showed before.
type version struct {
	formatted
	markup markup
}

func (m *message) version() version { return version{m.formatted, m.markup} }

// become is an edit.
func (m *message) become(v version) {
	before := m.title()
	m.past = append(m.past, m.version())
	m.formatted, m.markup = v.formatted, v.markup
	m.edits++
	m.edited = time.Now()
	m.chat.note(m.author(), " changes ", before, " to:\n  ", block(v, "", ""))
}

func (m *message) delete(by User) {
	m.deleted = true
	m.chat.note(by.name(), " deletes ", m.title())
}

type wireChat struct {
	ID        int64    `json:"id"`
	Type      ChatType `json:"type"`
	Title     string   `json:"title,omitempty"`
	Username  string   `json:"username,omitempty"`
	FirstName string   `json:"first_name,omitempty"`
	LastName  string   `json:"last_name,omitempty"`
	IsForum   bool     `json:"is_forum,omitempty"`
}

type wireMessage struct {
	ID              int          `json:"message_id"`
	Thread          int          `json:"message_thread_id,omitempty"`
	From            *User        `json:"from,omitempty"`
	SenderChat      *wireChat    `json:"sender_chat,omitempty"`
	Chat            wireChat     `json:"chat"`
	Date            int64        `json:"date"`
	EditDate        int64        `json:"edit_date,omitempty"`
	TopicMessage    bool         `json:"is_topic_message,omitempty"`
	ReplyTo         *wireMessage `json:"reply_to_message,omitempty"`
	Text            string       `json:"text,omitempty"`
	Entities        []Entity     `json:"entities,omitempty"`
	Caption         string       `json:"caption,omitempty"`
	CaptionEntities []Entity     `json:"caption_entities,omitempty"`
	Markup          *wireMarkup  `json:"reply_markup,omitempty"`
	MigrateTo       int64        `json:"migrate_to_chat_id,omitempty"`
	MigrateFrom     int64        `json:"migrate_from_chat_id,omitempty"`
	Album           string       `json:"media_group_id,omitempty"`
	Forward         *wireOrigin  `json:"forward_origin,omitempty"`
	Via             *User        `json:"via_bot,omitempty"`

	content map[string]any // what else it holds, by the Bot API's names
}

// wireOrigin is Bot API MessageOriginUser.
type wireOrigin struct {
	Type   string `json:"type"`
	Date   int64  `json:"date"`
	Sender *User  `json:"sender_user"`
}

func (s *Server) wireChat(c *chat) wireChat {
	w := wireChat{ID: c.ID, Type: c.Type, Title: c.Title, IsForum: c.Forum}
	if c.Type == Private {
		u := s.users[c.ID]
		w.FirstName, w.LastName, w.Username = u.FirstName, u.LastName, u.Username
	}
	return w
}

// wire is the message in the Bot API's form. Dates are Unix seconds.
func (s *Server) wire(m *message) *wireMessage {
	w := s.wireShallow(m)
	switch {
	case m.replyTo != nil && !m.replyTo.deleted:
		w.ReplyTo = s.wireShallow(m.replyTo)
	case m.thread != 0 && !m.byBot && m.chat.Type == Supergroup:
		// In a topic of a supergroup a message that replies to none replies to the one that
		// began it; in a private chat it does not (Client.cpp:18396-18403).
		w.ReplyTo = &wireMessage{ID: m.thread, Chat: w.Chat, Date: w.Date}
	}
	return w
}

// wireShallow leaves out the message that this one replies to.
func (s *Server) wireShallow(m *message) *wireMessage {
	w := &wireMessage{
		ID: m.id, Thread: m.thread, TopicMessage: m.thread != 0, From: m.from, Chat: s.wireChat(m.chat),
		Date: m.date.Add(s.opts.Ahead).Unix(), Markup: m.markup.wire(),
		MigrateTo: m.migrateTo, MigrateFrom: m.migrateFrom, Album: m.album,
	}
	if m.senderChat != nil {
		c := s.wireChat(m.senderChat)
		w.SenderChat = &c
	}
	if m.edits > 0 {
		w.EditDate = m.edited.Add(s.opts.Ahead).Unix()
	}
	if from := s.users[m.origin]; from != nil {
		w.Forward = &wireOrigin{Type: "user", Date: m.date.Unix(), Sender: &from.User}
	}
	if bot := s.users[m.via]; bot != nil {
		w.Via = &bot.User
	}
	switch {
	case m.document != nil:
		w.content = m.document.wire()
	case m.content != nil:
		w.content = map[string]any{m.content.kind: m.content.raw}
	default:
		w.Text, w.Entities = m.text, m.entities
		return w
	}
	w.Caption, w.CaptionEntities = m.text, m.entities
	return w
}

// find returns a message that is not deleted.
func (c *chat) find(id int) *message {
	m := c.findAny(id)
	if m == nil || m.deleted {
		return nil
	}
	return m
}

func (c *chat) findAny(id int) *message {
	if i, there := c.index(id); there {
		return c.messages[i]
	}
	return nil
}

// index is where a message with this id is among those of the chat, or would be: their ids rise.
func (c *chat) index(id int) (int, bool) {
	return slices.BinarySearchFunc(c.messages, id, func(m *message, id int) int { return m.id - id })
}
