package chat

// ID is Telegram's id of a chat, MessageID of a message in it, UserID of a person.
type (
	ID        int64
	MessageID int
	UserID    int64
)
