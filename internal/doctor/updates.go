package doctor

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/clients"
	"hermes/telegram/botapi"
)

// webhookState is the part of Bot API getWebhookInfo that matters here.
type webhookState struct {
	URL       string
	Pending   int
	LastError string
	ErrorAt   time.Time // by Telegram's clock

	fault *botapi.Error
}

// fetchWebhook asks getWebhookInfo.
func (t *telegramChecks) fetchWebhook(ctx context.Context) webhookState {
	if !t.info().usable() {
		return webhookState{}
	}
	info, err := t.bot.GetWebhookInfo(ctx)
	if err != nil {
		return webhookState{fault: clients.ErrorOf(err)}
	}
	return webhookState{
		URL: info.URL, Pending: info.PendingUpdateCount, LastError: info.LastErrorMessage, ErrorAt: time.Unix(int64(info.LastErrorDate), 0),
	}
}

// ownBotRemedy is the remedy where somebody else takes the bot's updates.
const ownBotRemedy = "stop that program, or give hermes a bot of its own from @BotFather"

// checkUpdates looks whether taps and replies come to hermes and to nobody else.
// It never polls: that would cut off whoever polls now, and not show that anybody did.
func (t *telegramChecks) checkUpdates(context.Context) result {
	if !t.info().usable() {
		return t.noBot()
	}
	hook := t.webhook()
	if hook.fault != nil {
		return gradeFail.because(fmt.Sprintf("Telegram does not say where updates go (%s)", hook.fault.Said()), "try again in a minute")
	}
	if t.config.TelegramWebhookURL != "" {
		return t.checkWebhook(hook)
	}
	if hook.URL != "" {
		return gradeFail.because(fmt.Sprintf("a webhook at %s takes them away", hostOf(hook.URL)),
			"start hermes serve, which removes it; if it comes back, another program uses this bot: "+ownBotRemedy)
	}
	reply := t.hermes.status()
	switch {
	case reply.known && reply.status.Telegram != "":
		return gradeFail.because("the running hermes gets none: "+reply.status.Telegram, pollRemedy(reply.status.Telegram))
	case reply.known:
		return pass("they come to the running hermes, and no webhook is in the way")
	}
	return pass("no webhook is in the way; a second program that polls would show only while hermes runs")
}

func pollRemedy(reason string) string {
	if reason == "another program polls this bot" {
		return ownBotRemedy
	}
	return apiclient.WhereLog()
}

// triedAgainWithin is how soon Telegram tries again to deliver to a webhook: after two minutes at most (Bot API server,
// WebhookActor.cpp:493-520), and the try may take some time.
const triedAgainWithin = 3 * time.Minute

// deliveryFails reports whether Telegram cannot deliver what waits. It keeps the last error for ever, and counts what is on
// its way as waiting; so an error that is older than its last try does not count.
func (t *telegramChecks) deliveryFails(hook webhookState) bool {
	now := time.Now()
	if me := t.info(); me.dated {
		now = now.Add(-me.skew)
	}
	return hook.Pending > 0 && hook.LastError != "" && now.Sub(hook.ErrorAt) <= triedAgainWithin
}

// checkWebhook holds the webhook that is set against the configured one.
func (t *telegramChecks) checkWebhook(hook webhookState) result {
	serves := t.hermes.status().known
	switch {
	case hook.URL == t.config.TelegramWebhookURL && t.deliveryFails(hook):
		return gradeFail.because(fmt.Sprintf("Telegram cannot deliver them to the webhook, %d wait: %s", hook.Pending, hook.LastError),
			"make HERMES_TELEGRAM_WEBHOOK_URL reachable from Telegram: its name, its certificate and the proxy before hermes")
	case hook.URL == t.config.TelegramWebhookURL && serves && t.hermes.status().status.Telegram != "":
		return gradeFail.because("the running hermes gets none: "+t.hermes.status().status.Telegram, pollRemedy(t.hermes.status().status.Telegram))
	case hook.URL == t.config.TelegramWebhookURL:
		return pass("they come to the webhook at %s", hostOf(hook.URL))
	case serves:
		return gradeFail.because("the webhook that is set is not hermes'", "another program uses this bot: "+ownBotRemedy)
	case hook.URL == "":
		return pass("no webhook is set yet; hermes serve sets it")
	}
	return gradeWarn.because(fmt.Sprintf("another webhook is set, at %s", hostOf(hook.URL)),
		"hermes serve will replace it; if another program needs it, give hermes a bot of its own from @BotFather")
}

// hostOf is the part of a webhook's URL that is no secret: programs put tokens
// into the path.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "an address that cannot be read"
	}
	return u.Host
}
