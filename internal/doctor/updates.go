package doctor

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"hermes/internal/clients"
	"hermes/telegram/botapi"
)

// hookInfo is the part of Bot API getWebhookInfo that matters here.
type hookInfo struct {
	URL       string
	Pending   int
	LastError string
	ErrorAt   time.Time // by Telegram's clock

	fault *botapi.Error
}

func (d *Doctor) askHook(ctx context.Context) hookInfo {
	if !d.me().good() {
		return hookInfo{}
	}
	info, err := d.bot.GetWebhookInfo(ctx)
	if err != nil {
		return hookInfo{fault: clients.ErrorOf(err)}
	}
	return hookInfo{
		URL: info.URL, Pending: info.PendingUpdateCount, LastError: info.LastErrorMessage, ErrorAt: time.Unix(int64(info.LastErrorDate), 0),
	}
}

// ownBot is the remedy where somebody else takes the bot's updates.
const ownBot = "stop that program, or give hermes a bot of its own from @BotFather"

// checkUpdates looks whether taps and replies come to hermes and to nobody else.
// It never polls: that would cut off whoever polls now, and be told of nobody.
func (d *Doctor) checkUpdates(context.Context) result {
	if !d.me().good() {
		return skipped("Telegram does not take the token")
	}
	hook := d.hook()
	if hook.fault != nil {
		return gradeFail.because(fmt.Sprintf("Telegram does not say where updates go (%s)", hook.fault.Said()), "try again in a minute")
	}
	if d.config.TelegramWebhookURL != "" {
		return d.examHook(hook)
	}
	if hook.URL != "" {
		return gradeFail.because(fmt.Sprintf("a webhook at %s takes them away", hostOf(hook.URL)),
			"start hermes serve, which removes it; if it comes back, another program uses this bot: "+ownBot)
	}
	reply := d.daemon()
	switch {
	case reply.known && reply.status.Telegram != "":
		return gradeFail.because("the hermes that runs gets none: "+reply.status.Telegram, d.pollRemedy(reply.status.Telegram))
	case reply.known:
		return passed("they come to the hermes that runs, and no webhook is in the way")
	}
	return passed("no webhook is in the way; a second program that polls would show only while hermes serves")
}

func (d *Doctor) pollRemedy(reason string) string {
	if reason == "another program polls this bot" {
		return ownBot
	}
	return "see its log (journalctl --user -u hermes)"
}

// triedAgainWithin is how soon Telegram tries again to deliver to a webhook: after two minutes at most (Bot API server,
// WebhookActor.cpp:493-520), and the try may take some time.
const triedAgainWithin = 3 * time.Minute

// undelivered reports whether Telegram cannot deliver what waits. It keeps the last error for ever, and counts what is on its way as
// waiting; so an error that is older than its last try is none.
func (d *Doctor) undelivered(hook hookInfo) bool {
	now := time.Now()
	if me := d.me(); me.dated {
		now = now.Add(-me.skew)
	}
	return hook.Pending > 0 && hook.LastError != "" && now.Sub(hook.ErrorAt) <= triedAgainWithin
}

// examHook holds the webhook that is set against the configured one.
func (d *Doctor) examHook(hook hookInfo) result {
	serves := d.daemon().known
	switch {
	case hook.URL == d.config.TelegramWebhookURL && d.undelivered(hook):
		return gradeFail.because(fmt.Sprintf("Telegram cannot deliver them to the webhook, %d wait: %s", hook.Pending, hook.LastError),
			"make HERMES_TELEGRAM_WEBHOOK_URL reachable from Telegram: its name, its certificate and the proxy before hermes")
	case hook.URL == d.config.TelegramWebhookURL && serves && d.daemon().status.Telegram != "":
		return gradeFail.because("the hermes that runs gets none: "+d.daemon().status.Telegram, d.pollRemedy(d.daemon().status.Telegram))
	case hook.URL == d.config.TelegramWebhookURL:
		return passed("they come to the webhook at %s", hostOf(hook.URL))
	case serves:
		return gradeFail.because("the webhook that is set is not hermes'", "another program uses this bot: "+ownBot)
	case hook.URL == "":
		return passed("no webhook is set yet; hermes serve sets it")
	}
	return GradeWarn.because(fmt.Sprintf("another webhook is set, at %s", hostOf(hook.URL)),
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
