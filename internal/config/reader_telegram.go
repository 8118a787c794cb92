package config

import (
	"slices"
	"strconv"
	"strings"

	"hermes/internal/chat"
)

// Chats reads ids of chats, each with a forum topic after a slash or without.
// One that stands twice is taken once: it would be asked twice.
func (r Reader) Chats(name, text string) []Chat {
	var chats []Chat
	for i, entry := range splitList(text) {
		c, ok := parseChat(entry)
		if !ok {
			r.Wrong.Add(name, "%s is not a chat id, such as 123456789 or -1001234567890, or -1001234567890/5 for topic 5 of a forum group", entryName(i))
		} else if !slices.Contains(chats, c) {
			chats = append(chats, c)
		}
	}
	return chats
}

func parseChat(text string) (Chat, bool) {
	id, topic, hasTopic := strings.Cut(text, "/")
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n == 0 {
		return Chat{}, false
	}
	if !hasTopic {
		return Chat{ID: chat.ID(n)}, true
	}
	t, err := strconv.ParseInt(topic, 10, 32)
	return Chat{ID: chat.ID(n), Topic: int(t)}, err == nil && t > 0 && n < 0
}

// Users reads the ids of the people who may answer. Ids that Telegram uses for
// many senders at once are refused: to allow one is to allow everybody.
func (r Reader) Users(name, text string) []chat.UserID {
	var users []chat.UserID
	for i, entry := range splitList(text) {
		id, err := strconv.ParseInt(entry, 10, 64)
		switch {
		case err != nil || id <= 0:
			r.Wrong.Add(name, "%s is not a numeric user id, such as 123456789; a @name or a group cannot answer (@userinfobot in Telegram tells an id)", entryName(i))
		case isServiceAccount(id):
			r.Wrong.Add(name, "%s is an id that Telegram uses for many people; name each person by their own id", entryName(i))
		case !slices.Contains(users, chat.UserID(id)):
			users = append(users, chat.UserID(id))
		}
	}
	return users
}

// isServiceAccount reports Telegram's own senders: service messages, anonymous group
// administrators and channels (TDLib's UserManager).
func isServiceAccount(id int64) bool {
	return id == 777000 || id == 1087968824 || id == 136817688
}
