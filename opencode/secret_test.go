package opencode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	v1 "hermes/opencode/v1"
)

// canary is a password that must be seen nowhere.
const canary = "password-canary-1f3a"

// wantNoCanary looks for the password in every form that a header gives it.
func wantNoCanary(t *testing.T, what, text string) {
	t.Helper()
	header := http.Header{}
	r := http.Request{Header: header}
	r.SetBasicAuth("opencode", canary)
	for _, leak := range []string{canary, strings.TrimPrefix(header.Get("Authorization"), "Basic ")} {
		if strings.Contains(text, leak) {
			t.Errorf("%s holds the password: %s", what, text)
		}
	}
}

func shown(v any) string { return fmt.Sprintf("%v %[1]s %[1]q %[1]d %+[1]v %#[1]v", v) }

// everyError makes every call that a Client has, and gives what went wrong, with
// all that is wrapped in it.
func everyError(ctx context.Context, c *Client) []error {
	r := question.Request{ID: "que_1", Session: "ses_1", Message: "msg_1", Call: "call_1"}
	_, version := versionOf(ctx, c)
	_, questions := c.Questions(ctx)
	_, look := c.Look(ctx, r)
	_, _, resolve := c.Resolve(ctx, r)
	_, busy := c.Busy(ctx)
	_, own := v1.NewDriver(c.Endpoint, "", 0).OwnDirectory(ctx)
	ended := c.streamEvents(ctx, nil, func(globalEvent) {})
	list := []error{version, questions, look, resolve, busy, own, ended, c.Reply(ctx, r, nil), c.Reject(ctx, r, "")}
	for _, err := range list {
		for err = errors.Unwrap(err); err != nil; err = errors.Unwrap(err) {
			list = append(list, err)
		}
	}
	return list
}

func TestPassword_NoErrorHoldsThePassword(t *testing.T) {
	for fault := opencodesim.FailBeforeEffect; fault <= opencodesim.HTMLPage; fault++ {
		synctest.Test(t, func(t *testing.T) {
			s := opencodesim.New(opencodesim.Options{Password: canary})
			s.SetFault(func(*http.Request) opencodesim.Fault { return fault })
			c := clientOf(s)
			c.Endpoint.Username, c.Endpoint.Password = "opencode", canary
			for _, reads := range []http.RoundTripper{nil, retryingReads(s.Transport())} {
				c.Endpoint.Reads = reads
				for _, err := range everyError(t.Context(), c) {
					wantNoCanary(t, "an error", shown(err))
				}
			}
		})
	}
}

func TestPassword_NoErrorHoldsAPasswordThatIsInTheAddress(t *testing.T) {
	for _, base := range []string{"http://opencode:" + canary + "@host", "http://opencode:" + canary + "@ho st", "::" + canary} {
		c := NewClient(call.Endpoint{Transport: nobody, Base: base}, "", 0)
		for _, err := range everyError(t.Context(), c) {
			wantNoCanary(t, "an error", shown(err))
		}
	}
}

func TestPassword_WrongPassword(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s = opencodesim.New(opencodesim.Options{Version: s.Version(), Password: canary})
		id, _ := s.Ask(proj, "", colour)
		c := clientOf(s)
		for _, password := range []secret.Text{"", "wrong", canary + "x"} {
			c.Endpoint.Username, c.Endpoint.Password = "opencode", password
			_, version := versionOf(t.Context(), c)
			wantError(t, version, call.Unauthorized, 401)
			wantError(t, c.Reply(t.Context(), question.Request{ID: question.RequestID(id)}, nil), call.Unauthorized, 401)
			wantError(t, c.streamEvents(t.Context(), nil, nil), call.Unauthorized, 401)
		}
		c.Endpoint.Password = canary
		if err := c.Reply(t.Context(), listed(t, c, id), question.Answers{{"Red"}}); err != nil || s.Replies(id) != 1 {
			t.Errorf("with the right one: %v", err)
		}
	})
}

func TestPassword_NoValueShowsThePassword(t *testing.T) {
	server := Server{URL: serverURL, Username: "opencode", Password: canary, Transport: nobody}
	client := *server.Client("", "")
	config := Config{Servers: []Server{server}, Log: slog.New(slog.DiscardHandler)}
	for _, v := range []any{server, &server, client, &client, client.line, *client.line.(*v1.Driver), client.Endpoint, config, &config} {
		wantNoCanary(t, fmt.Sprintf("%T", v), shown(v))
		wantNoCanary(t, fmt.Sprintf("%T in a log", v), logged(v))
	}
	g := NewGateway(config)
	wantNoCanary(t, "the gateway", fmt.Sprintf("%v %+[1]v %#[1]v", g)+logged(g))
}

func logged(v any) string {
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
	return log.String()
}

// Whatever goes wrong, a Gateway's log and the Gateway itself do not tell it.
func TestPassword_NoLogHoldsThePassword(t *testing.T) {
	for fault := opencodesim.NoFault; fault <= opencodesim.HTMLPage; fault++ {
		synctest.Test(t, func(t *testing.T) {
			s := opencodesim.New(opencodesim.Options{Password: canary})
			s.Ask(proj, "", colour)
			var log bytes.Buffer
			w := watch(t, Config{
				Servers: []Server{{URL: "http://opencode:4096", Username: "opencode", Password: canary, Transport: s.Transport()}},
				Log:     slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			})
			s.SetFault(func(*http.Request) opencodesim.Fault { return fault })
			time.Sleep(3 * time.Minute)
			s.Stop()
			time.Sleep(time.Minute)
			synctest.Wait()
			if log.Len() == 0 {
				t.Error("nothing was logged")
			}
			wantNoCanary(t, "the log", log.String())
			wantNoCanary(t, "an event", fmt.Sprintf("%+v", w.events))
			wantNoCanary(t, "the gateway", fmt.Sprintf("%+v", w.Gateway))
		})
	}
}

func TestPassword_GatewayUnderOddVerbs(t *testing.T) {
	g := NewGateway(Config{Servers: []Server{{URL: "http://opencode:4096", Password: canary}}})
	print := func(v any) string { return fmt.Sprintf("%s %[1]q %[1]v %+[1]v", v) }
	wantNoCanary(t, "the gateway", print(g))
}
