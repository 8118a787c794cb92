package doctor

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/go-telegram/bot/models"

	"hermes/internal/apiclient"
	"hermes/internal/clients"
	"hermes/telegram/botapi"
)

// botInfo is what getMe told, and when.
type botInfo struct {
	models.User
	fault *botapi.Error // nil: the token is good
	asked bool          // there was a token to ask with
	dated bool          // Telegram gave its time
	skew  time.Duration // of the clock here: positive when it is fast
}

// usable reports whether the other checks can speak with Telegram.
func (b botInfo) usable() bool { return b.asked && b.fault == nil }

// noBot is why a check that speaks with Telegram is skipped.
func (d *Doctor) noBot() result {
	if !d.me().asked {
		return skip("there is no token")
	}
	return skip("Telegram does not take the token")
}

// fetchBotInfo asks getMe.
func (d *Doctor) fetchBotInfo(ctx context.Context) botInfo {
	var me botInfo
	if d.config.TelegramToken == "" {
		return me
	}
	user, err := d.bot.GetMe(ctx)
	if err == nil {
		me.User = *user
	}
	me.asked, me.fault = true, clients.ErrorOf(err)
	me.skew, me.dated = d.bot.Skew()
	return me
}

func (d *Doctor) checkToken(ctx context.Context) result {
	me := d.me()
	switch {
	case !me.asked:
		return skip("there is no token")
	case me.fault == nil:
		return pass("it is the bot @%s (%s)", me.Username, me.FirstName)
	case me.fault.Reason == botapi.BadToken && d.tokenWorked(ctx):
		return gradeFail.because(fmt.Sprintf("Telegram refuses it (%s), and took it before", me.fault.Said()),
			"try again in some minutes, as Telegram may refuse a good token for a while; if it lasts, copy it again from @BotFather (/mybots, then API Token) into HERMES_TELEGRAM_TOKEN")
	case me.fault.Reason == botapi.BadToken:
		return gradeFail.because(fmt.Sprintf("Telegram refuses it (%s)", me.fault.Said()),
			"copy it again from @BotFather (/mybots, then API Token) into HERMES_TELEGRAM_TOKEN")
	case me.fault.Reason == botapi.LoggedOut:
		return gradeFail.because("the bot is logged out of this Bot API server (400 Logged out), as one that was moved to another",
			"set HERMES_TELEGRAM_API_URL to the server that has it; to move it back, log it out there and wait ten minutes")
	case me.fault.Code != 0:
		return gradeFail.because(fmt.Sprintf("Telegram does not answer as it should (%s)", me.fault.Said()), "try again in a minute")
	}
	return gradeFail.because("Telegram cannot be reached: "+me.fault.Said(),
		"check the network, and HERMES_TELEGRAM_PROXY and HERMES_TELEGRAM_API_URL if you have set them")
}

// tokenWorked reports whether Telegram is known to have taken the token before: the running hermes says so, or its database.
func (d *Doctor) tokenWorked(ctx context.Context) bool {
	if reply := d.status(); reply.known {
		return reply.status.TokenWorked
	}
	return d.lastToken(ctx) == clients.TokenMark(d.config.TelegramToken)
}

// How far the clock may be off. Deadlines are shown as times of the day, and taps
// are known to be lost by the time that has gone by.
const (
	skewWarn = 10 * time.Second
	skewFail = 2 * time.Minute
)

func (d *Doctor) checkClock(context.Context) result {
	me := d.me()
	if !me.dated {
		return skip("Telegram did not tell its time")
	}
	off, way := me.skew, "ahead of"
	if off < 0 {
		off, way = -off, "behind"
	}
	detail := fmt.Sprintf("this machine's clock is %v %s Telegram's", off.Round(time.Second), way)
	const remedy = "let the machine set its clock from the network (timedatectl set-ntp true)"
	switch {
	case off >= skewFail:
		return gradeFail.because(detail, remedy)
	case off >= skewWarn:
		return gradeWarn.because(detail, remedy)
	}
	return pass("it agrees with Telegram's")
}

// webhookState is what getWebhookInfo told.
type webhookState struct {
	models.WebhookInfo
	fault *botapi.Error
}

// fetchWebhook asks getWebhookInfo.
func (d *Doctor) fetchWebhook(ctx context.Context) webhookState {
	if !d.me().usable() {
		return webhookState{}
	}
	info, err := d.bot.GetWebhookInfo(ctx)
	if err != nil {
		return webhookState{fault: clients.ErrorOf(err)}
	}
	return webhookState{WebhookInfo: *info}
}

// ownBotRemedy is the remedy where somebody else takes the bot's updates.
const ownBotRemedy = "stop that program, or give hermes a bot of its own from @BotFather"

// checkUpdates looks whether taps and replies come to hermes and to nobody else.
// It never polls: that would cut off whoever polls now, and not show that anybody did.
func (d *Doctor) checkUpdates(context.Context) result {
	if !d.me().usable() {
		return d.noBot()
	}
	hook := d.webhook()
	if hook.fault != nil {
		return gradeFail.because(fmt.Sprintf("Telegram does not say where updates go (%s)", hook.fault.Said()), "try again in a minute")
	}
	if d.config.TelegramWebhookURL != "" {
		return d.checkWebhook(hook)
	}
	if hook.URL != "" {
		return gradeFail.because(fmt.Sprintf("a webhook at %s takes them away", hostOf(hook.URL)),
			"start hermes serve, which removes it; if it comes back, another program uses this bot: "+ownBotRemedy)
	}
	reply := d.status()
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
func (d *Doctor) deliveryFails(hook webhookState) bool {
	now := time.Now()
	if me := d.me(); me.dated {
		now = now.Add(-me.skew)
	}
	return hook.PendingUpdateCount > 0 && hook.LastErrorMessage != "" && now.Sub(time.Unix(int64(hook.LastErrorDate), 0)) <= triedAgainWithin
}

// checkWebhook holds the webhook that is set against the configured one.
func (d *Doctor) checkWebhook(hook webhookState) result {
	serves := d.status().known
	switch {
	case hook.URL == d.config.TelegramWebhookURL && d.deliveryFails(hook):
		return gradeFail.because(fmt.Sprintf("Telegram cannot deliver them to the webhook, %d wait: %s", hook.PendingUpdateCount, hook.LastErrorMessage),
			"make HERMES_TELEGRAM_WEBHOOK_URL reachable from Telegram: its name, its certificate and the proxy before hermes")
	case hook.URL == d.config.TelegramWebhookURL && serves && d.status().status.Telegram != "":
		return gradeFail.because("the running hermes gets none: "+d.status().status.Telegram, pollRemedy(d.status().status.Telegram))
	case hook.URL == d.config.TelegramWebhookURL:
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
