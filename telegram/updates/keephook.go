package updates

import (
	"context"
	"strings"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/telegram/botapi"
)

// serve handles what arrives, and beside that tells Telegram where to call: the previous
// webhook continues to deliver while Telegram refuses the new one, or does not answer.
func (h *hook) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watched := make(chan error, 1)
	go func() {
		defer cancel()
		watched <- h.keepWebhook(ctx)
	}()
	h.handleArrivals(ctx)
	return <-watched
}

// handleArrivals handles what arrives until ctx is done. It also notes that the webhook is
// well: while an update's handling does not end, nothing is.
func (h *hook) handleArrivals(ctx context.Context) {
	var order sequence
	for ctx.Err() == nil {
		now := time.Now()
		for _, u := range h.arrived.takeAll() {
			order.add(u, now)
		}
		h.intake.take(order.takeReady(now))
		select {
		case <-ctx.Done():
		case <-h.arrived.signal:
		case <-timeAt(order.nextDue()):
		case at := <-h.well:
			h.conn.health.setGood(at)
			h.polled(at)
		}
	}
}

// keepWebhook sets the webhook, and checks it until ctx is done. It returns ErrToken or
// nil.
func (h *hook) keepWebhook(ctx context.Context) error {
	err := h.setWebhook(ctx)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for err == nil {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
			err = h.checkWebhook(ctx)
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

// lookEvery is how often the webhook is checked.
const lookEvery = 30 * time.Second

// checkWebhook asks Telegram about the webhook: whether it can reach hermes, and
// whether it is still ours. One that somebody took away is set again.
func (h *hook) checkWebhook(ctx context.Context) error {
	info, err := h.webhookInfo(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil && h.conn.token.isWrong(err, time.Now()):
		return ErrToken
	case err != nil:
		h.conn.renewConnections(err)
		h.noteUnwell(h.conn.sentence(err), err.Error())
		return nil
	}
	h.conn.token.accept()
	if info.URL != h.url {
		h.conn.log.Warn("the webhook was changed by somebody; it is set again", "op", "setWebhook")
		return h.setWebhook(ctx)
	}
	if h.errors.isUnreachable(info.PendingUpdateCount, info.LastErrorDate, time.Now()) {
		h.noteUnwell("Telegram cannot reach the webhook; see the log", h.conn.api.Redact(info.LastErrorMessage))
		return nil
	}
	h.noteWell(ctx, time.Now())
	return nil
}

// noteWell tells the loop that handles updates.
func (h *hook) noteWell(ctx context.Context, now time.Time) {
	select {
	case h.well <- now:
	case <-ctx.Done():
	}
}

// webhookInfo asks Telegram about the webhook.
func (h *hook) webhookInfo(ctx context.Context) (*models.WebhookInfo, *botapi.Error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	info, err := h.conn.api.GetWebhookInfo(ctx)
	if err != nil {
		return nil, h.conn.api.AsError("getWebhookInfo", err)
	}
	return info, nil
}

// noteUnwell notes what is wrong with the webhook, and logs why, once as long as that
// stays the same.
func (h *hook) noteUnwell(sentence, why string) {
	if h.conn.health.setWithReason(sentence, why) {
		h.conn.log.Warn(strings.TrimSuffix(sentence, "; see the log"), "op", "getWebhookInfo", "err", why)
	}
}

// setWebhook tells Telegram where to call, until it takes that.
func (h *hook) setWebhook(ctx context.Context) error {
	t := retries{log: h.conn.log}
	for ctx.Err() == nil {
		err := h.conn.api.SetWebhook(ctx, &tg.SetWebhookParams{URL: h.url, SecretToken: h.secret(), AllowedUpdates: allowedKinds()})
		if err == nil {
			h.noteSet(ctx)
			t.reset()
			return nil
		}
		e := h.conn.api.AsError("setWebhook", err)
		h.conn.health.webhookRefused(h.conn.sentence(e))
		if h.conn.token.isWrong(e, time.Now()) {
			return ErrToken
		}
		h.conn.renewConnections(e)
		t.wait(ctx, e)
	}
	return nil
}

// noteSet notes the error that Telegram tells of the webhook from before.
func (h *hook) noteSet(ctx context.Context) {
	h.conn.token.accept()
	date := 0
	if info, err := h.webhookInfo(ctx); err == nil {
		date = info.LastErrorDate
	}
	now := time.Now()
	h.errors.webhookSet(date, now)
	h.conn.health.webhookSet()
	h.noteWell(ctx, now)
}
