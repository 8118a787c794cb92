package daemon

import (
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/chat"
	"hermes/internal/letters"
	"hermes/internal/pace"
	"hermes/internal/storage"
	"hermes/pending"
)

// How often codes that make no link are refused and logged; beyond that, strangers are only told to wait. A good code never waits.
const (
	refusedBurst = 20
	refusedEvery = 3 * time.Second
)

// maxHostName bounds what a machine may call itself, in bytes.
const maxHostName = 200

// exchangeAPI gives machines links for the codes of their owners. Whoever has a code may call it: there is no token before there is
// a link. The machine makes the token itself and tells its hash, so none crosses; and as the same exchange once more changes nothing,
// an answer that was lost costs nothing.
type exchangeAPI struct {
	tokens *linkTokens
	bridge *bridge.Bridge
	store  countedStore
	log    *slog.Logger

	mu      sync.Mutex
	refused pace.People // as if they were one
}

func newExchangeAPI(d *Daemon) *exchangeAPI {
	return &exchangeAPI{
		tokens: d.links, bridge: d.Bridge, store: d.counted, log: d.log, refused: pace.People{Burst: refusedBurst, Every: refusedEvery},
	}
}

// ServeHTTP answers POST /v1/link-codes.
func (a *exchangeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in api.Exchange
	if err := api.Decode(http.MaxBytesReader(w, r.Body, 4<<10), &in); err != nil {
		api.Refuse(w, http.StatusBadRequest, `the body must be {"code":"…","token_hash":"64 hexadecimal digits","host":"laptop"}`)
		return
	}
	x := pending.Exchange{Code: storage.HashCode(in.Code), Name: api.LinkNameFor(in.Host), Host: in.Host}
	if hash, err := hex.DecodeString(in.TokenHash); err != nil || copy(x.Token[:], hash) != len(x.Token) || len(hash) != len(x.Token) || len(in.Host) > maxHostName {
		api.Refuse(w, http.StatusBadRequest, `token_hash must be 64 hexadecimal digits, and host 200 bytes at most`)
		return
	}
	may, err := a.bridge.Linkers(r.Context())
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	c, err := a.tokens.redeem(x, func(id chat.UserID) bool { return may[id] })
	switch {
	case errors.Is(err, pending.ErrNoLinkCode):
		a.refuse(w)
	case err != nil:
		refuseError(w, a.log, err)
	default:
		a.tellMade(r, c)
		api.Reply(w, http.StatusOK, api.LinkName{Name: c.Link})
	}
}

// tellMade tells the owner of the link, unless they know.
func (a *exchangeAPI) tellMade(r *http.Request, c storage.LinkCode) {
	if c.Told {
		return
	}
	a.store.announce(storage.EntryLinked)
	a.log.Info("a machine made its link with a code", "link", c.Link, "owner", c.Owner, "host", letters.Escaped(c.Host))
	if err := a.bridge.Linked(r.Context(), c); err != nil {
		a.log.Warn("the owner of a new link is told of it at the next start", "link", c.Link, "err", err)
	}
}

// refuse says the same of every code that makes no link.
func (a *exchangeAPI) refuse(w http.ResponseWriter) {
	a.mu.Lock()
	verdict := a.refused.Take(0, time.Now())
	a.mu.Unlock()
	if verdict != pace.Yes {
		w.Header().Set("Retry-After", "60")
		api.Refuse(w, http.StatusTooManyRequests, "too many codes that make no link; try again in a minute")
		return
	}
	a.log.Warn("somebody gave a code that makes no link")
	api.Refuse(w, http.StatusForbidden, api.CodeRefused)
}
