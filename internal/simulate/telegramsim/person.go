package telegramsim

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
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
// mode hides it. The first message in a private chat opens it for the bot. It fails when the person
// cannot write there, as a blocked private chat or a foreign group.
func (s *Server) Say(user, chatID int64, text string, how ...SayOption) (int, error) {
	defer s.acting()()
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
	case t.Closed && m.chat.members[m.from.ID] != RoleAdministrator:
		return fmt.Errorf("the topic %q is closed", t.Name)
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
		m.thread = cmp.Or(m.thread, m.replyTo.thread)
	}
	if m.chat.members[m.from.ID] != RoleAdministrator {
		switch {
		case m.chat.denied[SendMessages]:
			return errors.New("members may not write there now")
		case m.thread == 0 && m.chat.generalShut:
			return errors.New("the topic General is closed")
		}
	}
	return s.disguise(m, w)
}

// disguise replaces the author where Telegram does.
func (s *Server) disguise(m *message, w saying) error {
	switch {
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
	s.meet(m.from.ID)
	s.tell(m)
}

// tell queues a message for the bot.
func (s *Server) tell(m *message) { s.queue.add("message", m.chat.ID, s.wire(m)) }

// sees applies privacy mode: in a group the bot sees commands for it, bare
// commands if it has written there before, replies to its messages, and
// everything if it is an administrator.
func (s *Server) sees(m *message) bool {
	c := m.chat
	switch {
	case c.bot == RoleLeft || c.bot == RoleKicked:
		return false
	case c.Type == Private || c.bot == RoleAdministrator:
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

// Delete removes a message, as a person can in a private chat or as an
// administrator. The bot is not told.
func (s *Server) Delete(user, chatID int64, messageID int) error {
	defer s.acting()()
	c, err := s.present(user, chatID)
	if err != nil {
		return err
	}
	m := c.find(messageID)
	if m == nil {
		return fmt.Errorf("there is no message %d", messageID)
	}
	m.delete(s.users[user].User)
	return nil
}

var deepLink = regexp.MustCompile(`^https://t\.me/(\w+)\?(start|startgroup)=([A-Za-z0-9_-]{1,64})$`)

// OpenLink makes a person open a deep link of the bot and press Start, and returns
// the id of the message that this writes (Bot API, "Deep linking").
//
// t.me/<bot>?start=<payload> writes "/start <payload>" into the private chat; group
// is 0 then. A blocked bot is unblocked by it, as the button then says Restart.
//
// t.me/<bot>?startgroup=<payload> has the person choose a group that they are in. It
// adds the bot, unless it is there, for which the bot gets a my_chat_member, and
// writes "/start@<bot> <payload>", which privacy mode lets through.
//
// It fails where Telegram does nothing: with another bot's link, with a payload of
// other characters than A-Z a-z 0-9 _ - or of more than 64, or without one.
func (s *Server) OpenLink(user int64, link string, group int64) (int, error) {
	parts := deepLink.FindStringSubmatch(link)
	switch {
	case parts == nil || !strings.EqualFold(parts[1], s.bot.Username):
		return 0, fmt.Errorf("%s is no link to @%s with a start or startgroup of 1 to 64 of A-Z a-z 0-9 _ -", link, s.bot.Username)
	case parts[2] == "start" && group != 0:
		return 0, errors.New("a start link opens the private chat, and lets nobody choose a group")
	case parts[2] == "start":
		if err := s.Unblock(user); err != nil {
			return 0, err
		}
		return s.Say(user, user, "/start "+parts[3])
	}
	s.mu.Lock()
	c, err := s.present(user, group)
	absent := err == nil && (c.bot == RoleLeft || c.bot == RoleKicked)
	s.mu.Unlock()
	if err == nil && c.Type == Private {
		err = fmt.Errorf("chat %d is no group", group)
	}
	if err == nil && absent {
		err = s.Invite(user, group)
	}
	if err != nil {
		return 0, err
	}
	return s.Say(user, group, "/start@"+s.bot.Username+" "+parts[3])
}
