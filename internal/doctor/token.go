package doctor

import (
	"context"
	"fmt"
	"time"

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
	before, date := time.Now(), time.Time{}
	user, err := t.bot.GetMe(botapi.WithDate(ctx, &date))
	if err == nil {
		me = botInfo{ID: user.ID, Name: user.FirstName, Username: user.Username, ReadsAll: user.CanReadAllGroupMessages, Topics: user.HasTopicsEnabled}
	}
	me.asked, me.fault, me.dated = true, clients.ErrorOf(err), !date.IsZero()
	// The date has whole seconds, and was written somewhere between the two times.
	half := time.Since(before) / 2
	me.skew = before.Add(half).Sub(date.Add(time.Second / 2))
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
