package opencode

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// silenceV2 is how long the event stream of OpenCode 2 may say nothing. Its heartbeat, a
// comment, comes every 15 s, whatever else happens.
const silenceV2 = 50 * time.Second

// eventPathV2 is where the event stream of OpenCode 2 is.
const eventPathV2 = "/api/event"

// locatedEvent is a frame of GET /api/event, the one stream of OpenCode 2 that covers all
// directories of a process. It has no replay.
type locatedEvent struct {
	Type     string `json:"type"`
	Location struct {
		Directory string `json:"directory"`
	} `json:"location"` // empty: the event does not say it
	Data json.RawMessage `json:"data"`
}

// wire is the event alone.
func (e locatedEvent) wire() wire.Event { return wire.Event{Type: e.Type, Properties: e.Data} }

// streamV2 reads GET /api/event until it ends, which is always an error. A frame for which skip
// reports true is not decoded. The first frame says that the server is connected, so that what
// is listed after it and what is heard together miss nothing.
func (c *Client) streamV2(ctx context.Context, skip func(data string) bool, hear func(locatedEvent)) error {
	return readStream(ctx, c.Endpoint, eventPathV2, silenceV2, func(body io.Reader, alive func()) error {
		return readLocated(liveReader{body, alive}, skip, hear)
	})
}

// liveReader says of each piece that comes, comments too, that the stream is alive.
type liveReader struct {
	io.Reader
	alive func()
}

func (r liveReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.alive()
	}
	return n, err
}

// readLocated reads events until the stream ends.
func readLocated(r io.Reader, skip func(data string) bool, hear func(locatedEvent)) error {
	return readEvents(r, skip, func(e locatedEvent) {
		if e.Type != "" {
			hear(e)
		}
	})
}

// ReadEventsV2 reads the event stream of an OpenCode 2 until it ends, which is always an error. alive is called whenever something
// comes, comments too.
func ReadEventsV2(ctx context.Context, e *call.Endpoint, alive func(), hear func(data string)) error {
	return readStream(ctx, e, eventPathV2, silenceV2, func(body io.Reader, live func()) error {
		both := func() {
			live()
			alive()
		}
		hearAll := func(data string) (skip bool) {
			hear(data)
			return true
		}
		return readEvents(liveReader{body, both}, hearAll, func(struct{}) {})
	})
}
