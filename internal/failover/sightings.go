package failover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall"
)

// Standby is the error of a hermes that does not act.
type Standby struct {
	Address string // its own
	Acting  string // where it says that one acts, unchecked; empty: it does not know
	Reason  string // why it does not act, in its own words
}

func (s *Standby) Error() string { return "the hermes at " + s.Address + " is a standby" }

// Refused is the error of an address that answers a ping with a no: the token or the address is wrong.
type Refused struct {
	Address string
	Status  int // HTTP
}

func (r *Refused) Error() string { return fmt.Sprintf("%s answered %d", r.Address, r.Status) }

// Judge says of the answer to a ping whether the hermes there acts: nil if so. It closes the body.
func Judge(address string, res *http.Response) error {
	defer res.Body.Close()
	reply, standby := ReplyOf(res)
	switch {
	case standby:
		return &Standby{address, reply.Acting, reply.Error}
	case res.StatusCode >= http.StatusInternalServerError: // a proxy in front of nothing
		return fmt.Errorf("%s does not answer (HTTP %d)", address, res.StatusCode)
	case res.StatusCode != http.StatusOK:
		return &Refused{address, res.StatusCode}
	}
	return nil
}

// sightings are what was seen of each address.
type sightings map[string]error

// standby is one of the standbys, nil if there is none.
func (all sightings) standby() *Standby {
	var s *Standby
	for _, err := range all {
		if errors.As(err, &s) {
			return s
		}
	}
	return nil
}

// verdict is what holds where nobody acts.
func (all sightings) verdict(list []string) (string, error) {
	var refused *Refused
	for _, address := range list {
		if errors.As(all[address], &refused) {
			return address, nil
		}
	}
	if s := all.standby(); s != nil {
		return "", s
	}
	return "", all.failure(list)
}

// failure is the error of an address. That nothing listens is told only where that is so at all of them.
func (all sightings) failure(list []string) error {
	var told error
	for _, address := range list {
		if err := all[address]; told == nil || errors.Is(told, syscall.ECONNREFUSED) && err != nil {
			told = err
		}
	}
	if told == nil {
		return context.DeadlineExceeded
	}
	return told
}

// closer closes a body and ends what watches it.
type closer struct {
	io.Closer
	cancel context.CancelCauseFunc
}

func (c closer) Close() error {
	defer c.cancel(nil)
	return c.Closer.Close()
}
