package telegramsim

import (
	"fmt"
	"maps"
	"slices"
)

// Right is what members of a group may do, as a field of the Bot API's ChatPermissions.
type Right string

// The rights, in the order of Client.cpp:16757 (telegram-bot-api 01a3679).
const (
	SendMessages   Right = "can_send_messages"
	SendMedia      Right = "can_send_media_messages" // follows from those below
	SendAudios     Right = "can_send_audios"
	SendDocuments  Right = "can_send_documents"
	SendPhotos     Right = "can_send_photos"
	SendVideos     Right = "can_send_videos"
	SendVideoNotes Right = "can_send_video_notes"
	SendVoiceNotes Right = "can_send_voice_notes"
	SendPolls      Right = "can_send_polls"
	SendOther      Right = "can_send_other_messages"
	AddPreviews    Right = "can_add_web_page_previews"
	React          Right = "can_react_to_messages"
	EditTag        Right = "can_edit_tag"
	ChangeInfo     Right = "can_change_info"
	InviteUsers    Right = "can_invite_users"
	PinMessages    Right = "can_pin_messages"
	ManageTopics   Right = "can_manage_topics"
)

func rights() []Right {
	return []Right{
		SendMessages, SendMedia, SendAudios, SendDocuments, SendPhotos, SendVideos, SendVideoNotes, SendVoiceNotes, SendPolls, SendOther,
		AddPreviews, React, EditTag, ChangeInfo, InviteUsers, PinMessages, ManageTopics,
	}
}

// denied are rights that are taken away.
type denied map[Right]bool

// permissions is a set of rights in the Bot API's form.
func (d denied) permissions() map[string]any {
	all := map[string]any{}
	for _, r := range rights() {
		all[string(r)] = !d[r]
	}
	all[string(SendMedia)] = slices.ContainsFunc(rights()[2:8], func(r Right) bool { return !d[r] })
	return all
}

// Forbid takes rights away from all members of a group who are no administrators; none gives all of them back. The
// bot is not told.
func (s *Server) Forbid(chatID int64, list ...Right) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	c.denied = denied{}
	for _, r := range list {
		c.denied[r] = true
	}
	s.announce()
}

// Restrict takes rights away from the bot alone, in a supergroup; none makes it a plain member again. The bot gets a
// my_chat_member.
func (s *Server) Restrict(by, chatID int64, list ...Right) error {
	if len(list) == 0 {
		return s.setBot(by, chatID, RoleMember, "lifts the bot's restrictions")
	}
	s.mu.Lock()
	c := s.chats[chatID]
	if c != nil && c.Type == Supergroup {
		c.botDenied = denied{}
		for _, r := range list {
			c.botDenied[r] = true
		}
	}
	s.mu.Unlock()
	if c == nil || c.Type != Supergroup {
		return fmt.Errorf("chat %d is no supergroup", chatID)
	}
	return s.setBot(by, chatID, RoleRestricted, "restricts the bot")
}

// may says why the bot may not send something for which a right is needed: of its own and of all members' rights,
// it needs both, unless it is an administrator (td 022d602, MessageContent.cpp:6152-6340 can_send_message_content).
func (c *chat) may(r Right, what string) *refusal {
	if c.Type == Private || c.bot == RoleAdministrator || !c.denied[r] && (c.bot != RoleRestricted || !c.botDenied[r]) {
		return nil
	}
	return bad("not enough rights to send " + what + " to the chat")
}

// botMember is the bot's own ChatMember (Client.cpp:5165-5200).
func (s *Server) botMember(c *chat) any {
	m := member(s.bot, c.bot)
	switch {
	case c.bot == RoleAdministrator && c.Type == Supergroup:
		manages := c.managed()
		m.Topics = &manages
	case c.bot == RoleRestricted:
		return s.restricted(c)
	}
	return m
}

func (s *Server) restricted(c *chat) map[string]any {
	all := map[string]any{"user": s.bot, "status": RoleRestricted, "until_date": 0, "is_member": true}
	maps.Copy(all, c.botDenied.permissions())
	return all
}
