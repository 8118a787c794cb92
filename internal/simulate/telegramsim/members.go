package telegramsim

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
		AccentColor  int            `json:"accent_color_id"`
		MaxReactions int            `json:"max_reaction_count"`
		Permissions  map[string]any `json:"permissions,omitempty"`
	}{s.wireChat(c), 0, 11, nil}
	if c.Type == Group || c.Type == Supergroup {
		full.Permissions = c.denied.permissions() // Client.cpp:1349
	}
	return full, nil
}

func (s *Server) getChatMember(q *request) (any, *refusal) {
	id, need := q.params.integer("user_id"), membersAccess
	if id == s.bot.ID {
		need = readAccess // Client.cpp:15102
	}
	c, refused := s.reach(q.params.text("chat_id"), need)
	if refused != nil {
		return nil, refused
	}
	if id == s.bot.ID {
		return s.botMember(c), nil
	}
	u := s.users[id]
	switch {
	case id <= 0:
		return nil, wrong("invalid user_id specified")
	case u == nil:
		return nil, bad("user not found")
	}
	return member(u.User, orDefault(c.members[id], RoleLeft)), nil
}
