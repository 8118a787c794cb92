package telegramsim

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
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

// AddTopic makes a topic in a forum, in the name of its first member, and returns its
// message_thread_id. It panics when the chat has no topics, or no members.
func (s *Server) AddTopic(chatID int64, name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || !s.hasTopics(c) {
		panic("simulator: not a forum: " + strconv.FormatInt(chatID, 10))
	}
	members := slices.Sorted(maps.Keys(c.members))
	defer s.announce()
	return s.addTopic(c, name, &s.users[members[0]].User).id
}

// addTopic makes a topic. Its id is that of the service message that begins it.
func (s *Server) addTopic(c *chat, name string, from *User) *topic {
	t := &topic{name: name, own: from == &s.bot}
	m := s.serviceMessage(c, from, 0, "forum_topic_created", map[string]any{"name": name, "icon_color": topicColor})
	t.id, m.thread = m.id, m.id
	c.topics[t.id] = t
	s.queue.add("message", s.wire(m), messageLife, nil)
	return t
}

// topicColor is one of those that Telegram gives to topics (Bot API ForumTopic).
const topicColor = 7322096

// serviceMessage puts a service message into a chat: it takes a message id, and whoever does
// something to a topic is told of it like everybody, the bot as well (Bot API Message,
// Client.cpp:17411-17441).
func (s *Server) serviceMessage(c *chat, from *User, thread int, kind string, raw any) *message {
	body, _ := json.Marshal(raw)
	m := &message{
		id: s.nextID(c), chat: c, from: from, byBot: from == &s.bot, date: time.Now(), thread: thread,
		content: &content{kind: kind, raw: body},
	}
	c.messages = append(c.messages, m)
	return m
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

// ShutTopic closes a topic, as an administrator does. The bot gets the service message, like everybody (Bot API
// Message.forum_topic_closed).
func (s *Server) ShutTopic(chatID int64, thread int) {
	s.shutTopic(chatID, thread, true, "forum_topic_closed")
}

// ReopenTopic opens a topic that was closed, as an administrator does. The bot gets the service message.
func (s *Server) ReopenTopic(chatID int64, thread int) {
	s.shutTopic(chatID, thread, false, "forum_topic_reopened")
}

func (s *Server) shutTopic(chatID int64, thread int, closed bool, kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.announce()
	c := s.chats[chatID]
	if c == nil || c.topics[thread] == nil {
		panic("simulator: no such topic: " + strconv.Itoa(thread))
	}
	c.topics[thread].closed = closed
	from := &s.users[slices.Min(slices.Collect(maps.Keys(c.members)))].User
	s.queue.add("message", s.wire(s.serviceMessage(c, from, thread, kind, map[string]any{})), messageLife, nil)
}

// hasTopics reports whether the chat is a forum, or a private chat of a bot that has
// topics on there (Bot API 9.3, User.has_topics_enabled).
func (s *Server) hasTopics(c *chat) bool {
	return c.Forum || c.Type == Private && s.opts.PrivateTopics
}

// thread checks a message_thread_id that the bot sends to. In a group without topics it
// means nothing; General must be named by none (Client::check_message_topic,
// Client.cpp:8268-8289). Into a closed topic go messages of its maker and of those who
// manage topics.
func (s *Server) thread(c *chat, id int) (int, *refusal) {
	t := c.topics[id]
	switch {
	case id == 0, c.Type != Private && !c.Forum:
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

// topicName is what becomes of a name: a longer one is cut without a word (clean_name,
// ForumTopicManager.cpp:527, 580).
func topicName(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	return string([]rune(name)[:min(utf8.RuneCountInString(name), 128)])
}

func (s *Server) createForumTopic(q *request) (any, *refusal) {
	name := topicName(q.params.text("name"))
	c, refused := s.open(q.params.text("chat_id"), writeAccess)
	switch {
	case refused != nil:
		return nil, refused
	case !s.hasTopics(c):
		return nil, bad("the chat is not a forum")
	case c.Forum && !c.managed():
		return nil, bad("not enough rights to create a topic")
	case name == "":
		return nil, wrong("Name must be non-empty") // ForumTopicManager.cpp:529
	}
	if refused := s.limitRate(c); refused != nil {
		return nil, refused
	}
	t := s.addTopic(c, name, &s.bot)
	c.note(entry{kind: entryMembership, who: s.bot.name(), text: "opens the topic “" + name + "”"})
	return map[string]any{"message_thread_id": t.id, "name": name, "icon_color": topicColor}, nil
}

// editForumTopic without a name changes nothing, and is answered with true
// (ForumTopicManager.cpp:584).
func (s *Server) editForumTopic(q *request) (any, *refusal) {
	raw := q.params.text("name")
	name := topicName(raw)
	return s.alter(q, topicChange{private: true, idle: raw == "", wrong: raw != "" && name == "", do: func(t *topic) (string, string, any) {
		if t.name == name {
			return "", "", nil
		}
		before := t.name
		t.name = name
		return "renames the topic “" + before + "” to “" + name + "”", "forum_topic_edited", map[string]any{"name": name}
	}})
}

func (s *Server) closeForumTopic(q *request) (any, *refusal) {
	return s.alter(q, topicChange{do: func(t *topic) (string, string, any) { return t.shut(true, "closes", "forum_topic_closed") }})
}

func (s *Server) reopenForumTopic(q *request) (any, *refusal) {
	return s.alter(q, topicChange{do: func(t *topic) (string, string, any) { return t.shut(false, "reopens", "forum_topic_reopened") }})
}

func (t *topic) shut(closed bool, what, kind string) (string, string, any) {
	if t.closed == closed {
		return "", "", nil
	}
	t.closed = closed
	return what + " the topic “" + t.name + "”", kind, map[string]any{}
}

// topicChange is one change of a topic. do returns what it did, for people and as a service
// message, or "" when all was so already.
type topicChange struct {
	private bool // topics of private chats can be changed so as well
	idle    bool // nothing is to be changed
	wrong   bool // the name is none
	do      func(*topic) (what, kind string, raw any)
}

// alter changes a topic and says so in the chat.
func (s *Server) alter(q *request, change topicChange) (any, *refusal) {
	c, refused := s.open(q.params.text("chat_id"), writeAccess)
	if refused != nil {
		return nil, refused
	}
	t := c.topics[int(q.params.integer("message_thread_id"))]
	switch {
	case !s.hasTopics(c) || c.Type == Private && !change.private:
		return nil, wrong("the chat is not a forum")
	case c.Forum && t != nil && !t.own && !c.managed():
		return nil, bad("not enough rights to edit the topic")
	case change.wrong:
		return nil, wrong("Name must be non-empty")
	case change.idle:
		return true, nil
	case t == nil:
		return nil, bad("TOPIC_ID_INVALID")
	}
	if refused := s.limitRate(c); refused != nil {
		return nil, refused
	}
	what, kind, raw := change.do(t)
	if what == "" {
		return nil, bad("TOPIC_NOT_MODIFIED")
	}
	s.queue.add("message", s.wire(s.serviceMessage(c, &s.bot, t.id, kind, raw)), messageLife, nil)
	c.note(entry{kind: entryMembership, who: s.bot.name(), text: what})
	return true, nil
}

// EndForum switches the topics of a forum off, as an administrator does: what is sent to
// one of them then goes to the chat.
func (s *Server) EndForum(chatID int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.announce()
	if c := s.chats[chatID]; c != nil {
		c.Forum, c.topics = false, map[int]*topic{}
	}
}
