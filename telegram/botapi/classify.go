package botapi

import "strings"

// classify reads an error answer. The descriptions are those of the Bot API
// server, matched without regard to case.
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
	for _, known := range descriptions() {
		if strings.Contains(text, known.part) {
			return known.reason
		}
	}
	if code == 403 {
		return Blocked
	}
	return Refused
}

type known struct {
	part   string
	reason Reason
}

func descriptions() []known {
	return []known{
		{"message is not modified", Unchanged},
		{"can't parse entities", Markup},
		{"query is too old", TooOld},
		{"file is too big", TooLarge},
		{"file is temporarily unavailable", Server},
		{"invalid file_id", FileGone},
		{"message to edit not found", MessageGone},
		{"message can't be edited", MessageGone},
		{"message_id_invalid", MessageGone},
		{"message to be replied not found", NoReply},
		{"message thread not found", TopicGone},
		{"topic_deleted", TopicGone},
		{"topic_closed", TopicGone},
		{"topic_id_invalid", TopicGone},
		{"topic_not_modified", Unchanged},
		{"not a forum", NoTopics},
		{"chat not found", ChatNotFound},
		{"peer_id_invalid", ChatNotFound},
		{"group chat was deactivated", ChatNotFound},
		{"not enough rights", NoRights},
		{"have no rights", NoRights},
		{"chat_write_forbidden", NoRights},
		{"chat_restricted", NoRights},
	}
}
