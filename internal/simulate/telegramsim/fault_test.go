package telegramsim_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
)

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault   telegramsim.Fault
		want    string // of the error or the answer
		worked  bool
		written bool
	}{
		{telegramsim.Fault{}, "200", true, true},
		{telegramsim.Fault{Kind: telegramsim.Refuse}, "500 Internal Server Error: restart", false, true},
		{telegramsim.Fault{Kind: telegramsim.Refuse, Code: 401}, "401 Unauthorized", false, true},
		{telegramsim.Fault{Kind: telegramsim.Refuse, Code: 421}, "421 Misdirected Request: unallowed token specified", false, true},
		{telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 30}, "429 Too Many Requests: retry after 30", false, true},
		{telegramsim.Fault{Kind: telegramsim.BadGateway}, "invalid character", false, true},
		{telegramsim.Fault{Kind: telegramsim.BadGatewayAfter}, "invalid character", true, true},
		{telegramsim.Fault{Kind: telegramsim.Hang}, "deadline exceeded", false, true},
		{telegramsim.Fault{Kind: telegramsim.Unreachable}, syscall.ECONNREFUSED.Error(), false, false},
		{telegramsim.Fault{Kind: telegramsim.ResetBefore}, syscall.ECONNRESET.Error(), false, true},
		{telegramsim.Fault{Kind: telegramsim.ResetAfter}, syscall.ECONNRESET.Error(), true, true},
		{telegramsim.Fault{Delay: 5 * time.Second}, "200", true, true},
		{telegramsim.Fault{Delay: 15 * time.Second}, "deadline exceeded", true, true},
	} {
		t.Run(fmt.Sprint(c.fault), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := world(t, telegramsim.Options{})
				s.SetFault(func(call telegramsim.Call) telegramsim.Fault {
					if call.Method != "sendMessage" || call.Chat != ada || call.Params["text"] != "x" || call.Seq != 1 {
						t.Errorf("hook got %+v", call)
					}
					return c.fault
				})
				got, written := faulty(t, s)
				if !strings.Contains(got, c.want) || written != c.written {
					t.Errorf("got %s, written %v; want %s, %v", got, written, c.want, c.written)
				}
				if worked := len(s.Messages(ada)) == 2; worked != c.worked {
					t.Errorf("worked = %v, want %v", worked, c.worked)
				}
				if call := s.Calls()[0]; call.Fault != c.fault.Kind || (call.Code == 200) != c.worked {
					t.Errorf("logged %+v", call)
				}
			})
		})
	}
}

// faulty sends one message with ten seconds' patience.
func faulty(t *testing.T, s *telegramsim.Server) (string, bool) {
	var written atomic.Bool
	trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { written.Store(true) }}
	ctx, cancel := context.WithTimeout(httptrace.WithClientTrace(t.Context(), trace), 10*time.Second)
	defer cancel()
	got, err := try(ctx, s, "sendMessage", to(ada, nil))
	switch {
	case err != nil:
		return err.Error(), written.Load()
	case got.OK:
		return "200", written.Load()
	}
	return fmt.Sprint(got.Code, " ", got.Description), written.Load()
}

func TestCallsHideSecrets(t *testing.T) {
	s := world(t, telegramsim.Options{})
	call(t, s, "setWebhook", args{"url": "http://h", "secret_token": "hush"})
	if got := fmt.Sprint(s.Calls()); strings.Contains(got, "hush") || strings.Contains(got, token) {
		t.Errorf("calls hold a secret: %s", got)
	}
}

// Over a half-open connection nothing comes, and nothing breaks. Another connection works.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		client := &http.Client{Transport: s.Transport()}
		get := func(method string) error {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://api.telegram.test/bot"+token+"/"+method, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := client.Do(req)
			if err == nil {
				res.Body.Close()
			}
			return err
		}
		time.AfterFunc(time.Second, s.Silence)
		if err := get("getUpdates?timeout=10&offset=100000002"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("what was under way: %v", err)
		}
		if err := get("getMe"); !errors.Is(err, context.DeadlineExceeded) || s.Count("getMe") != 0 {
			t.Errorf("a call over the same connection: %v, %d reached the server", err, s.Count("getMe"))
		}
		client.CloseIdleConnections()
		if err := get("getMe"); err != nil {
			t.Error("a call over a new connection:", err)
		}
	})
}
