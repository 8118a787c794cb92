package main

import "hermes/question"

// botCode returns the status with which Telegram refused a call, 0 for every
// other error.
func botCode(err error) int {
	if fault := faultOf(err); fault != nil {
		return fault.code
	}
	return 0
}

// account is a person or a bot (Bot API User).
type account struct {
	ID       question.UserID
	IsBot    bool   `json:"is_bot"`
	Name     string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string
	Language string `json:"language_code"`
}

// incoming is an update, as far as setup understands it.
type incoming struct {
	ID      int64 `json:"update_id"`
	Message *incomingMessage
	Tap     *struct {
		ID      string
		From    account
		Data    string
		Message *struct {
			ID   int `json:"message_id"`
			Chat struct{ ID question.ChatID }
		}
	} `json:"callback_query"`
}

// incomingMessage is a message of a person.
type incomingMessage struct {
	From account
	Chat struct {
		ID   question.ChatID
		Type string
	}
	Text string
}
