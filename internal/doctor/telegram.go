package doctor

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/telegram/botapi"
)

// telegramChecks look at the token, at where updates go and at the chats, by what Telegram says.
type telegramChecks struct {
	config  config.Config
	bot     *botapi.Client // nil: there is no token
	hermes  *hermesProbe
	store   *storeChecks
	info    func() botInfo      // getMe, asked once
	webhook func() webhookState // getWebhookInfo, asked once
}

// botInfo is what getMe told, and when.
type botInfo struct {
	ID       int64
	Name     string
	Username string
	ReadsAll bool // can_read_all_group_messages: the privacy mode is off
	Topics   bool // has_topics_enabled, in private chats
	Users    bool // allows_users_to_create_topics there

	fault *botapi.Error // nil: the token is good
	asked bool          // there was a token to ask with
	dated bool          // Telegram gave its time
	skew  time.Duration // of the clock here: positive when it is fast
}

// usable reports whether the other checks can speak with Telegram.
func (b botInfo) usable() bool { return b.asked && b.fault == nil }

// noBot is why a check that speaks with Telegram is skipped.
func (t *telegramChecks) noBot() result {
	if !t.info().asked {
		return skip("there is no token")
	}
	return skip("Telegram does not take the token")
}

// fetchBotInfo asks getMe.
func (t *telegramChecks) fetchBotInfo(ctx context.Context) botInfo {
	var me botInfo
	if t.config.TelegramToken == "" {
		return me
	}
	user, err := t.bot.GetMe(ctx)
	if err == nil {
		me = botInfo{ID: user.ID, Name: user.FirstName, Username: user.Username, ReadsAll: user.CanReadAllGroupMessages, Topics: user.HasTopicsEnabled, Users: user.AllowsUsersToCreateTopics}
	}
	me.asked, me.fault = true, clients.ErrorOf(err)
	me.skew, me.dated = t.bot.Skew()
	return me
}

func (t *telegramChecks) checkToken(ctx context.Context) result {
	me := t.info()
	switch {
	case !me.asked:
		return skip("there is no token")
	case me.fault == nil:
		return pass("it is the bot @%s (%s)", me.Username, me.Name)
	case me.fault.Reason == botapi.BadToken && t.tokenWorked(ctx):
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
func (t *telegramChecks) tokenWorked(ctx context.Context) bool {
	if reply := t.hermes.status(); reply.known {
		return reply.status.TokenWorked
	}
	return t.store.lastToken(ctx) == clients.TokenMark(t.config.TelegramToken)
}

// How far the clock may be off. Deadlines are shown as times of the day, and taps
// are known to be lost by the time that has gone by.
const (
	skewWarn = 10 * time.Second
	skewFail = 2 * time.Minute
)

func (t *telegramChecks) checkClock(context.Context) result {
	me := t.info()
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
