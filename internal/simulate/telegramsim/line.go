package telegramsim

import "encoding/json"

// lineOf is the line in which an update waits for a webhook. Telegram delivers the updates of one line one after the other, and
// different lines beside one another (WebhookActor.cpp:358-420): messages of one chat, taps of one person (Client.cpp:17155), what
// the bot becomes in one chat (Client.cpp:17279). So a tap and the text after it may come in either order. 0: a line of its own.
func lineOf(kind string, update json.RawMessage) int64 {
	type id struct{ ID int64 }
	var u map[string]struct{ Chat, From id }
	var body map[string]json.RawMessage
	if json.Unmarshal(update, &body) != nil {
		return 0
	}
	delete(body, "update_id")
	rest, err := json.Marshal(body)
	if err != nil || json.Unmarshal(rest, &u) != nil {
		return 0
	}
	switch kind {
	case "message", "edited_message", "channel_post", "edited_channel_post":
		return u[kind].Chat.ID
	case "callback_query":
		return u[kind].From.ID + 3<<33
	case "my_chat_member":
		return u[kind].Chat.ID + 5<<33
	}
	return 0
}
