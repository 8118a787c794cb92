package opencode

import (
	"context"
	"errors"
	"time"

	"hermes/opencode/call"
)

// Identity is what an OpenCode server says of itself.
type Identity struct {
	Version string
	PID     int // of its process, on the machine that it runs on; 0: OpenCode 1.x, which does not say it
}

// IsV2 reports whether the server is of OpenCode 2.
func (i Identity) IsV2() bool { return i.PID != 0 }

// Identify asks the server which OpenCode it is.
func (s Server) Identify(ctx context.Context) (Identity, error) {
	return s.ask(ctx, identify)
}

// IdentifyV2 asks a server that can only be of OpenCode 2, as its service is, which it is.
func (s Server) IdentifyV2(ctx context.Context) (Identity, error) {
	return s.ask(ctx, identifyV2)
}

// firstProbe is how long a server may take to answer what is asked first. A request that arrives in the instant in which it
// begins to listen may never be answered (measured on 1.18.33, and on the preview of 2.0).
const firstProbe = 2 * time.Second

// ask asks again where the first probe was not answered.
func (s Server) ask(ctx context.Context, which func(context.Context, *call.Endpoint) (Identity, error)) (Identity, error) {
	e := s.Client("", "").Endpoint
	first, cancel := context.WithTimeout(ctx, firstProbe)
	defer cancel()
	i, err := which(first, e)
	if err != nil && first.Err() != nil {
		return which(ctx, e)
	}
	return i, err
}

// identify asks in an order that gets a plain answer from each version: 1.18.33 answers
// unknown paths with 200 and its web page, and has an /api/health that tells no version;
// 1.1.53 tries to reach the internet for unknown paths; the previews of 2.0 have no /api/info
// (measured on all of them). An error is that of the last path, unless an earlier one said
// that the server does not answer, is starting, or wants a password: that holds for all paths.
func identify(ctx context.Context, e *call.Endpoint) (Identity, error) {
	v1 := func(i Identity) bool { return i.Version != "" }
	i, err := identityAt(ctx, e, "/global/health", v1)
	if err == nil {
		i.PID = 0
		return i, nil
	}
	if !isOtherPath(err) {
		return Identity{}, err
	}
	return identifyV2(ctx, e)
}

// identifyV2 asks a server that can only be of OpenCode 2.
func identifyV2(ctx context.Context, e *call.Endpoint) (Identity, error) {
	v2 := func(i Identity) bool { return i.Version != "" && i.PID > 0 }
	i, err := identityAt(ctx, e, "/api/info", v2)
	if err != nil && isOtherPath(err) {
		i, err = identityAt(ctx, e, "/api/health", v2)
	}
	return i, err
}

func identityAt(ctx context.Context, e *call.Endpoint, path string, told func(Identity) bool) (Identity, error) {
	const op = "health"
	var answer struct {
		Version string `json:"version"`
		PID     int    `json:"pid"`
	}
	if err := e.Get(ctx, op, path, nil, &answer); err != nil {
		return Identity{}, err
	}
	i := Identity{answer.Version, answer.PID}
	if !told(i) {
		return Identity{}, &call.Error{Op: op, Reason: call.NotOpenCode}
	}
	return i, nil
}

// isOtherPath reports whether the server answered, and does not have the path.
func isOtherPath(err error) bool {
	var e *call.Error
	return errors.As(err, &e) && (e.Reason == call.NotFound || e.Reason == call.NotOpenCode || e.Reason == call.Refused)
}
