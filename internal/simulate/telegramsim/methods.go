package telegramsim

// methods is the dispatch table. Names are matched without regard to case.
func methods() map[string]handler {
	return map[string]handler{
		"getupdates":             (*Server).getUpdates,
		"setwebhook":             (*Server).setWebhook,
		"deletewebhook":          (*Server).deleteWebhook,
		"getme":                  locked((*Server).getMe),
		"getwebhookinfo":         locked((*Server).getWebhookInfo),
		"sendmessage":            locked((*Server).sendMessage),
		"senddocument":           locked((*Server).sendDocument),
		"sendchataction":         locked((*Server).sendChatAction),
		"editmessagetext":        locked((*Server).editMessageText),
		"editmessagecaption":     locked((*Server).editMessageCaption),
		"editmessagereplymarkup": locked((*Server).editMessageReplyMarkup),
		"deletemessage":          locked((*Server).deleteMessage),
		"setmessagereaction":     locked((*Server).setMessageReaction),
		"answercallbackquery":    locked((*Server).answerCallbackQuery),
		"setmycommands":          locked((*Server).setMyCommands),
		"getmycommands":          locked((*Server).getMyCommands),
		"deletemycommands":       locked((*Server).deleteMyCommands),
		"getfile":                locked((*Server).getFile),
		"getchat":                locked((*Server).getChat),
		"getchatmember":          locked((*Server).getChatMember),
		"createforumtopic":       locked((*Server).createForumTopic),
		"editforumtopic":         locked((*Server).editForumTopic),
		"closeforumtopic":        locked((*Server).closeForumTopic),
		"reopenforumtopic":       locked((*Server).reopenForumTopic),
	}
}

// locked makes a handler of a method that does not wait, and lets everyone who
// waits for a change look again afterwards.
func locked(h handler) handler {
	return func(s *Server, q *request) (any, *refusal) {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer s.announce()
		return h(s, q)
	}
}

func (s *Server) getMe(*request) (any, *refusal) {
	return struct {
		User
		CanJoinGroups bool `json:"can_join_groups"`
		ReadsAll      bool `json:"can_read_all_group_messages"`
		Inline        bool `json:"supports_inline_queries"`
		Business      bool `json:"can_connect_to_business"`
		WebApp        bool `json:"has_main_web_app"`
		Topics        bool `json:"has_topics_enabled"`
	}{User: s.bot, CanJoinGroups: true, ReadsAll: s.opts.PrivacyOff, Topics: s.opts.PrivateTopics}, nil
}
