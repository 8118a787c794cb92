package daemon

import (
	"log/slog"
	"sync"

	"hermes/internal/clients"
	"hermes/internal/secret"
	"hermes/pending"
)

// knownToken remembers in the database that Telegram took the token, by a mark that does not lead back to it. A token that worked with this
// database is not given up at once when hermes is started while Telegram refuses it for a while: systemd would not start hermes again. A
// token that never worked is: it was mistyped.
type knownToken struct {
	store *pending.Store
	log   *slog.Logger
	mark  string

	mu   sync.Mutex
	kept bool // the database has the mark
}

// newKnownToken reads from the store whether the token has worked before. A store that fails is logged, and counts as no.
func newKnownToken(token secret.Text, store *pending.Store, log *slog.Logger) *knownToken {
	k := &knownToken{store: store, log: log, mark: clients.TokenMark(token)}
	mark, err := store.Token()
	if err != nil {
		log.Error("cannot read whether the token has worked before", "err", err)
	}
	k.kept = mark == k.mark
	return k
}

// hasWorked reports whether the token has worked before.
func (k *knownToken) hasWorked() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept
}

// noteWorks notes that Telegram took the token.
func (k *knownToken) noteWorks() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept {
		return
	}
	if err := k.store.KeepToken(k.mark); err != nil {
		k.log.Error("cannot store that the token works", "err", err)
		return // the next poll does
	}
	k.kept = true
}
