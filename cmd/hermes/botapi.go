package main

import (
	"errors"
	"net/http"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/telegram/botapi"
)

// botTimeout bounds one call of setup and doctor to the Bot API, above the time for which
// a poll is held.
const botTimeout = 10 * time.Second

// toTelegram is the Bot API with the configured token, for setup and doctor; nil without
// a token. The transport is nil for the network.
func toTelegram(c config, transport http.RoundTripper, more ...secret) *botapi.Client {
	client, err := botapi.New(botapi.Config{
		Token: c.TelegramToken, Root: c.TelegramAPIURL, Proxy: c.TelegramProxy, Transport: transport,
		Secrets: append(c.secrets(), more...), Timeout: botTimeout,
	})
	if err != nil {
		return nil
	}
	return client
}

// fault is the error of a call; nil for nil.
func fault(err error) *botapi.Error {
	var e *botapi.Error
	if err != nil && !errors.As(err, &e) {
		e = &botapi.Error{Reason: botapi.Network, Detail: err.Error()}
	}
	return e
}

// said is what Telegram or the network said to a call, or the error's own text.
func said(err error) string {
	var e *botapi.Error
	if errors.As(err, &e) {
		return e.Said()
	}
	return err.Error()
}

// toSend is a plain message for a chat, in its topic.
func toSend(c chat, text string) *tg.SendMessageParams {
	return &tg.SendMessageParams{ChatID: int64(c.ID), MessageThreadID: botapi.Thread(c.Topic), Text: text}
}

// oneRow is a keyboard of buttons beside one another.
func oneRow(buttons ...models.InlineKeyboardButton) *models.InlineKeyboardMarkup {
	return &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{buttons}}
}
