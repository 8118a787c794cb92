package botapi

import (
	"net/http"
	"path"
	"strings"
	"time"
)

// observed is a way to the Bot API whose calls are told of, by their method alone:
// the path has the token in it. A download is told of as "file".
type observed struct {
	next http.RoundTripper
	told func(method string, status int, took time.Duration) // nil: nobody
}

func (o observed) RoundTrip(req *http.Request) (*http.Response, error) {
	if o.told == nil {
		return o.next.RoundTrip(req)
	}
	began, status := time.Now(), 0
	res, err := o.next.RoundTrip(req)
	if err == nil {
		status = res.StatusCode
	}
	o.told(methodOf(req.URL.Path), status, time.Since(began))
	return res, err
}

// CloseIdleConnections implements what [http.Client.CloseIdleConnections] looks for.
func (o observed) CloseIdleConnections() {
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
