package setup

import (
	"hermes/internal/chat"
)

// Account is a person or a bot (Bot API User).
type Account struct {
	ID       chat.UserID
	IsBot    bool   `json:"is_bot"`
	Name     string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string
	Language string `json:"language_code"`
}

// incoming is an update, as far as setup understands it.
type incoming struct {
	ID      chat.UpdateID `json:"update_id"`
	Message *incomingMessage
	Tap     *struct {
		ID      string
		From    Account
		Data    string
		Message *struct {
			ID   int `json:"message_id"`
			Chat struct{ ID chat.ID }
		}
	} `json:"callback_query"`
}

// incomingMessage is a message of a person.
type incomingMessage struct {
	From Account
	Chat struct {
		ID   chat.ID
		Type string
	}
	Text string
}
