package telegram

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"hermes/question"
	"hermes/telegram/botapi"
)

// maxUpdate bounds a webhook's body. Updates are a few kilobytes.
const maxUpdate = 4 << 20

// webhook is what New keeps of its configuration: the secret only as a hash.
type webhook struct {
	url    string
	secret func() string
	sum    [sha256.Size]byte
}

func newWebhook(w Webhook) webhook {
	return webhook{url: w.URL, secret: func() string { return w.Secret.Reveal() }, sum: sha256.Sum256([]byte(w.Secret))}
}

func (w webhook) set() bool { return w.url != "" }

// allows compares in constant time.
func (w webhook) allows(secret string) bool {
	sum := sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(sum[:], w.sum[:]) == 1
}

// arrivals are updates that are in the inbox and wait to be handled.
type arrivals struct {
	mu      sync.Mutex
	waiting []question.Update
	signal  chan struct{}
}

func newArrivals() arrivals { return arrivals{signal: make(chan struct{}, 1)} }

func (a *arrivals) put(updates []question.Update) {
	a.mu.Lock()
	a.waiting = append(a.waiting, updates...)
	a.mu.Unlock()
	select {
	case a.signal <- struct{}{}:
	default:
	}
}

func (a *arrivals) all() []question.Update {
	a.mu.Lock()
	defer a.mu.Unlock()
	waiting := a.waiting
	a.waiting = nil
	return waiting
}

// Webhook takes updates from Telegram: 404 when no webhook is configured, 405
// for all but POST, 401 without the secret, 413 for a body beyond 4 MiB, 500 when
// the update cannot be stored, so that Telegram sends it again (it does so for
// any answer but 2xx), and 200 when it is in the inbox. It is handled by Run.
func (b *Bot) Webhook() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if code := b.admit(r); code != http.StatusOK {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, http.StatusText(code), code)
			return
		}
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxUpdate))
		if err != nil {
			code := codeOf(err)
			http.Error(w, http.StatusText(code), code)
			return
		}
		code := b.receive(raw)
		w.WriteHeader(code)
	})
}

func (b *Bot) admit(r *http.Request) int {
	switch {
	case !b.hook.set():
		return http.StatusNotFound
	case r.Method != http.MethodPost:
		return http.StatusMethodNotAllowed
	case !b.hook.allows(r.Header.Get("X-Telegram-Bot-Api-Secret-Token")):
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
func (b *Bot) receive(raw []byte) int {
	id := botapi.UpdateID(raw)
	if id <= 0 {
		b.log.Error("the webhook got something that is no update", "op", "webhook")
		return http.StatusOK
	}
	fresh, err := b.inbox.Put([]question.Update{{ID: id, Raw: raw}})
	if err != nil {
		b.health.set("updates cannot be stored")
		b.log.Error("an update cannot be stored", "update", id, "err", b.api.Redact(err.Error()))
		return http.StatusInternalServerError
	}
	// From here a crash loses nothing: the inbox is replayed at the next start.
	now := time.Now()
	b.hookErrors.arrived(now)
	b.health.arrived(now)
	b.arrived.put(fresh)
	return http.StatusOK
}
