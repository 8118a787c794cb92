package botapi

import (
	"strings"
	"testing"
)

// The sources of wordings: a file and line of telegram-bot-api 01a3679 (Client.cpp,
// Query.cpp) or of td 022d602 (all others), or the errors of a method in
// core.telegram.org/method, which the server passes on by name.
type said struct {
	code   int
	text   string
	source string
	want   Reason
}

// wordings are descriptions as they come, whole.
func wordings() []said {
	return []said{
		{429, "Too Many Requests: retry after 5", "Query.cpp:111", Flood},
		{401, "Unauthorized", "Client.cpp:16291", BadToken},
		{404, "Not Found", "a path that is no bot's", BadToken},
		{404, "Not Found: method not found", "Client.cpp:12664", Refused},
		{409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", "Client.cpp:16232", Conflict},
		{409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first", "Client.cpp:15703", Conflict},
		{400, "Logged out", "Client.cpp:16271-16298, telegram-bot-api#566", LoggedOut},
		{400, "Bad Request: FROZEN_METHOD_INVALID", "Client.cpp:174-178, tdlib/td#3471", Frozen},
		{500, "Internal Server Error: request aborted", "Client.cpp:173", Server},
		{502, "Bad Gateway", "a proxy", Server},

		{400, "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message", "Client.cpp:108", Unchanged},
		{400, "Bad Request: TOPIC_NOT_MODIFIED", "ForumTopicManager.cpp:212", Unchanged},
		{400, `Bad Request: can't parse entities: Can't find end tag corresponding to start tag "b"`, "SynchronousRequests.cpp:180", Markup},
		{400, "Bad Request: inline keyboard button URL 'http://localhost' is invalid: Wrong HTTP URL", "ReplyMarkup.cpp", ButtonURL},
		{400, "Bad Request: BUTTON_URL_INVALID", "messages.sendMessage", ButtonURL},
		{400, "Bad Request: query is too old and response timeout expired or query ID is invalid", "Client.cpp:148", TooOld},
		{400, "Bad Request: file is too big", "Client.cpp:8707", TooLarge},
		{400, "Bad Request: wrong file_id or the file is temporarily unavailable", "Client.cpp:8719", Server},
		{400, "Bad Request: invalid file_id", "Client.cpp:6857", FileGone},

		{400, "Bad Request: message to edit not found", "Client.cpp:13541, 6729", MessageGone},
		{400, "Bad Request: message to delete not found", "Client.cpp:13804, 6729", MessageGone},
		{400, "Bad Request: message can't be deleted", "Client.cpp:151", Refused},
		{400, "Bad Request: message can't be deleted for everyone", "MessagesManager.cpp:8507", Refused},
		{400, "Bad Request: message not found", "MessagesManager.cpp:23384: deleted between two looks", MessageGone},
		{400, "Bad Request: message can't be edited", "MessagesManager.cpp:23386", MessageGone},
		{400, "Bad Request: MESSAGE_ID_INVALID", "messages.editMessage", MessageGone},
		{400, "Bad Request: there is no text in the message to edit", "MessagesManager.cpp:23393", NoText},
		{400, "Bad Request: there is no caption in the message to edit", "MessagesManager.cpp:23687", NoText},
		{400, "Bad Request: message to be replied not found", "Client.cpp:8516, 8522", NoReply},
		{400, "Bad Request: REPLY_MESSAGE_ID_INVALID", "messages.sendMessage; MessagesManager.cpp:28042: with allow_sending_without_reply, too", NoReply},

		{400, "Bad Request: message thread not found", "Client.cpp:6818, 8277", TopicGone},
		{400, "Bad Request: TOPIC_DELETED", "messages.sendMessage", TopicGone},
		{400, "Bad Request: TOPIC_CLOSED", "messages.sendMessage", TopicGone},
		{400, "Bad Request: TOPIC_ID_INVALID", "messages.editForumTopic", TopicGone},
		{400, "Bad Request: the chat is not a forum", "ForumTopicManager.cpp:1252", NoTopics},
		{400, "Bad Request: the chat is not a supergroup forum", "ForumTopicManager.cpp:1235", NoTopics},
		{400, "Bad Request: BOT_FORUM_CREATE_FORBIDDEN", "messages.createForumTopic, telegram-bot-api#847", NoTopics},
		{403, "Forbidden: BOT_FORUM_CREATE_FORBIDDEN", "messages.createForumTopic, by its documentation", NoTopics},

		{400, "Bad Request: chat not found", "Client.cpp:6571", ChatNotFound},
		{400, "Bad Request: private chat not found", "Client.cpp:8139", ChatNotFound},
		{400, "Bad Request: PEER_ID_INVALID", "messages.sendMessage", ChatNotFound},
		{400, "Bad Request: CHANNEL_PRIVATE", "messages.sendMessage", Blocked},
		{400, "Bad Request: USER_BANNED_IN_CHANNEL", "messages.sendMessage", Blocked},
		{403, "Forbidden: bot was blocked by the user", "Client.cpp:127", Blocked},
		{403, "Forbidden: user is deactivated", "Client.cpp:124, 8136", Blocked},
		{403, "Forbidden: bot can't initiate conversation with a user", "MessagesManager.cpp:27957", Blocked},
		{403, "Forbidden: the group chat was deleted", "Client.cpp:8158", Blocked},
		{403, "Forbidden: bot was kicked from the group chat", "Client.cpp:8162", Blocked},
		{403, "Forbidden: bot is not a member of the group chat", "Client.cpp:8165", Blocked},
		{403, "Forbidden: bot was kicked from the supergroup chat", "Client.cpp:8174", Blocked},
		{403, "Forbidden: bot is not a member of the supergroup chat", "Client.cpp:8183, 18073", Blocked},

		{400, "Bad Request: not enough rights to send text messages to the chat", "MessageContent.cpp:6302", NoRights},
		{400, "Bad Request: not enough rights to send documents to the chat", "MessageContent.cpp:6204", NoRights},
		{400, "Bad Request: not enough rights to create a topic", "ForumTopicManager.cpp:523", NoRights},
		{400, "Bad Request: not enough rights to close or open the topic", "ForumTopicManager.cpp:968", NoRights},
		{400, "Bad Request: have no write access to the chat", "DialogManager.cpp:1511", NoRights},
		{400, "Bad Request: need administrator rights in the channel chat", "DialogManager.cpp:1525", NoRights},
		{400, "Bad Request: CHAT_WRITE_FORBIDDEN", "messages.sendMessage", NoRights},
		{400, "Bad Request: CHAT_RESTRICTED", "messages.sendMessage", NoRights},
		{400, "Bad Request: CHAT_ADMIN_REQUIRED", "messages.sendMessage", NoRights},
		{400, "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN", "messages.sendMessage", NoRights},
		{400, "Bad Request: CHAT_SEND_DOCS_FORBIDDEN", "messages.sendMedia", NoRights},
		{400, "Bad Request: CHAT_SEND_MEDIA_FORBIDDEN", "messages.sendMedia", NoRights},

		{400, "Bad Request: message is too long", "MessageContent.cpp:4759; MessagesManager.cpp:27943 for what is sent", TooLong},
		{400, "Bad Request: MESSAGE_TOO_LONG", "messages.editMessage, which nothing checks before (MessagesManager.cpp:23405)", TooLong},
		{400, "Bad Request: message text is empty", "Client.cpp:11401", Refused},
		{400, "Bad Request: BUTTON_DATA_INVALID", "messages.sendMessage", Refused},
		{413, "Request Entity Too Large: too many parameters", "HttpReader.cpp", Refused},
	}
}

func TestClassify(t *testing.T) {
	for _, w := range wordings() {
		if got := classify(w.code, w.text); got != w.want {
			t.Errorf("%d %q (%s) is %s, want %s", w.code, w.text, w.source, got, w.want)
		}
	}
}

// Nothing is matched that nobody says, and nothing twice.
func TestClassify_EachWordIsSaid(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range knownDescriptions() {
		said := false
		for _, full := range wordings() {
			said = said || full.want == w.reason && strings.Contains(strings.ToLower(full.text), w.part)
		}
		if !said || seen[w.part] || w.part != strings.ToLower(w.part) {
			t.Errorf("%q: said %v, twice %v", w.part, said, seen[w.part])
		}
		seen[w.part] = true
	}
}
