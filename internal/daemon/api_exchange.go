package daemon

import (
	"encoding/hex"
	"errors"
	"net/http"
	"time"

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

const (
	maxHostName = 200     // bytes of what a machine calls itself
	maxExchange = 4 << 10 // bytes of the body
)

// postExchange answers POST /v1/link-codes: it gives machines links for the codes of their owners. Whoever has a code may call it: there is
// no token before there is a link. The machine makes the token itself and tells its hash, so none crosses; and as the same exchange once
// more changes nothing, an answer that was lost costs nothing.
func (d *Daemon) postExchange(r *http.Request) (any, error) {
	var in api.Exchange
	if err := decode(r, &in, `{"code":"…","token_hash":"64 hexadecimal digits","host":"laptop"}`); err != nil {
		return nil, err
	}
	x := pending.Exchange{Code: storage.HashCode(in.Code), Name: api.LinkNameFor(in.Host), Host: in.Host}
	if hash, err := hex.DecodeString(in.TokenHash); err != nil || copy(x.Token[:], hash) != len(x.Token) || len(hash) != len(x.Token) || len(in.Host) > maxHostName {
		return nil, refused(http.StatusBadRequest, `token_hash must be 64 hexadecimal digits, and host 200 bytes at most`)
	}
	may, err := d.Bridge.Linkers(r.Context())
	if err != nil {
		return nil, err
	}
	c, err := d.links.redeem(x, func(id chat.UserID) bool { return may[id] })
	if errors.Is(err, pending.ErrNoLinkCode) {
		return nil, d.refuseCode()
	}
	if err != nil {
		return nil, err
	}
	if !c.Told { // the owner does not know
		d.counted.announce(storage.EntryLinked)
		d.log.Info("a machine made its link with a code", "link", c.Link, "owner", c.Owner, "host", letters.Escaped(c.Host))
		if err := d.Bridge.Linked(r.Context(), c); err != nil {
			d.log.Warn("the owner of a new link is told of it at the next start", "link", c.Link, "err", err)
		}
	}
	return api.LinkName{Name: c.Link}, nil
}

// refuseCode says the same of every code that makes no link.
func (d *Daemon) refuseCode() error {
	d.refusing.Lock()
	verdict := d.refusedCodes.Take(0, time.Now())
	d.refusing.Unlock()
	if verdict != pace.Yes {
		return &refusal{status: http.StatusTooManyRequests, sentence: "too many codes that make no link; try again in a minute", after: time.Minute}
	}
	d.log.Warn("somebody gave a code that makes no link")
	return refused(http.StatusForbidden, api.CodeRefused)
}
