package clients

import (
	"context"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/telegram/botapi"
)

// Update is what setup and doctor read of an update (Bot API Update). Parts that were not sent are nil.
type Update struct {
	ID      chat.UpdateID `json:"update_id"`
	Message *Message
	Tap     *Tap `json:"callback_query"`
}

// Message is a message of a person (Bot API Message).
type Message struct {
	From Account
	Chat struct {
		ID   chat.ID
		Type string
	}
	Text string
}

// Tap is a tap on a button under a message of the bot's (Bot API CallbackQuery).
type Tap struct {
	ID      string
	From    Account
	Data    string // of the button
	Message *struct {
		ID   int `json:"message_id"`
		Chat struct{ ID chat.ID }
	}
}

// Account is a person or a bot (Bot API User).
type Account struct {
	ID       chat.UserID
	IsBot    bool   `json:"is_bot"`
	Name     string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string
	Language string `json:"language_code"`
}

// Button is a button that sends Data when it is tapped.
type Button struct{ Text, Data string }

// Sent is a message that the bot has sent.
type Sent struct {
	Chat config.Chat
	ID   int
}

// Send sends a plain text to a chat, in its topic, with the buttons beside one another.
func Send(ctx context.Context, bot *botapi.Client, c config.Chat, text string, buttons ...Button) (Sent, error) {
	params := PlainMessage(c, text)
	if len(buttons) > 0 {
		var row []models.InlineKeyboardButton
		for _, b := range buttons {
			row = append(row, models.InlineKeyboardButton{Text: b.Text, CallbackData: b.Data})
		}
		params.ReplyMarkup = &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{row}}
	}
	message, err := bot.SendMessage(ctx, params)
	if err != nil {
		return Sent{}, err
	}
	return Sent{c, message.ID}, nil
}

// Replace puts another text in place of the message's, and takes its buttons away.
func (m Sent) Replace(ctx context.Context, bot *botapi.Client, text string) error {
	return bot.EditMessageText(ctx, &tg.EditMessageTextParams{ChatID: int64(m.Chat.ID), MessageID: m.ID, Text: text})
}

// AnswerTap ends the spinner of a tapped button and shows the text, if there is any: in a box to close
// if it is an alert, else for a moment. A failure costs nothing, as the spinner ends by itself.
func AnswerTap(ctx context.Context, bot *botapi.Client, tap Tap, text string, alert bool) {
	_ = bot.AnswerCallbackQuery(ctx, &tg.AnswerCallbackQueryParams{CallbackQueryID: tap.ID, Text: text, ShowAlert: alert})
}
