package apiclient_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/apiclient"
)

// endless is the body of an answer that never ends.
type endless struct {
	request *http.Request
	every   time.Duration // that a piece of it comes
}

func (e endless) Read(p []byte) (int, error) {
	if e.every > 0 {
		time.Sleep(e.every)
	}
	return copy(p, bytes.Repeat([]byte(" "), len(p))), e.request.Context().Err()
}

// What listens at the URL of a code may be anything. An answer that never ends is given up, however slow or fast it comes.
func TestExchange_AnAnswerThatNeverEnds(t *testing.T) {
	for name, every := range map[string]time.Duration{"slow": time.Second, "fast": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				way := roundTripper(func(r *http.Request) (*http.Response, error) {
					return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(endless{r, every})}, nil
				})
				_, _, err := apiclient.Exchange{URLs: []string{"https://hermes.example"}, Code: "ABCD", Host: "laptop", Way: way}.Do(t.Context())
				if err == nil || time.Since(began) > 2*time.Minute {
					t.Errorf("got %v after %v", err, time.Since(began))
				}
			})
		})
	}
}
