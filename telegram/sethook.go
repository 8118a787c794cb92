package telegram

import (
	"context"
	"time"
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
	var info struct {
		URL       string `json:"url"`
		Pending   int    `json:"pending_update_count"`
		LastError string `json:"last_error_message"`
	}
	if err := b.client.call(limited, "getWebhookInfo", struct{}{}, &info); err != nil {
		b.health.set(b.typed("getWebhookInfo", err).sentence())
		return nil
	}
	if info.URL != b.hook.url {
		b.log.Warn("the webhook was changed by somebody; it is set again", "op", "setWebhook")
		return b.setHook(ctx)
	}
	if info.Pending > 0 && info.LastError != "" {
		b.health.set("Telegram cannot reach the webhook: " + b.client.redact(info.LastError))
		return nil
	}
	b.health.ok(time.Now())
	b.polled(time.Now())
	return nil
}

func (b *Bot) setHook(ctx context.Context) error {
	t := trouble{b: b}
	for ctx.Err() == nil {
		var done bool
		err := b.client.call(ctx, "setWebhook", map[string]any{
			"url": b.hook.url, "secret_token": b.hook.secret(), "allowed_updates": kinds(), "drop_pending_updates": false,
		}, &done)
		if err == nil {
			b.health.ok(time.Now())
			b.polled(time.Now())
			t.over()
			return nil
		}
		e := b.typed("setWebhook", err)
		b.health.set(e.sentence())
		if e.Reason == BadToken {
			return ErrToken
		}
		t.wait(ctx, e)
	}
	return nil
}
