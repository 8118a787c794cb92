package botapi

import "strings"

// classify reads an error answer. What is matched of a description is in words.
func classify(code int, description string) Reason {
	switch {
	case code == 429:
		return Flood
	case code == 401:
		return BadToken
	case code == 404 && !strings.Contains(description, "method"):
		return BadToken
	case code == 409:
		return Conflict
	case code >= 500:
		return Server
	}
	text := strings.ToLower(description)
	for _, w := range knownDescriptions() {
		if strings.Contains(text, w.part) {
			return w.reason
		}
	}
	if code == 403 {
		return Blocked
	}
	return Refused
}

// wording is a part of descriptions, in lower case, and what it means.
type wording struct {
	part   string
	reason Reason
}

// knownDescriptions are those of the Bot API server and of TDLib in it, which put their own texts for
// some of MTProto's errors and pass the names of all others on. The test has each of
// them whole, with its source. The first that fits counts.
func knownDescriptions() []wording {
	return []wording{
		{"message is not modified", Unchanged},
		{"topic_not_modified", Unchanged},
		{"can't parse entities", Markup},
		{"inline keyboard button url", ButtonURL},
		{"button_url_invalid", ButtonURL},
		{"query is too old", TooOld},
		{"file is too big", TooLarge},
		{"file is temporarily unavailable", Server},
		{"invalid file_id", FileGone},
		{"message to edit not found", MessageGone},
		{"message not found", MessageGone},
		{"message to delete not found", MessageGone},
		{"message can't be edited", MessageGone},
		{"no text in the message to edit", NoText},
		{"no caption in the message to edit", NoText},
		{"reply_message_id_invalid", NoReply},
		{"message_id_invalid", MessageGone},
		{"message to be replied not found", NoReply},
		{"message thread not found", TopicGone},
		{"topic_deleted", TopicGone},
		{"topic_closed", TopicGone},
		{"topic_id_invalid", TopicGone},
		{"not a forum", NoTopics},
		{"not a supergroup forum", NoTopics},
		{"chat not found", ChatNotFound},
		{"peer_id_invalid", ChatNotFound},
		{"channel_private", Blocked},
		{"user_banned_in_channel", Blocked},
		{"not enough rights", NoRights},
		{"have no write access", NoRights},
		{"need administrator rights", NoRights},
		{"chat_write_forbidden", NoRights},
		{"chat_restricted", NoRights},
		{"chat_admin_required", NoRights},
		{"chat_send_plain_forbidden", NoRights},
		{"chat_send_docs_forbidden", NoRights},
		{"chat_send_media_forbidden", NoRights},
	}
}
