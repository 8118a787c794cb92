package updates

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
	"hermes/internal/retry"
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

	conn   *connection
	intake *intake
	polled func(time.Time)
	came   atomic.Bool    // an update has come since Telegram was asked last
	stored chan struct{}  // has a value when one is in the inbox
	well   chan time.Time // when the webhook was found well; not buffered

	isSet bool
	known int // last_error_date of the error that says nothing of now

	next   chat.UpdateID          // the id that follows the last one that was handled; 0: not known
	handed map[chat.UpdateID]bool // those that were handled and are in the inbox still
}

func newHook(w Webhook, l *connection, t *intake, polled func(time.Time)) *hook {
	return &hook{
		url: w.URL, secret: func() string { return w.Secret.Reveal() }, sum: sha256.Sum256([]byte(w.Secret)),
		conn: l, intake: t, polled: polled, stored: make(chan struct{}, 1), well: make(chan time.Time),
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
	if _, err := h.intake.inbox.Put([]chat.Update{{ID: id, Raw: raw}}); err != nil {
		h.conn.log.Error("an update cannot be stored; Telegram sends it again", "update", id, "err", h.conn.api.Redact(err.Error()))
		return http.StatusInternalServerError
	}
	// From here a crash loses nothing: the inbox is read at the next start.
	h.came.Store(true)
	select {
	case h.stored <- struct{}{}:
	default:
	}
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

// handleArrivals handles what is in the inbox until ctx is done. The error is the inbox's. It also notes that the webhook is
// well: while an update's handling does not end, nothing is.
func (h *hook) handleArrivals(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := h.takeStored(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-h.stored:
		case at := <-h.well:
			h.conn.health.setGood(at)
			h.polled(at)
		}
	}
	return nil
}

// Telegram posts taps and texts to a webhook concurrently, and repeats later what was not
// accepted (Bot API server, WebhookActor.cpp:358-420, 493-520). So a text may arrive before a tap
// that was made earlier, and would be misunderstood. Ids restore the order (Bot API,
// Update.update_id): each is one above the previous one.
const (
	gapWait   = 3 * time.Second        // for one that is missing: longer than Telegram's first two tries take
	firstWait = 300 * time.Millisecond // where it is not known whether one is missing
	maxGap    = 1000                   // an id that is farther back is not late: ids have jumped
)

// takeStored handles what is in the inbox, in the order of the ids. One that follows on no other waits once for what may be missing.
func (h *hook) takeStored(ctx context.Context) error {
	var waited chat.UpdateID // so do those up to this id
	for ctx.Err() == nil {
		updates, err := h.unhandled()
		if err != nil || len(updates) == 0 {
			return err
		}
		first := updates[:1]
		id := first[0].ID
		if id > h.next && id > waited {
			last := updates[len(updates)-1].ID
			came, err := h.awaitMissing(ctx)
			if err != nil {
				return err
			}
			if !came {
				waited = last
			}
			continue
		}
		if err := h.intake.take(first); err != nil {
			return err
		}
		h.handed[id] = true
		if late := h.next - id; late <= 0 || late > maxGap {
			h.next = id + 1
		}
	}
	return nil
}

// awaitMissing waits for the update that follows on the last one, and reports whether it came in time.
func (h *hook) awaitMissing(ctx context.Context) (came bool, err error) {
	wait := gapWait
	if h.next == 0 {
		wait = firstWait
	}
	limit := time.NewTimer(wait)
	defer limit.Stop()
	for {
		select {
		case <-ctx.Done():
			return false, nil
		case <-limit.C:
			return false, nil
		case <-h.stored:
			updates, err := h.unhandled()
			if err != nil || len(updates) > 0 && updates[0].ID <= h.next {
				return true, err
			}
		}
	}
}

// unhandled is what is in the inbox and was not handled yet, by ascending id. What was may stay there, until its meaning is stored.
func (h *hook) unhandled() (updates []chat.Update, err error) {
	all, err := h.intake.inbox.Inbox()
	handed := map[chat.UpdateID]bool{}
	for _, u := range all {
		if h.handed[u.ID] {
			handed[u.ID] = true
		} else {
			updates = append(updates, u)
		}
	}
	h.handed = handed
	return updates, err
}

// lookEvery is how often the webhook is checked, and lookTimeout bounds each call.
const (
	lookEvery   = 30 * time.Second
	lookTimeout = 10 * time.Second
)

// hookOp is the Op of an error that says that Telegram cannot reach the webhook.
const hookOp = "webhook"

// keepWebhook sets the webhook, and checks it until ctx is done. It returns ErrToken or
// nil.
func (h *hook) keepWebhook(ctx context.Context) error {
	for ctx.Err() == nil {
		if failed := h.setOrCheck(ctx); failed != nil {
			if err := h.conn.recover(ctx, failed); err != nil {
				return err
			}
			continue
		}
		h.conn.noteSuccess()
		select {
		case h.well <- time.Now():
		case <-ctx.Done():
		}
		_ = retry.Wait(ctx, lookEvery)
	}
	return nil
}

// setOrCheck asks Telegram whether the webhook is there and can be reached, and sets it if it is not there.
func (h *hook) setOrCheck(ctx context.Context) *botapi.Error {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	if h.isSet {
		info, err := h.conn.api.GetWebhookInfo(ctx)
		switch {
		case err != nil:
			return h.conn.api.AsError("getWebhookInfo", err)
		case info.URL == h.url && h.cannotBeReached(info):
			return &botapi.Error{Op: hookOp, Reason: botapi.Network, Detail: h.conn.api.Redact(info.LastErrorMessage)}
		case info.URL == h.url:
			return nil
		}
		h.conn.log.Warn("the webhook was changed by somebody; it is set again", "op", "setWebhook")
		h.isSet = false
	}
	if err := h.conn.api.SetWebhook(ctx, &tg.SetWebhookParams{URL: h.url, SecretToken: h.secret(), AllowedUpdates: allowedKinds()}); err != nil {
		return h.conn.api.AsError("setWebhook", err)
	}
	h.isSet = true
	if info, err := h.conn.api.GetWebhookInfo(ctx); err == nil {
		h.known = info.LastErrorDate
	}
	return nil
}

// cannotBeReached tells an error of now from one of before. The Bot
// API server keeps the last error for as long as the webhook is set, also when updates
// come in again, and over a setWebhook with the same parameters (Client.cpp:15758-15770);
// and of the updates that it counts as pending, some are on their way. So an error is of now
// if some wait and none has come since Telegram was asked before, when it was another one.
func (h *hook) cannotBeReached(info *models.WebhookInfo) bool {
	if h.came.Swap(false) || info.PendingUpdateCount == 0 {
		h.known = info.LastErrorDate
	}
	return info.LastErrorDate != 0 && info.LastErrorDate != h.known
}
