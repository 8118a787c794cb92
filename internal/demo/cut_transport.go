package demo

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

var errCut = errors.New("the connection is cut")

// cutTransport is a RoundTripper that can be cut: what is under way then fails, bodies
// that are being read too, and so does everything until it is mended. It may be
// used concurrently.
type cutTransport struct {
	next http.RoundTripper

	mu     sync.Mutex
	whole  context.Context // ends with the cut
	sunder context.CancelFunc
}

func newCutTransport(next http.RoundTripper) *cutTransport {
	w := &cutTransport{next: next}
	w.mend()
	return w
}

func (w *cutTransport) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sunder()
}

func (w *cutTransport) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.whole == nil || w.whole.Err() != nil {
		w.whole, w.sunder = context.WithCancel(context.Background())
	}
}

func (w *cutTransport) context() context.Context {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.whole
}

// isUp reports whether anything gets through.
func (w *cutTransport) isUp() bool { return w.context().Err() == nil }

// RoundTrip implements [http.RoundTripper].
func (w *cutTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	whole := w.context()
	if whole.Err() != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, errCut
	}
	ctx, cancel := context.WithCancel(req.Context())
	unhook := context.AfterFunc(whole, cancel)
	end := func() { unhook(); cancel() }
	res, err := w.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		end()
		if whole.Err() != nil && req.Context().Err() == nil {
			return nil, errCut
		}
		return nil, err
	}
	res.Body = &wiredBody{res.Body, end}
	return res, nil
}

// wiredBody ends its request when it is closed.
type wiredBody struct {
	io.ReadCloser
	end func()
}

func (b *wiredBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
