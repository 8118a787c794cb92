package rig

import (
	"io"
	"net/http"
	"net/url"
	"sync"

	"hermes/internal/api"
	"hermes/internal/simulate/openapi"
)

// Description is that of the HTTP interface, to which every exchange of a Rig is held.
var Description = sync.OnceValue(func() *openapi.Document {
	d, err := openapi.Parse(api.OpenAPI())
	if err != nil {
		panic(err)
	}
	return d
})

// holdToDescription makes a request. Where the answer has arrived whole, the description of the interface must have it.
func (r *Rig) holdToDescription(way http.RoundTripper, req *http.Request) (*http.Response, error) {
	res, err := way.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if hook, err := url.Parse(r.Config.TelegramWebhookURL); err == nil && hook.Path == req.URL.Path && hook.Path != "" {
		return res, nil // Telegram's own, at a path that a person chose
	}
	res.Body = &held{ReadCloser: res.Body, whole: func(got []byte) {
		x := openapi.Exchange{Request: req, Sent: sentBy(req), Status: res.StatusCode, Header: res.Header, Got: got}
		if err := Description().Check(x); err != nil {
			r.T.Errorf("openapi.json does not have it: %v", err)
		}
		if pattern, ok := Description().Operation(req); ok && r.Answered != nil {
			r.Answered(pattern, res.StatusCode)
		}
	}}
	return res, nil
}

// sentBy is the body of a request that was made of a text.
func sentBy(req *http.Request) []byte {
	if req.GetBody == nil {
		return nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(body) // it is in memory
	return text
}

// held is a body that tells what it was when it has been read to its end.
type held struct {
	io.ReadCloser
	got   []byte
	whole func([]byte)
}

func (h *held) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	h.got = append(h.got, p[:n]...)
	if err == io.EOF && h.whole != nil {
		h.whole(h.got)
		h.whole = nil
	}
	return n, err
}
