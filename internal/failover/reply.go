package failover

import (
	"bytes"
	"encoding/json"
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
