package telegram

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"hermes/internal/question"
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

	storing sync.Mutex                 // held from before an update is stored until it waits here, and while the inbox is read
	doubted map[question.UpdateID]bool // with storing: was new, and storing it failed; it may be in the inbox all the same
}

func newArrivals() arrivals {
	return arrivals{signal: make(chan struct{}, 1), doubted: map[question.UpdateID]bool{}}
}

func (a *arrivals) put(updates []question.Update) {
	a.mu.Lock()
	a.waiting = append(a.waiting, updates...)
	a.mu.Unlock()
	select {
	case a.signal <- struct{}{}:
	default:
	}
}

// drop forgets updates that are handled by somebody else. Called with storing held.
func (a *arrivals) drop(updates []question.Update) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, u := range updates {
		delete(a.doubted, u.ID)
		a.waiting = slices.DeleteFunc(a.waiting, func(w question.Update) bool { return w.ID == u.ID })
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
	if err := b.store(question.Update{ID: id, Raw: raw}); err != nil {
		b.health.set("updates cannot be stored")
		b.log.Error("an update cannot be stored", "update", id, "err", b.api.Redact(err.Error()))
		return http.StatusInternalServerError
	}
	// From here a crash loses nothing: the inbox is replayed at the next start.
	now := time.Now()
	b.hookErrors.arrived(now)
	b.health.arrived(now)
	return http.StatusOK
}

// store puts an update into the inbox, and among the arrivals if it is new. An update whose
// storing failed, though it took effect, is known when Telegram sends it again, or at once:
// it arrives all the same, once.
func (b *Bot) store(u question.Update) error {
	a, one := &b.arrived, []question.Update{u}
	a.storing.Lock()
	defer a.storing.Unlock()
	fresh, err := b.inbox.Fresh(one)
	if err == nil && len(fresh) > 0 {
		a.doubted[u.ID] = true
		err = b.putNew(one)
	}
	if err == nil && a.doubted[u.ID] {
		delete(a.doubted, u.ID)
		a.put(one)
	}
	return err
}

// putNew puts updates that are new into the inbox. The error is nil if they are there then.
func (b *Bot) putNew(updates []question.Update) error {
	_, err := b.inbox.Put(updates)
	if err == nil {
		return nil
	}
	fresh, unread := b.inbox.Fresh(updates)
	if unread != nil || len(fresh) > 0 {
		return err
	}
	return nil
}
