package doctor

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/telegram/botapi"
)

const (
	testQuestion = "Test question from hermes doctor: does this reach you?"
	testNotice   = "Test message from hermes doctor: questions of your agents will reach you here. There is nothing to answer."
)

// roundTrip sends a test message to every chat, and waits for a tap where it can read one.
type roundTrip struct {
	config   config.Config
	bot      *botapi.Client
	telegram *telegramChecks
	hermes   *hermesProbe
	wait     time.Duration // for a tap
	notice   io.Writer     // tells a person what to do
}

// checkRoundTrip sends a test message to every chat. The doctor may only read taps
// itself while nobody else does: a second poller would cut off the first.
func (t *roundTrip) checkRoundTrip(ctx context.Context) result {
	switch {
	case !t.telegram.info().usable():
		return t.telegram.noBot()
	case len(t.config.TelegramChats) == 0:
		return skip("no chat is configured")
	case t.hermes.mayRun(ctx):
		return t.testThroughHermes(ctx)
	case t.telegram.webhook().fault != nil:
		return skip("Telegram does not say where updates go")
	case t.telegram.webhook().URL != "" || t.config.TelegramWebhookURL != "":
		return t.sendNotice(ctx)
	}
	return t.askByItself(ctx)
}

// testThroughHermes tests the way of the running hermes, if that one can be asked to.
func (t *roundTrip) testThroughHermes(ctx context.Context) result {
	if reply := t.hermes.status(); reply.known && reply.status.Telegram == "" {
		if told, ok := t.askThrough(ctx); ok {
			return told
		}
	}
	return t.sendNotice(ctx)
}

// sendNotice sends a message that asks for nothing, and says what that leaves open.
func (t *roundTrip) sendNotice(ctx context.Context) result {
	shown, wrong := t.sendToChats(ctx, testNotice)
	if wrong.Status != "" {
		return wrong
	}
	detail := fmt.Sprintf("a test message has arrived in %s", countChats(len(shown)))
	reply := t.hermes.status()
	switch {
	case reply.known && reply.status.Telegram == "":
		return pass("%s. Taps are for the running hermes to read%s, and it is too old to ask for one: let an agent ask something to see the whole way",
			detail, heardAgo(reply.status))
	case reply.known:
		return gradeFail.because(detail+", but no tap would come back: "+reply.status.Telegram, pollRemedy(reply.status.Telegram))
	}
	return gradeWarn.because(detail+", but whether taps come back is not known: they go to a webhook, or to a hermes that does not answer here",
		"see the other lines; with hermes stopped and no webhook set, doctor asks for a tap itself")
}

// askByItself shows a question with one button, waits for a tap, and says under
// the question how it ended.
func (t *roundTrip) askByItself(ctx context.Context) result {
	w := newTapWait(t.bot, t.config)
	shown, wrong := t.sendToChats(ctx, testQuestion, clients.Button{Text: "Yes", Data: w.data})
	if wrong.Status != "" {
		t.endQuestions(ctx, shown, "🚫 Withdrawn.")
		return wrong
	}
	t.tellToTap()
	began := time.Now()
	waiting, cancel := context.WithTimeout(ctx, t.wait)
	defer cancel()
	user, refused := w.await(waiting)
	switch {
	case user != 0:
		t.endQuestions(ctx, shown, "✅ Yes. Your tap has come back to hermes doctor.")
		return pass("a test question was shown in %s, and the tap of user %d came back after %v", countChats(len(shown)), user, time.Since(began).Round(time.Second))
	case refused != nil:
		t.endQuestions(ctx, shown, "🚫 Withdrawn.")
		return gradeFail.because(fmt.Sprintf("a test question was shown, but its tap cannot be read (%s)", refused.Said()), "another program polls this bot: "+ownBotRemedy)
	case ctx.Err() != nil:
		t.endQuestions(ctx, shown, "🚫 Withdrawn.")
		return gradeFail.because("interrupted; the test question was withdrawn", "run it again and tap Yes")
	}
	t.endQuestions(ctx, shown, "⌛ Nobody has tapped in time.")
	return gradeFail.because(fmt.Sprintf("a test question was shown in %s, but no tap of a user in %s came within %v", countChats(len(shown)), t.config.PeopleSetting(), t.wait),
		cmp.Or(w.hint(), "run it again and tap Yes; if somebody has, another program took the tap: "+ownBotRemedy))
}

// sendToChats sends a text to every chat. What was sent is returned also where something
// went wrong.
func (t *roundTrip) sendToChats(ctx context.Context, text string, buttons ...clients.Button) (shown []clients.Sent, wrong result) {
	for _, c := range t.config.TelegramChats {
		message, err := clients.Send(ctx, t.bot, c, text, buttons...)
		if err != nil {
			wrong = t.telegram.unreachableChat(c, clients.ErrorOf(err))
			continue
		}
		shown = append(shown, message)
	}
	return shown, wrong
}

// endQuestions takes the button away and says how it ended, also after an interruption.
func (t *roundTrip) endQuestions(ctx context.Context, shown []clients.Sent, end string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), clients.Timeout)
	defer cancel()
	for _, m := range shown {
		// A message that keeps its button says nothing false: the tap is answered by nobody.
		_ = m.Replace(ctx, t.bot, testQuestion+"\n\n"+end)
	}
}

func countChats(n int) string {
	if n == 1 {
		return "1 chat"
	}
	return fmt.Sprintf("%d chats", n)
}
