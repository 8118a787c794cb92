package telegramsim

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Block makes a person block the bot; the bot gets a my_chat_member.
func (s *Server) Block(user int64) error { return s.setBot(user, user, RoleKicked, "blocks the bot") }

// Unblock takes a block back; the bot gets a my_chat_member.
func (s *Server) Unblock(user int64) error {
	return s.setBot(user, user, RoleMember, "unblocks the bot")
}

// Kick removes the bot from a group for good.
func (s *Server) Kick(by, chatID int64) error {
	return s.setBot(by, chatID, RoleKicked, "removes the bot")
}

// Leave makes the bot leave a group, from where it can be invited again.
func (s *Server) Leave(by, chatID int64) error {
	return s.setBot(by, chatID, RoleLeft, "takes the bot out")
}

// Invite adds the bot to a group, as a plain member of a group.
func (s *Server) Invite(by, chatID int64) error {
	return s.setBot(by, chatID, RoleMember, "adds the bot")
}

// Promote makes the bot an administrator, who sees every message.
func (s *Server) Promote(by, chatID int64) error {
	return s.setBot(by, chatID, RoleAdministrator, "makes the bot an administrator")
}

// Entrust makes the bot an administrator who may also manage topics.
func (s *Server) Entrust(by, chatID int64) error {
	s.mu.Lock()
	if c := s.chats[chatID]; c != nil {
		c.ManageTopics = true
	}
	s.mu.Unlock()
	return s.Promote(by, chatID)
}

func (s *Server) setBot(by, chatID int64, role Role, what string) error {
	defer s.acting()()
	c, err := s.present(by, chatID)
	if err != nil {
		return err
	}
	old := s.botMember(c)
	if absent := c.bot == RoleLeft || c.bot == RoleKicked; absent && s.opts.NoGroups && (c.Type == Group || c.Type == Supergroup) {
		return errors.New("the bot can be added to no group")
	}
	if c.bot == role {
		return nil
	}
	c.bot = role
	s.meet(by)
	from := s.users[by].User
	c.noteOf(from.name(), what)
	s.queue.add("my_chat_member", chatID+5<<33, map[string]any{
		"chat": s.wireChat(c), "from": from, "date": time.Now().Unix(),
		"old_chat_member": old, "new_chat_member": s.botMember(c),
	})
	return nil
}

// Join adds a person to a group.
func (s *Server) Join(user, chatID int64) error {
	defer s.acting()()
	c := s.chats[chatID]
	if s.users[user] == nil || c == nil || c.Type == Private {
		return fmt.Errorf("user %d cannot join chat %d", user, chatID)
	}
	c.members[user] = RoleMember
	return nil
}

// Upgrade turns a basic group into a supergroup and returns its id. The bot gets
// a service message in each of the two chats; its messages stay in the old one.
func (s *Server) Upgrade(by, group int64) (int64, error) {
	defer s.acting()()
	c, err := s.present(by, group)
	if err != nil {
		return 0, err
	}
	if c.Type != Group {
		return 0, fmt.Errorf("chat %d is not a basic group", group)
	}
	next := s.successor(c)
	from := &s.users[by].User
	farewell := &message{chat: c, from: from, date: time.Now(), migrateTo: next.ID}
	welcome := &message{chat: next, from: from, date: time.Now(), migrateFrom: c.ID}
	for _, m := range []*message{farewell, welcome} {
		m.id = s.nextID(m.chat)
		m.chat.messages = append(m.chat.messages, m)
		m.chat.noteOf(from.name(), "upgrades the group to a supergroup")
		s.tell(m)
	}
	c.migratedTo = next.ID
	return next.ID, nil
}

// successor makes the supergroup with the group's title and members.
func (s *Server) successor(c *chat) *chat {
	up := Chat{ID: -1002000000000 - int64(s.serial) - 1, Type: Supergroup, Title: c.Title}
	for id, role := range c.members {
		switch role {
		case RoleMember:
			up.Members = append(up.Members, id)
		case RoleAdministrator:
			up.Admins = append(up.Admins, id)
		}
	}
	slices.Sort(up.Members)
	next := s.addChat(up)
	next.bot = c.bot
	return next
}
