package updates

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
	"hermes/telegram/botapi"
)

// maxUpdate bounds a webhook's body. Updates are a few kilobytes.
const maxUpdate = 4 << 20

// hook is the webhook: it stores what Telegram posts, and makes sure that Telegram posts it
// here. What a request brings is compared with a hash of the secret.
type hook struct {
	url    string
	secret func() string
	sum    [sha256.Size]byte

	conn    *connection
	intake  *intake
	arrived *arrivals
	polled  func(time.Time)
	errors  hookErrors
	well    chan time.Time // when the webhook was found well; not buffered
}

func newHook(w Webhook, l *connection, t *intake, a *arrivals, polled func(time.Time)) *hook {
	return &hook{
		url: w.URL, secret: func() string { return w.Secret.Reveal() }, sum: sha256.Sum256([]byte(w.Secret)),
		conn: l, intake: t, arrived: a, polled: polled, well: make(chan time.Time),
	}
}

// allowsSecret compares in constant time.
func (h *hook) allowsSecret(secret string) bool {
	sum := sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(sum[:], h.sum[:]) == 1
}

// ServeHTTP takes one update; see Reader.Webhook.
func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if code := h.admit(r); code != http.StatusOK {
		refuseWith(w, code)
		return
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxUpdate))
	if err != nil {
		code := codeOf(err)
		http.Error(w, http.StatusText(code), code)
		return
	}
	w.WriteHeader(h.receive(raw))
}

func refuseWith(w http.ResponseWriter, code int) {
	w.Header().Set("Allow", http.MethodPost)
	http.Error(w, http.StatusText(code), code)
}

func (h *hook) admit(r *http.Request) int {
	switch {
	case r.Method != http.MethodPost:
		return http.StatusMethodNotAllowed
	case !h.allowsSecret(r.Header.Get("X-Telegram-Bot-Api-Secret-Token")):
		return http.StatusUnauthorized
	}
	return http.StatusOK
}

func codeOf(err error) int {
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// receive keeps the update. What is no update at all is taken too, with a line
// in the log: Telegram would send it again for ever.
func (h *hook) receive(raw []byte) int {
	id := botapi.UpdateID(raw)
	if id <= 0 {
		h.conn.log.Error("the webhook got something that is no update", "op", "webhook")
		return http.StatusOK
	}
	if err := h.arrived.store(h.intake.inbox, chat.Update{ID: id, Raw: raw}); err != nil {
		h.conn.log.Error("an update cannot be stored; Telegram sends it again", "update", id, "err", h.conn.api.Redact(err.Error()))
		return http.StatusInternalServerError
	}
	// From here a crash loses nothing: the inbox is replayed at the next start.
	now := time.Now()
	h.errors.updateArrived(now)
	h.conn.health.updateArrived(now)
	return http.StatusOK
}

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
	err := h.handleArrivals(ctx)
	cancel()
	return cmp.Or(err, <-watched)
}

// handleArrivals handles what arrives until ctx is done. The error is the inbox's. It also notes that the webhook is
// well: while an update's handling does not end, nothing is.
func (h *hook) handleArrivals(ctx context.Context) error {
	var order sequence
	for ctx.Err() == nil {
		now := time.Now()
		for _, u := range h.arrived.takeAll() {
			order.add(u, now)
		}
		if err := h.intake.take(order.takeReady(now)); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-h.arrived.signal:
		case <-timeAt(order.nextDue()):
		case at := <-h.well:
			h.conn.health.setGood(at)
			h.polled(at)
		}
	}
	return nil
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

// hookErrors tells an error of the webhook that is there now from one of before. The Bot
// API server keeps the last error for as long as the webhook is set, also when updates
// come in again, and over a setWebhook with the same parameters (Client.cpp:15758-15770);
// and of the updates that it counts as pending, some are on their way. So an error is
// there if it is new, no update has come in since, and some wait. The two clocks are
// never held against each other.
type hookErrors struct {
	mu     sync.Mutex
	date   int       // last_error_date, as Telegram reported it last
	looked time.Time // when that was
	since  time.Time // the error came after this; zero: it was there before hermes set the webhook
	came   time.Time // when the last update came in
}

// updateArrived notes an update.
func (h *hookErrors) updateArrived(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.came = now
}

// webhookSet notes the error that is there when the webhook is set.
func (h *hookErrors) webhookSet(date int, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.date, h.looked, h.since = date, now, time.Time{}
}

// isUnreachable takes in what Telegram tells of the webhook, and reports whether it cannot
// reach it.
func (h *hookErrors) isUnreachable(pending, date int, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if date != h.date {
		h.date, h.since = date, h.looked
	}
	h.looked = now
	return pending > 0 && date != 0 && !h.since.IsZero() && !h.came.After(h.since)
}
