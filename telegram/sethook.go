package telegram

import (
	"context"
	"strings"
	"time"

	tg "github.com/go-telegram/bot"
)

// serveHook tells Telegram where to call, and handles what arrives.
func (b *Bot) serveHook(ctx context.Context) error {
	if err := b.setHook(ctx); err != nil {
		return err
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-b.arrived.signal:
			b.take(b.arrived.all())
		case <-look.C:
			if err := b.checkHook(ctx); err != nil {
				return err
			}
		}
	}
}

// lookEvery is how often the webhook is looked after.
const lookEvery = time.Minute

// checkHook asks Telegram about the webhook: whether it can reach hermes, and
// whether it is still ours. One that somebody took away is set again.
func (b *Bot) checkHook(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	info, err := b.api.GetWebhookInfo(limited)
	if err != nil {
		if e := b.typed("getWebhookInfo", err); ctx.Err() == nil {
			b.unwell(sentence(e), e.Error())
		}
		return nil
	}
	if info.URL != b.hook.url {
		b.log.Warn("the webhook was changed by somebody; it is set again", "op", "setWebhook")
		return b.setHook(ctx)
	}
	if info.PendingUpdateCount > 0 && info.LastErrorMessage != "" {
		b.unwell("Telegram cannot reach the webhook; see the log", b.api.Redact(info.LastErrorMessage))
		return nil
	}
	b.health.ok(time.Now())
	b.polled(time.Now())
	return nil
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
			b.health.ok(time.Now())
			b.polled(time.Now())
			t.over()
			return nil
		}
		e := b.typed("setWebhook", err)
		b.health.set(sentence(e))
		if e.Reason == BadToken {
			return ErrToken
		}
		t.wait(ctx, e)
	}
	return nil
}
