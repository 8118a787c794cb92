package telegram

import (
	"hermes/telegram/botapi"
	"hermes/telegram/updates"
)

// ErrToken is returned by Run when Telegram refuses the token, and is believed: it
// never worked, or has been refused for minutes. No try will ever succeed.
var ErrToken = updates.ErrToken

// Error is a call that failed, to the Bot API or in this package's own queues and
// inbox. Its text holds no secret.
type Error = botapi.Error

// Reason is why a call failed. The set is closed; it is a metric label.
type Reason = botapi.Reason
