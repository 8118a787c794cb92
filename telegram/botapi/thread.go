package botapi

// GeneralTopic is the topic of a forum that everybody has, as links to its messages name it.
const GeneralTopic = 1

// Thread is the message_thread_id with which something is sent to a topic, 0 for the chat
// itself. General is never named: the Bot API server refuses it with "message thread not
// found" (Client.cpp:8275).
func Thread(topic int) int {
	if topic == GeneralTopic {
		return 0
	}
	return topic
}
