package telegram

import (
	"context"
	"strings"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// serveHook handles what arrives, and beside that tells Telegram where to call: the webhook
// of before goes on delivering while Telegram refuses the new one, or does not answer.
func (b *Bot) serveHook(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watched := make(chan error, 1)
	go func() {
		defer cancel()
		watched <- b.watchHook(ctx)
	}()
	b.takeArrivals(ctx)
	return <-watched
}

// takeArrivals handles what arrives until ctx is done. It also notes that the webhook is
// well: while an update's handling does not end, nothing is.
func (b *Bot) takeArrivals(ctx context.Context) {
	var order sequence
	for ctx.Err() == nil {
		now := time.Now()
		for _, u := range b.arrived.all() {
			order.add(u, now)
		}
		b.take(order.ready(now))
		select {
		case <-ctx.Done():
		case <-b.arrived.signal:
		case <-timeAt(order.due()):
		case at := <-b.hookWell:
			b.health.ok(at)
			b.polled(at)
		}
	}
}

// watchHook sets the webhook, and looks after it until ctx is done. It returns ErrToken or
// nil.
func (b *Bot) watchHook(ctx context.Context) error {
	err := b.setHook(ctx)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for err == nil {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
			err = b.checkHook(ctx)
		}
	}
	return err
}

// timeAt is a channel that gives something at that time; nil for none.
func timeAt(at time.Time) <-chan time.Time {
	if at.IsZero() {
		return nil
	}
	return time.After(time.Until(at))
}

// lookEvery is how often the webhook is looked after.
const lookEvery = 30 * time.Second

// checkHook asks Telegram about the webhook: whether it can reach hermes, and
// whether it is still ours. One that somebody took away is set again.
func (b *Bot) checkHook(ctx context.Context) error {
	info, err := b.hookInfo(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil && b.token.wrong(err, time.Now()):
		return ErrToken
	case err != nil:
		b.leave(err)
		b.unwell(b.sentence(err), err.Error())
		return nil
	}
	b.token.works()
	if info.URL != b.hook.url {
		b.log.Warn("the webhook was changed by somebody; it is set again", "op", "setWebhook")
		return b.setHook(ctx)
	}
	if b.hookErrors.present(info.PendingUpdateCount, info.LastErrorDate, time.Now()) {
		b.unwell("Telegram cannot reach the webhook; see the log", b.api.Redact(info.LastErrorMessage))
		return nil
	}
	b.hookIsWell(ctx, time.Now())
	return nil
}

// hookIsWell tells the loop that handles updates.
func (b *Bot) hookIsWell(ctx context.Context, now time.Time) {
	select {
	case b.hookWell <- now:
	case <-ctx.Done():
	}
}

// hookInfo asks Telegram about the webhook.
func (b *Bot) hookInfo(ctx context.Context) (*models.WebhookInfo, *Error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	info, err := b.api.GetWebhookInfo(ctx)
	if err != nil {
		return nil, b.typed("getWebhookInfo", err)
	}
	return info, nil
}

// unwell notes what is wrong with the webhook, and logs why, once as long as that
// stays the same.
func (b *Bot) unwell(sentence, why string) {
	if b.health.because(sentence, why) {
		b.log.Warn(strings.TrimSuffix(sentence, "; see the log"), "op", "getWebhookInfo", "err", why)
	}
}

func (b *Bot) setHook(ctx context.Context) error {
	t := trouble{b: b}
	for ctx.Err() == nil {
		err := b.api.SetWebhook(ctx, &tg.SetWebhookParams{URL: b.hook.url, SecretToken: b.hook.secret(), AllowedUpdates: kinds()})
		if err == nil {
			b.hookIsSet(ctx)
			t.over()
			return nil
		}
		e := b.typed("setWebhook", err)
		b.health.unset(b.sentence(e))
		if b.token.wrong(e, time.Now()) {
			return ErrToken
		}
		b.leave(e)
		t.wait(ctx, e)
	}
	return nil
}

// hookIsSet notes the error that Telegram tells of the webhook from before.
func (b *Bot) hookIsSet(ctx context.Context) {
	b.token.works()
	date := 0
	if info, err := b.hookInfo(ctx); err == nil {
		date = info.LastErrorDate
	}
	now := time.Now()
	b.hookErrors.begin(date, now)
	b.health.isSet()
	b.hookIsWell(ctx, now)
}
