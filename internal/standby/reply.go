package standby

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Reply is the body of a standby's answer, whose status is 503 and which has Retry-After: 1. A standby gives it on every path
// but those of probes.
type Reply struct {
	Error   string `json:"error"`            // a sentence for people
	Standby bool   `json:"standby"`          // true
	Acting  string `json:"acting,omitempty"` // the address of the hermes that acts, so far as the standby knows; a client must not send anything there
}

// maxReply is how much of an answer is read to see whose it is, in bytes.
const maxReply = 4 << 10

// ReplyOf reads the answer of a standby; ok is false for any other, whose body can be read all the same.
func ReplyOf(res *http.Response) (r Reply, ok bool) {
	if res.StatusCode != http.StatusServiceUnavailable {
		return Reply{}, false
	}
	head, err := io.ReadAll(io.LimitReader(res.Body, maxReply))
	ok = err == nil && json.Unmarshal(head, &r) == nil && r.Standby
	res.Body = body{io.MultiReader(bytes.NewReader(head), res.Body), res.Body}
	return r, ok
}

// body is the body of an answer of which something was read before.
type body struct {
	io.Reader
	io.Closer
}

// NotActing is the error of a hermes that does not act.
type NotActing struct {
	Address string // its own
	Acting  string // where it says that one acts, unchecked; empty: it does not know
	Reason  string // why it does not act, in its own words
}

func (s *NotActing) Error() string { return "the hermes at " + s.Address + " is a standby" }

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
		return &NotActing{address, reply.Acting, reply.Error}
	case res.StatusCode >= http.StatusInternalServerError: // a proxy in front of nothing
		return fmt.Errorf("%s does not answer (HTTP %d)", address, res.StatusCode)
	case res.StatusCode != http.StatusOK:
		return &Refused{address, res.StatusCode}
	}
	return nil
}
