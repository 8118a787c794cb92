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

// The reasons, as package botapi has them.
const (
	Flood        = botapi.Flood
	BadToken     = botapi.BadToken
	Conflict     = botapi.Conflict
	Network      = botapi.Network
	Server       = botapi.Server
	Blocked      = botapi.Blocked
	ChatNotFound = botapi.ChatNotFound
	NoRights     = botapi.NoRights
	TopicGone    = botapi.TopicGone
	NoTopics     = botapi.NoTopics
	Moved        = botapi.Moved
	MessageGone  = botapi.MessageGone
	NoReply      = botapi.NoReply
	NoText       = botapi.NoText
	Unchanged    = botapi.Unchanged
	Markup       = botapi.Markup
	TooOld       = botapi.TooOld
	TooLarge     = botapi.TooLarge
	FileGone     = botapi.FileGone
	Refused      = botapi.Refused
	Stopping     = botapi.Stopping
	Full         = botapi.Full
	Store        = botapi.Store
)

// reasonOf returns the reason of any error: Network for one that is not ours.
func reasonOf(err error) Reason { return botapi.ReasonOf(err) }
