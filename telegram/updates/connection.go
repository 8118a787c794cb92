package updates

import (
	"log/slog"

	"hermes/telegram/botapi"
)

// connection is the client with which updates are fetched, and what is known of its state.
type connection struct {
	api    *botapi.Client
	log    *slog.Logger
	health health
	token  tokenDoubt
}

// renewConnections has the next calls use new connections if a call got no answer: what is sent
// over a connection that is half open is lost, and so would the next poll be.
func (l *connection) renewConnections(err *botapi.Error) {
	if err.Reason == botapi.Network {
		l.api.CloseIdleConnections()
	}
}

// sentence says what a failed call means.
func (l *connection) sentence(e *botapi.Error) string {
	switch e.Reason {
	case botapi.BadToken:
		return l.token.refusalText()
	case botapi.Conflict:
		return "another program polls this bot"
	case botapi.Flood:
		return "Telegram asks to wait " + e.RetryAfter.String()
	case botapi.Server:
		return "Telegram has a fault; see the log"
	case botapi.Network:
		return "Telegram cannot be reached; see the log"
	}
	return "Telegram refuses " + e.Op + "; see the log"
}
