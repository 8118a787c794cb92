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

// Topic is a topic of a forum, or of a private chat where the bot has topics on.
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
		list = append(list, *c.topics[id])
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
	return s.addTopic(c, name, &s.users[members[0]].User).ID
}

// addTopic makes a topic. Its id is that of the service message that begins it: in a private chat the one that the message has
// for the person, whose messages are numbered apart from the bot's (mtcute/mtcute#153).
func (s *Server) addTopic(c *chat, name string, from *User) *Topic {
	t := &Topic{Name: name, FromBot: from == &s.bot}
	m := s.serviceMessage(c, from, 0, "forum_topic_created", map[string]any{"name": name, "icon_color": topicColor})
	t.ID = m.id
	if c.Type == Private {
		s.lastTopic++
		t.ID = s.lastTopic
	}
	m.thread = t.ID
	c.topics[t.ID] = t
	s.tell(m)
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
	defer s.acting()()
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

// HideGeneral hides the topic General, which closes it, as an administrator does. The bot gets the service message (Bot API
// hideGeneralForumTopic, Message.general_forum_topic_hidden).
func (s *Server) HideGeneral(chatID int64) {
	s.shutTopic(chatID, general, true, "general_forum_topic_hidden")
}

// ShowGeneral shows the topic General again and opens it, as people then do. The bot gets one service message.
func (s *Server) ShowGeneral(chatID int64) {
	s.shutTopic(chatID, general, false, "general_forum_topic_unhidden")
}

// general is the number that people know the topic General by; no message names it.
const general = 1

// shutTopic closes or opens a topic, General included.
func (s *Server) shutTopic(chatID int64, thread int, closed bool, kind string) {
	defer s.acting()()
	c := s.chats[chatID]
	switch {
	case c != nil && c.Forum && thread == general:
		c.generalShut, thread = closed, 0
	case c != nil && c.topics[thread] != nil:
		c.topics[thread].Closed = closed
	default:
		panic("simulator: no such topic: " + strconv.Itoa(thread))
	}
	from := &s.users[slices.Min(slices.Collect(maps.Keys(c.members)))].User
	s.tell(s.serviceMessage(c, from, thread, kind, map[string]any{}))
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
	case t == nil && (!s.hasTopics(c) || id == general):
		return 0, wrong("message thread not found")
	case t == nil:
		return 0, bad("message thread not found")
	case t.Closed && !t.FromBot && !c.managed():
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
	if refused := s.limitRate(c, false); refused != nil {
		return nil, refused
	}
	t := s.addTopic(c, name, &s.bot)
	c.noteOf(s.bot.name(), "opens the topic “"+name+"”")
	return map[string]any{"message_thread_id": t.ID, "name": name, "icon_color": topicColor}, nil
}

// editForumTopic renames a topic, also in a private chat.
func (s *Server) editForumTopic(q *request) (any, *refusal) {
	name := topicName(q.params.text("name"))
	c, t, refused := s.topicOf(q)
	switch {
	case refused != nil:
		return nil, refused
	case name == "":
		return nil, wrong("Name must be non-empty")
	case t.Name == name:
		return nil, bad("TOPIC_NOT_MODIFIED")
	}
	what := "renames the topic “" + t.Name + "” to “" + name + "”"
	t.Name = name
	return s.altered(c, t, what, "forum_topic_edited", map[string]any{"name": name})
}

func (s *Server) closeForumTopic(q *request) (any, *refusal) {
	return s.shutOwn(q, true, "closes", "forum_topic_closed")
}

func (s *Server) reopenForumTopic(q *request) (any, *refusal) {
	return s.shutOwn(q, false, "reopens", "forum_topic_reopened")
}

func (s *Server) shutOwn(q *request, closed bool, what, kind string) (any, *refusal) {
	c, t, refused := s.topicOf(q)
	switch {
	case refused != nil:
		return nil, refused
	case c.Type == Private:
		return nil, wrong("the chat is not a forum")
	case t.Closed == closed:
		return nil, bad("TOPIC_NOT_MODIFIED")
	}
	t.Closed = closed
	return s.altered(c, t, what+" the topic “"+t.Name+"”", kind, map[string]any{})
}

// topicOf finds the topic that a method is to change.
func (s *Server) topicOf(q *request) (*chat, *Topic, *refusal) {
	c, refused := s.open(q.params.text("chat_id"), writeAccess)
	if refused != nil {
		return nil, nil, refused
	}
	t := c.topics[int(q.params.integer("message_thread_id"))]
	switch {
	case !s.hasTopics(c):
		return nil, nil, wrong("the chat is not a forum")
	case c.Forum && t != nil && !t.FromBot && !c.managed():
		return nil, nil, bad("not enough rights to edit the topic")
	case t == nil:
		return nil, nil, bad("TOPIC_ID_INVALID")
	}
	return c, t, s.limitRate(c, false)
}

// altered tells of a change of a topic, in the chat and as a service message.
func (s *Server) altered(c *chat, t *Topic, what, kind string, raw any) (any, *refusal) {
	s.tell(s.serviceMessage(c, &s.bot, t.ID, kind, raw))
	c.noteOf(s.bot.name(), what)
	return true, nil
}
