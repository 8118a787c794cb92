package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/flock"
	"hermes/pending"
)

// shownMessage is a message that the doctor has sent.
type shownMessage struct {
	chat config.Chat
	id   int
}

const (
	testQuestion = "Test question from hermes doctor: does this reach you?"
	testNotice   = "Test message from hermes doctor: questions of your agents will reach you here. There is nothing to answer."
)

// checkRoundTrip sends a test message to every chat. The doctor may only read taps
// itself while nobody else does: a second poller would cut off the first.
func (d *Doctor) checkRoundTrip(ctx context.Context) result {
	switch {
	case !d.me().good():
		return skipped("Telegram does not take the token")
	case len(d.config.TelegramChats) == 0:
		return skipped("no chat is configured")
	case d.occupied(ctx):
		return d.beside(ctx)
	case d.hook().fault != nil:
		return skipped("Telegram does not say where updates go")
	case d.hook().URL != "" || d.config.TelegramWebhookURL != "":
		return d.notify(ctx)
	}
	return d.testQuestion(ctx)
}

// beside tests the way of the hermes that runs, if that one can be asked to.
func (d *Doctor) beside(ctx context.Context) result {
	if reply := d.daemon(); reply.known && reply.status.Telegram == "" {
		if told, ok := d.askThrough(ctx); ok {
			return told
		}
	}
	return d.notify(ctx)
}

// occupied reports whether a hermes runs on this machine, or may.
func (d *Doctor) occupied(ctx context.Context) bool {
	if d.daemon().there() {
		return true
	}
	file, err := flock.Hold(ctx, d.config.DB, syscall.LOCK_SH, flock.StopTime)
	if err == nil {
		file.Close()
	}
	return errors.Is(err, pending.ErrLocked)
}

// notify sends a message that asks for nothing, and says what that leaves open.
func (d *Doctor) notify(ctx context.Context) result {
	shown, wrong := d.show(ctx, testNotice, nil)
	if wrong.Status != "" {
		return wrong
	}
	detail := fmt.Sprintf("a test message has arrived in %s", chats(len(shown)))
	reply := d.daemon()
	switch {
	case reply.known && reply.status.Telegram == "":
		return passed("%s. Taps are for the hermes that runs to read%s, and it is too old to ask for one: let an agent ask something to see the whole way",
			detail, heardAgo(reply.status))
	case reply.known:
		return gradeFail.because(detail+", but no tap would come back: "+reply.status.Telegram, d.pollRemedy(reply.status.Telegram))
	}
	return GradeWarn.because(detail+", but whether taps come back is not known: they go to a webhook, or to a hermes that does not answer here",
		"see the other lines; with hermes stopped and no webhook set, doctor asks for a tap itself")
}

// testQuestion shows a question with one button, waits for a tap, and says under
// the question how it ended.
func (d *Doctor) testQuestion(ctx context.Context) result {
	w := newTapWait(d)
	shown, wrong := d.show(ctx, testQuestion, clients.OneRow(models.InlineKeyboardButton{Text: "Yes", CallbackData: w.data}))
	if wrong.Status != "" {
		d.settle(ctx, shown, "🚫 Withdrawn.")
		return wrong
	}
	d.tellToTap()
	began := time.Now()
	waiting, cancel := context.WithTimeout(ctx, d.opts.Wait)
	defer cancel()
	user, refused := w.await(waiting)
	switch {
	case user != 0:
		d.settle(ctx, shown, "✅ Yes. Your tap has come back to hermes doctor.")
		return passed("a test question was shown in %s, and the tap of user %d came back after %v", chats(len(shown)), user, time.Since(began).Round(time.Second))
	case refused != nil:
		d.settle(ctx, shown, "🚫 Withdrawn.")
		return gradeFail.because(fmt.Sprintf("a test question was shown, but its tap cannot be read (%s)", refused.Said()), "another program polls this bot: "+ownBot)
	case ctx.Err() != nil:
		d.settle(ctx, shown, "🚫 Withdrawn.")
		return gradeFail.because("interrupted; the test question was withdrawn", "run it again and tap Yes")
	}
	d.settle(ctx, shown, "⌛ Nobody has tapped in time.")
	return gradeFail.because(fmt.Sprintf("a test question was shown in %s, but no tap of a user in %s came within %v", chats(len(shown)), d.config.PeopleSetting(), d.opts.Wait),
		cmp.Or(w.hint(), "run it again and tap Yes; if somebody has, another program took the tap: "+ownBot))
}

// show sends a text to every chat. What was sent is returned also where something
// went wrong.
func (d *Doctor) show(ctx context.Context, text string, keyboard *models.InlineKeyboardMarkup) (shown []shownMessage, wrong result) {
	for _, c := range d.config.TelegramChats {
		params := clients.Message(c, text)
		if keyboard != nil {
			params.ReplyMarkup = keyboard
		}
		message, err := d.bot.SendMessage(ctx, params)
		if err != nil {
			wrong = d.unreachable(c, clients.ErrorOf(err))
			continue
		}
		shown = append(shown, shownMessage{c, message.ID})
	}
	return shown, wrong
}

// settle takes the button away and says how it ended, also after an interruption.
func (d *Doctor) settle(ctx context.Context, shown []shownMessage, end string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), clients.Timeout)
	defer cancel()
	for _, m := range shown {
		// A message that keeps its button says nothing false: the tap is answered by nobody.
		_ = d.bot.EditMessageText(ctx, &tg.EditMessageTextParams{ChatID: int64(m.chat.ID), MessageID: m.id, Text: testQuestion + "\n\n" + end})
	}
}

func chats(n int) string {
	if n == 1 {
		return "1 chat"
	}
	return fmt.Sprintf("%d chats", n)
}
