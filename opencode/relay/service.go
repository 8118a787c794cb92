package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/tmaxmax/go-sse"

	"hermes/opencode"
	"hermes/opencode/service"
)

const (
	callTimeout = 30 * time.Second // a call to the service
	silence     = 50 * time.Second // of the event stream, which has a heartbeat every 15 s
	maxAnswer   = 64 << 20         // bytes of an answer of the service before it is reduced
	maxResult   = 4<<20 - 4<<10    // the same, as hermes gets it: as a text in JSON it has twice that at most, and link.MaxBody is for all
	maxFrame    = 64 << 20         // bytes of one event: whole tool outputs come in one line
)

var (
	errSilent  = errors.New("the event stream of the OpenCode service has no heartbeat")
	errProcess = errors.New("the server there is not the process that the file of the OpenCode service names")
)

// connected is a service that was found and is what its file names, and its event stream.
type connected struct {
	service.Registration
	transport http.RoundTripper
	body      io.ReadCloser
	cancel    context.CancelCauseFunc // ends the stream
	ctx       context.Context         // ends with the stream
}

// connect finds the service and opens its event stream. The file is read each time, so that the password
// is sent to no address that it does not name now.
func connect(ctx context.Context, s opencode.Service) (*connected, error) {
	r, err := s.File.Find()
	if err != nil {
		return nil, err
	}
	who, err := s.Server(r).IdentifyV2(ctx)
	switch {
	case err != nil:
		return nil, err
	case who.PID != r.PID || who.Version != r.Version:
		return nil, errProcess
	}
	c := &connected{Registration: r, transport: s.Transport}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	waiting := time.AfterFunc(callTimeout, func() { c.cancel(errSilent) })
	defer waiting.Stop()
	res, err := c.send(c.ctx, http.MethodGet, "/api/event", nil, nil)
	if err == nil && res.StatusCode != http.StatusOK {
		_ = res.Body.Close()
		err = fmt.Errorf("the OpenCode service answered %d to the request for its events", res.StatusCode)
	}
	if err != nil {
		c.cancel(err)
		return nil, err
	}
	c.body = res.Body
	return c, nil
}

// send makes one request. It follows no redirect.
func (c *connected) send(ctx context.Context, method, path string, query url.Values, body []byte) (*http.Response, error) {
	target := c.URL + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address is not valid")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.SetBasicAuth(service.Username, c.Password.Reveal())
	return c.transport.RoundTrip(req)
}

// answer is what the service answers to a call.
type answer struct {
	status int
	kind   string // Content-Type
	body   []byte
}

func (a answer) isJSON() bool {
	kind, _, err := mime.ParseMediaType(a.kind)
	return err == nil && kind == "application/json"
}

// ask makes a call and reads its answer.
func (c *connected) ask(ctx context.Context, method, path string, query url.Values, body []byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	res, err := c.send(ctx, method, path, query, body)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		err = errors.New("the answer of OpenCode is too large")
	}
	return answer{res.StatusCode, res.Header.Get("Content-Type"), text}, err
}

// get reads JSON.
func (c *connected) get(ctx context.Context, path string, query url.Values, into any) error {
	got, err := c.ask(ctx, http.MethodGet, path, query, nil)
	if err == nil && (got.status != http.StatusOK || !got.isJSON()) {
		err = fmt.Errorf("the OpenCode service answered %d", got.status)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(got.body, into)
}

// close ends the stream.
func (c *connected) close(why error) {
	c.cancel(why)
	_ = c.body.Close()
}

// read reads the stream until it ends, which is always an error. alive is called whenever something
// comes, comments too.
func (c *connected) read(alive func(), hear func(text string) error) error {
	watchdog := time.AfterFunc(silence, func() { c.cancel(errSilent) })
	defer watchdog.Stop()
	r := aliveReader{c.body, func() {
		watchdog.Reset(silence)
		alive()
	}}
	for event, err := range sse.Read(r, &sse.ReadConfig{MaxEventSize: maxFrame}) {
		if err == nil {
			err = hear(event.Data)
		}
		if cause := context.Cause(c.ctx); cause != nil {
			return cause
		}
		if err != nil {
			return err
		}
	}
	if cause := context.Cause(c.ctx); cause != nil {
		return cause
	}
	return errors.New("the event stream of the OpenCode service has ended")
}

// aliveReader says of each piece that comes that the stream is alive.
type aliveReader struct {
	io.Reader
	alive func()
}

// Read implements io.Reader.
func (r aliveReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.alive()
	}
	return n, err
}
