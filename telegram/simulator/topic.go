package simulator

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// topic is a topic of a forum, or of a private chat where the bot has topics on.
type topic struct {
	id     int // its message_thread_id
	name   string
	closed bool
	own    bool // the bot made it
}

// Topic is a topic as people see it.
type Topic struct {
	ID      int // message_thread_id
	Name    string
	Closed  bool
	FromBot bool // the bot made it
}

// Topics returns a chat's topics by ascending id, without General.
func (s *Server) Topics(chatID int64) []Topic {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil {
		return nil
	}
	var list []Topic
	for _, id := range slices.Sorted(maps.Keys(c.topics)) {
		t := c.topics[id]
		list = append(list, Topic{ID: id, Name: t.name, Closed: t.closed, FromBot: t.own})
	}
	return list
}

// AddTopic makes a topic in a forum, in a person's name, and returns its
// message_thread_id. It panics when the chat has no topics.
func (s *Server) AddTopic(chatID int64, name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || !s.hasTopics(c) {
		panic("simulator: not a forum: " + strconv.FormatInt(chatID, 10))
	}
	return s.addTopic(c, name, false).id
}

func (s *Server) addTopic(c *chat, name string, own bool) *topic {
	t := &topic{id: s.nextID(c), name: name, own: own}
	c.topics[t.id] = t
	return t
}

// DeleteTopic removes a topic with its messages. The bot is not told.
func (s *Server) DeleteTopic(chatID int64, thread int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.announce()
	c := s.chats[chatID]
	if c == nil {
		return
	}
	delete(c.topics, thread)
	for _, m := range c.messages {
		m.deleted = m.deleted || m.thread == thread
	}
}

// ReopenTopic opens a topic that was closed, as an administrator does.
func (s *Server) ReopenTopic(chatID int64, thread int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c != nil && c.topics[thread] != nil {
		c.topics[thread].closed = false
	}
}

// hasTopics reports whether the chat is a forum, or a private chat of a bot that has
// topics on there (Bot API 9.3, User.has_topics_enabled).
func (s *Server) hasTopics(c *chat) bool {
	return c.Forum || c.Type == Private && s.opts.PrivateTopics
}

// thread checks a message_thread_id that the bot sends to. General must be named by
// none (Client.cpp:8275). Into a closed topic go messages of its maker and of those who manage topics.
func (s *Server) thread(c *chat, id int) (int, *refusal) {
	t := c.topics[id]
	switch {
	case id == 0:
		return 0, nil
	case t == nil && (!s.hasTopics(c) || id == 1):
		return 0, wrong("message thread not found")
	case t == nil:
		return 0, bad("message thread not found")
	case t.closed && !t.own && !c.managed():
		return 0, bad("TOPIC_CLOSED")
	}
	return id, nil
}

// managed reports whether the bot may manage the forum's topics.
func (c *chat) managed() bool { return c.bot == RoleAdministrator && c.ManageTopics }

// createForumTopic makes a topic. The length of a name is checked as the Bot API
// documents it; the words of that refusal are not known.
func (s *Server) createForumTopic(q *request) (any, *refusal) {
	name := q.params.text("name")
	c, refused := s.writable(q.params.text("chat_id"))
	switch {
	case refused != nil:
		return nil, refused
	case name == "" || utf8.RuneCountInString(name) > 128:
		return nil, wrong("the name of a topic has 1 to 128 characters")
	case !s.hasTopics(c):
		return nil, bad("the chat is not a forum")
	case c.Forum && !c.managed():
		return nil, bad("not enough rights to create a topic")
	}
	if refused := s.limitRate(c); refused != nil {
		return nil, refused
	}
	t := s.addTopic(c, name, true)
	c.note(entry{kind: entryMembership, who: s.bot.name(), text: "opens the topic “" + name + "”"})
	return map[string]any{"message_thread_id": t.id, "name": name, "icon_color": 7322096}, nil
}

func (s *Server) editForumTopic(q *request) (any, *refusal) {
	name := q.params.text("name")
	if utf8.RuneCountInString(name) > 128 {
		return nil, wrong("the name of a topic has 1 to 128 characters")
	}
	return s.alter(q, true, func(t *topic) string {
		if name == "" || t.name == name {
			return ""
		}
		before := t.name
		t.name = name
		return "renames the topic “" + before + "” to “" + name + "”"
	})
}

func (s *Server) closeForumTopic(q *request) (any, *refusal) {
	return s.alter(q, false, func(t *topic) string { return t.shut(true, "closes") })
}

func (s *Server) reopenForumTopic(q *request) (any, *refusal) {
	return s.alter(q, false, func(t *topic) string { return t.shut(false, "reopens") })
}

func (t *topic) shut(closed bool, what string) string {
	if t.closed == closed {
		return ""
	}
	t.closed = closed
	return what + " the topic “" + t.name + "”"
}

// alter changes a topic and says so in the chat. change returns what it did, or ""
// when all was so already. Only forums have topics that can be closed.
func (s *Server) alter(q *request, private bool, change func(*topic) string) (any, *refusal) {
	c, refused := s.writable(q.params.text("chat_id"))
	if refused != nil {
		return nil, refused
	}
	t := c.topics[int(q.params.integer("message_thread_id"))]
	switch {
	case !s.hasTopics(c) || c.Type == Private && !private:
		return nil, wrong("the chat is not a forum")
	case t == nil:
		return nil, bad("TOPIC_ID_INVALID")
	case c.Forum && !t.own && !c.managed():
		return nil, bad("not enough rights to edit the topic")
	}
	if refused := s.limitRate(c); refused != nil {
		return nil, refused
	}
	what := change(t)
	if what == "" {
		return nil, bad("TOPIC_NOT_MODIFIED")
	}
	c.note(entry{kind: entryMembership, who: s.bot.name(), text: what})
	return true, nil
}
