package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	lookEvery = 100 * time.Millisecond // for changes of the state
	pingEvery = 15 * time.Second       // so that a page that is gone is noticed
)

// serveEvents sends the state now and after every change, as Server-Sent Events,
// until the page goes or the Server is closed.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var sent []byte
	for at := time.Now(); ; {
		state, err := json.Marshal(s.world.State())
		if err != nil {
			return // no State can do that
		}
		if !bytes.Equal(state, sent) {
			_, err = fmt.Fprintf(w, "retry: 1000\ndata: %s\n\n", state)
			sent, at = state, time.Now()
		} else if time.Since(at) > pingEvery {
			_, err = fmt.Fprint(w, ": still here\n\n")
			at = time.Now()
		}
		if err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-s.ended:
			return
		}
	}
}
