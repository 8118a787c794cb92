package rig

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// DelayTelegram delays the updates on their way to the webhook that have this in them.
func (r *Rig) DelayTelegram(part string, d time.Duration) {
	r.delay.Store(func(req *http.Request) time.Duration {
		body, err := req.GetBody()
		if err != nil {
			return 0
		}
		text, _ := io.ReadAll(body)
		if bytes.Contains(text, []byte(part)) {
			return d
		}
		return 0
	})
}
