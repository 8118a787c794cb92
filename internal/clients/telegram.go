package clients

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	tg "github.com/go-telegram/bot"

	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

// Timeout bounds one call of setup and doctor to the Bot API, above the time for which
// a poll is held.
const Timeout = 10 * time.Second

// NewBotClient is the Bot API with the configured token, for setup and doctor; nil without
// a token. The transport is nil for the network.
func NewBotClient(c config.Config, transport http.RoundTripper, more ...secret.Text) *botapi.Client {
	client, err := botapi.New(botapi.Config{
		Token: c.TelegramToken, Root: c.TelegramAPIURL, Proxy: c.TelegramProxy, Transport: transport,
		Secrets: append(c.Secrets(), more...), Timeout: Timeout,
	})
	if err != nil {
		return nil
	}
	return client
}

// ErrorOf is the error of a call; nil for nil.
func ErrorOf(err error) *botapi.Error {
	var e *botapi.Error
	if err != nil && !errors.As(err, &e) {
		e = &botapi.Error{Reason: botapi.Network, Detail: err.Error()}
	}
	return e
}

// ErrorText is what Telegram or the network said to a call, or the error's own text.
func ErrorText(err error) string {
	var e *botapi.Error
	if errors.As(err, &e) {
		return e.Said()
	}
	return err.Error()
}

// PlainMessage is a plain message for a chat, in its topic.
func PlainMessage(c config.Chat, text string) *tg.SendMessageParams {
	return &tg.SendMessageParams{ChatID: int64(c.ID), MessageThreadID: botapi.Thread(c.Topic), Text: text}
}

// TokenMark is what the database keeps of a token.
func TokenMark(token secret.Text) string {
	sum := sha256.Sum256([]byte("a token of a bot that hermes has used: " + token.Reveal()))
	return hex.EncodeToString(sum[:16])
}
