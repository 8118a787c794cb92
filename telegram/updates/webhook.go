package updates

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"time"

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
		h.conn.health.setWrong("updates cannot be stored")
		h.conn.log.Error("an update cannot be stored", "update", id, "err", h.conn.api.Redact(err.Error()))
		return http.StatusInternalServerError
	}
	// From here a crash loses nothing: the inbox is replayed at the next start.
	now := time.Now()
	h.errors.updateArrived(now)
	h.conn.health.updateArrived(now)
	return http.StatusOK
}
