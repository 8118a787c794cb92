package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/tmaxmax/go-sse"

	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// silence is how long an event stream may say nothing. OpenCode's heartbeat
// comes every 30 s on 1.1.53 and every 10 s later.
const silence = 75 * time.Second

// maxEvent bounds one event. Whole tool outputs come in one line.
const maxEvent = 64 << 20

var errSilent = errors.New("no heartbeat")

// globalEvent is a frame of GET /global/event, the one stream that covers all
// directories of a process. It has no replay.
type globalEvent struct {
	Directory string     `json:"directory"`
	Payload   wire.Event `json:"payload"`
}

// streamEvents reads GET /global/event until it ends, which is always an error. A frame for
// which skip reports true is not decoded; nil: all are. The
// first frame says that the server is connected, so that what is listed after it
// and what is heard together miss nothing.
func (c *Client) streamEvents(ctx context.Context, skip func(data string) bool, hear func(globalEvent)) error {
	return readStream(ctx, c.Endpoint, "/global/event", silence, func(body io.Reader, alive func()) error {
		return readFrames(body, func(data string) bool {
			alive()
			return skip != nil && skip(data)
		}, hear)
	})
}

// readStream has an event stream read until it ends, which is always an error. It ends too
// when nothing was alive for as long as silence.
func readStream(ctx context.Context, e *call.Endpoint, path string, silence time.Duration, read func(body io.Reader, alive func()) error) error {
	const op = "event stream"
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer watchdog.Stop()
	body, err := e.Open(ctx, op, path, "text/event-stream")
	if err != nil {
		return err
	}
	defer body.Close()
	err = read(body, func() { watchdog.Reset(silence) })
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return &call.Error{Op: op, Reason: call.Unreachable, Err: err}
}

// readFrames reads events until the stream ends. From 1.14 on every durable event
// comes again with the type "sync"; those are ignored.
func readFrames(r io.Reader, skip func(data string) bool, hear func(globalEvent)) error {
	return readEvents(r, skip, func(g globalEvent) {
		if g.Payload.Type != "sync" {
			hear(g)
		}
	})
}

// readEvents decodes frames until the stream ends, which is always an error. What skip reports
// true for is not decoded, and what is no E is passed over.
func readEvents[E any](r io.Reader, skip func(data string) bool, hear func(E)) error {
	for frame, err := range sse.Read(r, &sse.ReadConfig{MaxEventSize: maxEvent}) {
		if err != nil {
			return err
		}
		if skip(frame.Data) {
			continue
		}
		var e E
		if json.Unmarshal([]byte(frame.Data), &e) == nil {
			hear(e)
		}
	}
	return io.EOF
}
