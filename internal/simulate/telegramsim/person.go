package telegramsim

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// SayOption says how a person writes a message.
type SayOption func(*message, *saying)

type saying struct {
	replyTo   int
	anonymous bool
	channel   int64
}

// ReplyTo makes the message a reply.
func ReplyTo(messageID int) SayOption { return func(_ *message, w *saying) { w.replyTo = messageID } }

// InTopic writes into a topic of a forum.
func InTopic(thread int) SayOption { return func(m *message, _ *saying) { m.thread = thread } }

// Anonymously writes as an anonymous administrator of a supergroup: the message
// comes from [GroupAnonymousBot]. Taps still come from the real user.
func Anonymously() SayOption { return func(_ *message, w *saying) { w.anonymous = true } }

// AsChannel writes into a group in the name of a channel.
func AsChannel(id int64) SayOption { return func(_ *message, w *saying) { w.channel = id } }

// Say writes a message and returns its id. The bot gets it unless the privacy
// mode hides it. The first message in a private chat opens it for the bot; in a
// channel the message is a post without an author. It fails when the person
// cannot write there, as a blocked private chat or a foreign group.
func (s *Server) Say(user, chatID int64, text string, how ...SayOption) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.present(user, chatID)
	if err != nil {
		return 0, err
	}
	if c.Type == Private && c.bot == RoleKicked {
		return 0, errors.New("the bot is blocked; unblock it first")
	}
	m := &message{chat: c, date: time.Now(), formatted: formatted{text: text}.clean(), from: &s.users[user].User}
	if err := s.sayAs(m, how); err != nil {
		return 0, err
	}
	if err := s.attach(m); err != nil {
		return 0, err
	}
	m.entities = commandEntity(m.text)
	c.started = true
	s.post(m)
	s.queueMessage(m)
	s.announce()
	return m.id, nil
}

// present finds a chat that the person is in.
func (s *Server) present(user, chatID int64) (*chat, error) {
	c := s.chats[chatID]
	switch {
	case s.users[user] == nil:
		return nil, fmt.Errorf("there is no user %d", user)
	case c == nil:
		return nil, fmt.Errorf("there is no chat %d", chatID)
	case c.migratedTo != 0:
		return nil, fmt.Errorf("chat %d is now the supergroup %d", chatID, c.migratedTo)
	case !c.isMember(user):
		return nil, fmt.Errorf("user %d is not in chat %d", user, chatID)
	}
	return c, nil
}

// sayAs applies the options.
func (s *Server) sayAs(m *message, how []SayOption) error {
	var w saying
	for _, option := range how {
		option(m, &w)
	}
	switch t := m.chat.topics[m.thread]; {
	case m.thread == 0:
	case t == nil:
		return fmt.Errorf("chat %d has no topic %d", m.chat.ID, m.thread)
	case t.closed && m.chat.members[m.from.ID] != RoleAdministrator:
		return fmt.Errorf("the topic %q is closed", t.name)
	}
	if m.origin != 0 && (s.users[m.origin] == nil || w.replyTo != 0) {
		return fmt.Errorf("user %d is not known, or what is forwarded is a reply", m.origin)
	}
	if m.via != 0 && s.users[m.via] == nil {
		return fmt.Errorf("there is no bot %d", m.via)
	}
	if w.replyTo != 0 {
		if m.replyTo = m.chat.find(w.replyTo); m.replyTo == nil {
			return fmt.Errorf("there is no message %d to reply to", w.replyTo)
		}
		m.thread = orDefault(m.thread, m.replyTo.thread)
	}
	return s.disguise(m, w)
}

// disguise replaces the author where Telegram does.
func (s *Server) disguise(m *message, w saying) error {
	switch {
	case m.chat.Type == Channel:
		m.from = nil
	case w.anonymous && (m.chat.Type != Supergroup || m.chat.members[m.from.ID] != RoleAdministrator):
		return errors.New("only an administrator of a supergroup can write anonymously")
	case w.anonymous:
		m.from = &User{ID: GroupAnonymousBot, IsBot: true, FirstName: "Group", Username: "GroupAnonymousBot"}
		m.senderChat = m.chat
	case w.channel != 0 && s.chats[w.channel] == nil:
		return fmt.Errorf("there is no channel %d", w.channel)
	case w.channel != 0:
		m.from = &User{ID: ChannelBot, IsBot: true, FirstName: "Channel", Username: "Channel_Bot"}
		m.senderChat = s.chats[w.channel]
	}
	return nil
}

// commandEntity marks a command at the start of a text.
func commandEntity(text string) []Entity {
	if len(text) < 2 || text[0] != '/' {
		return nil
	}
	word := strings.Fields(text)[0]
	return []Entity{{Type: "bot_command", Length: utf16Len(word)}}
}

func (s *Server) queueMessage(m *message) {
	if !s.sees(m) {
		return
	}
	if m.from != nil {
		s.meet(m.from.ID)
	}
	kind := "message"
	if m.chat.Type == Channel {
		kind = "channel_post"
	}
	s.queue.add(kind, s.wire(m), messageLife, nil)
}

// sees applies privacy mode: in a group the bot sees commands for it, bare
// commands if it has written there before, replies to its messages, and
// everything if it is an administrator.
func (s *Server) sees(m *message) bool {
	c := m.chat
	switch {
	case c.bot == RoleLeft || c.bot == RoleKicked:
		return false
	case c.Type == Private || c.Type == Channel || c.bot == RoleAdministrator || s.opts.PrivacyOff:
		return true
	case m.replyTo != nil && m.replyTo.byBot:
		return true
	case m.text == "" || m.text[0] != '/':
		return false
	}
	_, name, addressed := strings.Cut(strings.Fields(m.text)[0], "@")
	if addressed {
		return strings.EqualFold(name, s.bot.Username)
	}
	return slices.ContainsFunc(c.messages, func(m *message) bool { return m.byBot })
}

// Rewrite edits a person's own message; the bot gets an edited_message.
func (s *Server) Rewrite(user, chatID int64, messageID int, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.present(user, chatID)
	if err != nil {
		return err
	}
	m := c.find(messageID)
	if m == nil || m.from == nil || m.from.ID != user {
		return fmt.Errorf("message %d is not by user %d", messageID, user)
	}
	m.past = append(m.past, m.version())
	m.text, m.entities = clean(text), commandEntity(clean(text))
	m.edits++
	m.edited = time.Now()
	c.note(entry{kind: entryEdited, message: m, shown: m.version()})
	if s.sees(m) {
		s.queue.add("edited_message", s.wire(m), messageLife, nil)
	}
	s.announce()
	return nil
}

// Delete removes a message, as a person can in a private chat or as an
// administrator. The bot is not told.
func (s *Server) Delete(user, chatID int64, messageID int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.present(user, chatID)
	if err != nil {
		return err
	}
	m := c.find(messageID)
	if m == nil {
		return fmt.Errorf("there is no message %d", messageID)
	}
	m.deleted = true
	c.note(entry{kind: entryDeleted, who: s.users[user].name(), message: m, shown: m.version()})
	s.announce()
	return nil
}
