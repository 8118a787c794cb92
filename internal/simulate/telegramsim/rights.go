package telegramsim

import (
	"strconv"
	"time"
)

// Right is what members of a group may do, as a field of the Bot API's ChatPermissions.
type Right string

// The rights that hermes needs or asks for; the Bot API has others (Client.cpp:16757).
const (
	SendMessages  Right = "can_send_messages"
	SendDocuments Right = "can_send_documents"
)

// denied are rights that are taken away.
type denied map[Right]bool

// permissions is a set of rights in the Bot API's form.
func (d denied) permissions() map[string]any {
	return map[string]any{string(SendMessages): !d[SendMessages], string(SendDocuments): !d[SendDocuments]}
}

// Forbid takes rights away from all members of a group who are no administrators; none gives all of them back. The
// bot is not told.
func (s *Server) Forbid(chatID int64, list ...Right) {
	defer s.acting()()
	c := s.chats[chatID]
	c.denied = denied{}
	for _, r := range list {
		c.denied[r] = true
	}
}

// SlowMode lets each member of a supergroup send one message in a while, administrators excepted; 0 switches it off. The bot is
// not told. To a bot that is a 429 with the seconds that are left (SLOWMODE_WAIT_n, td NetQueryDelayer.cpp:37-110); edits are no messages.
func (s *Server) SlowMode(chatID int64, pause time.Duration) {
	defer s.acting()()
	c := s.chats[chatID]
	if c == nil || c.Type != Supergroup {
		panic("simulator: no supergroup: " + strconv.FormatInt(chatID, 10))
	}
	c.slow, c.slowUntil = pause, time.Time{}
}

// limitSlowMode counts a message of the bot for the slow mode, or refuses it.
func (c *chat) limitSlowMode() *refusal {
	if c.slow == 0 || c.bot == RoleAdministrator {
		return nil
	}
	now := time.Now()
	if left := c.slowUntil.Sub(now); left > 0 {
		return tooMany(left, false)
	}
	c.slowUntil = now.Add(c.slow)
	return nil
}

// may says why the bot may not send something for which all members need a right, and administrators none (td 022d602,
// MessageContent.cpp:6152-6340 can_send_message_content).
func (c *chat) may(r Right, what string) *refusal {
	if c.Type == Private || c.bot == RoleAdministrator || !c.denied[r] {
		return nil
	}
	return bad("not enough rights to send " + what + " to the chat")
}

// botMember is the bot's own ChatMember (Client.cpp:5165-5200).
func (s *Server) botMember(c *chat) wireMember {
	m := member(s.bot, c.bot)
	if c.bot == RoleAdministrator && c.Type == Supergroup {
		manages := c.managed()
		m.Topics = &manages
	}
	return m
}

// wireMember is a ChatMember with the fields that every status has.
type wireMember struct {
	User      User  `json:"user"`
	Status    Role  `json:"status"`
	UntilDate *int  `json:"until_date,omitempty"`
	Anonymous *bool `json:"is_anonymous,omitempty"`
	Topics    *bool `json:"can_manage_topics,omitempty"` // of an administrator of a supergroup
}

func member(u User, role Role) wireMember {
	m := wireMember{User: u, Status: role}
	switch role {
	case RoleKicked:
		m.UntilDate = new(int)
	case RoleAdministrator:
		m.Anonymous = new(bool)
	}
	return m
}

func (s *Server) getChat(q *request) (any, *refusal) {
	c, refused := s.reach(q.params.text("chat_id"), readAccess)
	if refused != nil {
		return nil, refused
	}
	full := struct {
		wireChat
		Permissions map[string]any `json:"permissions,omitempty"`
		SlowMode    int            `json:"slow_mode_delay,omitempty"` // Bot API ChatFullInfo
	}{s.wireChat(c), nil, int(c.slow / time.Second)}
	if c.Type == Group || c.Type == Supergroup {
		full.Permissions = c.denied.permissions() // Client.cpp:1349
	}
	return full, nil
}

// getChatMember knows the bot alone, of which hermes asks.
func (s *Server) getChatMember(q *request) (any, *refusal) {
	if q.params.integer("user_id") != s.bot.ID {
		return nil, wrong("user not found")
	}
	c, refused := s.reach(q.params.text("chat_id"), readAccess) // Client.cpp:15102
	if refused != nil {
		return nil, refused
	}
	return s.botMember(c), nil
}
