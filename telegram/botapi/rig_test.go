package botapi_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-telegram/bot/models"

	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

const (
	testToken  = "12345678:AAbbCCddEEffGGhhIIjjKKllMMnnOOpp-_1"
	hookSecret = "canary-hook-secret"
)

// roundTrip is a function as a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// client reaches what stands in for Telegram.
func client(t *testing.T, transport http.RoundTripper, change ...func(*botapi.Config)) *botapi.Client {
	t.Helper()
	c := botapi.Config{Token: testToken, Transport: transport, Secrets: []secret.Text{hookSecret}}
	for _, f := range change {
		f(&c)
	}
	api, err := botapi.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// answering answers every call with a status and a body.
func answering(code int, body string) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		return &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
}

func upload(name, text string) models.InputFile {
	return &models.InputFileUpload{Filename: name, Data: strings.NewReader(text)}
}
