package botapi

import (
	"net/http"
	"path"
	"strings"
	"time"
)

// observedTransport reports every call to the Bot API, by its method alone: the path has the
// token in it. A download is reported as "file".
type observedTransport struct {
	next   http.RoundTripper
	called func(method string, status int, took time.Duration) // nil: nobody
}

func (o observedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if o.called == nil {
		return o.next.RoundTrip(req)
	}
	began, status := time.Now(), 0
	res, err := o.next.RoundTrip(req)
	if err == nil {
		status = res.StatusCode
	}
	o.called(methodOf(req.URL.Path), status, time.Since(began))
	return res, err
}

// CloseIdleConnections implements what [http.Client.CloseIdleConnections] looks for.
func (o observedTransport) CloseIdleConnections() {
	if c, ok := o.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func methodOf(where string) string {
	if strings.Contains(where, "/file/bot") {
		return "file"
	}
	return path.Base(where)
}
