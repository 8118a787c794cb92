package telegram

import (
	"context"
	"time"

	tg "github.com/go-telegram/bot"

	"hermes/internal/outbound"
	"hermes/telegram/botapi"
	"hermes/telegram/card"
)

// answerTimeout is longer than any client waits for an answer.
const answerTimeout = 30 * time.Second

// Answer acknowledges a tap at once, beside the queues: it never blocks and is
// not rate-limited. It makes one attempt, and a second when the first cannot
// have arrived. A failure is logged: all that it costs is the words.
func (b *Bot) Answer(callback string, a outbound.Alert, lang string) {
	text := card.Alert(a, b.texts.table(0, lang), time.Now())
	b.out.Go(func() { b.answerNow(callback, text) })
}

func (b *Bot) answerNow(callback, text string) {
	ctx, cancel := context.WithTimeout(b.out.Calls(), answerTimeout)
	defer cancel()
	call := func() error {
		err := b.api.AnswerCallbackQuery(ctx, &tg.AnswerCallbackQueryParams{
			CallbackQueryID: callback, Text: text, ShowAlert: text != "",
		})
		if err == nil {
			return nil
		}
		return b.api.AsError("answerCallbackQuery", err)
	}
	err := call()
	if botapi.ReasonOf(err) == botapi.Network && err != nil && ctx.Err() == nil {
		err = call() // idempotent
	}
	if err != nil && botapi.ReasonOf(err) != botapi.TooOld {
		b.log.Warn("a tap could not be acknowledged", "op", "answerCallbackQuery", "reason", botapi.ReasonOf(err), "err", err)
	}
}
