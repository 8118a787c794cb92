package doctor

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"hermes/internal/clients"
	"hermes/internal/flock"
	"hermes/telegram/botapi"
)

// botSelf is what getMe told, and when.
type botSelf struct {
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

// good reports whether the other exams can speak with Telegram.
func (b botSelf) good() bool { return b.asked && b.fault == nil }

func (d *Doctor) askSelf(ctx context.Context) botSelf {
	var me botSelf
	if d.config.TelegramToken == "" {
		return me
	}
	before, date := time.Now(), time.Time{}
	user, err := d.bot.GetMe(botapi.WithDate(ctx, &date))
	if err == nil {
		me = botSelf{ID: user.ID, Name: user.FirstName, Username: user.Username, ReadsAll: user.CanReadAllGroupMessages, Topics: user.HasTopicsEnabled}
	}
	me.asked, me.fault, me.dated = true, clients.ErrorOf(err), !date.IsZero()
	// The date has whole seconds, and was written somewhere between the two times.
	half := time.Since(before) / 2
	me.skew = before.Add(half).Sub(date.Add(time.Second / 2))
	return me
}

func (d *Doctor) checkToken(ctx context.Context) result {
	me := d.me()
	switch {
	case !me.asked:
		return skipped("there is no token to try")
	case me.fault == nil:
		return passed("it is the bot @%s (%s)", me.Username, me.Name)
	case me.fault.Reason == botapi.BadToken && d.tokenWorked(ctx):
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

// tokenWorked reports whether Telegram is known to have taken the token before: the hermes that runs says so, or its database.
func (d *Doctor) tokenWorked(ctx context.Context) bool {
	if reply := d.daemon(); reply.known {
		return reply.status.TokenWorked
	}
	if d.config.DB == "" {
		return false
	}
	file, err := flock.Hold(ctx, d.config.DB, syscall.LOCK_SH, flock.StopTime)
	if err != nil {
		return false
	}
	defer file.Close() // lets go of the lock
	found, err := openCopy(file)
	return err == nil && found.token == clients.TokenMark(d.config.TelegramToken)
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
		return skipped("Telegram did not tell its time")
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
		return GradeWarn.because(detail, remedy)
	}
	return passed("it agrees with Telegram's")
}
