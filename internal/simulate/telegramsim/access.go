package telegramsim

// access is what a method needs of a chat. It decides what the server says of a chat that
// the bot is not in, or that is gone, before it passes the call on
// (Client::check_chat_access, telegram-bot-api Client.cpp:8123-8192).
type access int

const (
	readAccess  access = iota // getChat, setMessageReaction, getChatMember of the bot itself
	editAccess                // the edits
	writeAccess               // all else: sending, deleting, sendChatAction, topics
)

// reach finds the chat of a chat_id parameter, and says why the bot may not do there what
// needs this access.
func (s *Server) reach(id string, need access) (*chat, *refusal) {
	c, refused := s.findChat(id)
	if refused != nil {
		return nil, refused
	}
	switch c.Type {
	case Private:
		return c, s.reachPrivate(c)
	case Group:
		return c, c.reachGroup(need)
	}
	return c, c.absent()
}

// reachPrivate: the server knows whom it has never seen. Who blocked the bot it does not know
// (Client.cpp:8130-8141, and 6571 for getChat of a stranger).
func (s *Server) reachPrivate(c *chat) *refusal {
	if !c.started && !s.users[c.ID].known {
		return bad("chat not found")
	}
	return nil
}

// reachGroup: of a group that became a supergroup only those learn who need to write
// (Client.cpp:8142-8169).
func (c *chat) reachGroup(need access) *refusal {
	if c.migratedTo != 0 {
		if need != writeAccess {
			return nil
		}
		r := bad("group chat was upgraded to a supergroup chat")
		r.migrateTo = c.migratedTo
		return r
	}
	if need == readAccess {
		return nil
	}
	return c.absent()
}

// absent says that the bot is not in the group (of a supergroup Client.cpp:8170-8191).
func (c *chat) absent() *refusal {
	switch c.bot {
	case RoleKicked:
		return forbidden("bot was kicked from the " + string(c.Type) + " chat")
	case RoleLeft:
		return forbidden("bot is not a member of the " + string(c.Type) + " chat")
	}
	return nil
}

// answers is what Telegram itself answers for a chat that the server has nothing against.
// What it says to a send is known (MessagesManager.cpp:27948-27958; "bot was blocked by the
// user" is what bots are told). To an edit, a reaction, a chat action or a topic of such a
// chat it may say the same or nothing, which is not known: here it says the same.
func (c *chat) answers() *refusal {
	switch {
	case c.migratedTo != 0:
		return bad("MESSAGE_ID_INVALID")
	case c.Type != Private:
		return nil
	case c.bot == RoleKicked:
		return forbidden("bot was blocked by the user")
	case !c.started:
		return forbidden("bot can't initiate conversation with a user")
	}
	return nil
}

// open is reach and answers together, for a method that does not send.
func (s *Server) open(id string, need access) (*chat, *refusal) {
	c, refused := s.reach(id, need)
	if refused == nil {
		refused = c.answers()
	}
	return c, refused
}

// meet notes that the bot has been told of a person: from then on it knows who they are.
func (s *Server) meet(id int64) {
	if u := s.users[id]; u != nil {
		u.known = true
	}
}
