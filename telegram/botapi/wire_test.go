package botapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot/models"

	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

// Every way in which a call can fail, with secrets in what comes back: none is in the
// error of any method.
func TestClient_NoSecretInErrors(t *testing.T) {
	const proxy = "socks5://ada:canary-proxy-password@127.0.0.1:1080"
	path := "/bot" + testToken + "/x?" + url.QueryEscape(testToken) + "&s=" + hookSecret + "&p=" + url.QueryEscape(proxy)
	for name, answer := range map[string]roundTrip{
		"network": func(r *http.Request) (*http.Response, error) {
			return nil, errors.New("POST " + r.URL.String() + path + " failed")
		},
		"url error": func(*http.Request) (*http.Response, error) {
			return nil, &url.Error{Op: "Post", URL: path, Err: errors.New(path)}
		},
		"page":       answering(502, "<html>"+path+"</html>"),
		"refusal":    answering(400, `{"ok":false,"error_code":400,"description":"Bad Request: `+path+`"}`),
		"odd result": answering(200, `{"ok":true,"result":"`+path+`"}`),
		"redirect": func(r *http.Request) (*http.Response, error) {
			resp, err := answering(302, "")(r)
			resp.Header.Set("Location", "http://elsewhere.example"+path)
			return resp, err
		},
	} {
		for method, call := range calls() {
			_, err := call(t.Context(), client(t, answer, func(c *botapi.Config) { c.Secrets = append(c.Secrets, proxy) }))
			if err == nil {
				continue // the result of this method says nothing
			}
			var e *botapi.Error
			if !errors.As(err, &e) || e.Op != method || e.Detail == "" {
				t.Errorf("%s, %s: %#v", method, name, err)
			}
			for ; err != nil; err = errors.Unwrap(err) {
				text := fmt.Sprintf("%v %+v %#v %s", err, err, err, e.Said())
				leakless(t, method+", "+name, text)
				if strings.Contains(text, "canary") {
					t.Errorf("%s, %s shows a secret: %s", method, name, text)
				}
			}
		}
	}
	c := client(t, answering(200, ""))
	if text := fmt.Sprintf("%v %+v %#v %s", c, c, c, c); text != "botapi.Client botapi.Client botapi.Client botapi.Client" {
		t.Errorf("a client is printed as %s", text)
	}
}

// Proxies and front ends see what the Bot API server takes: a length, and no body where
// there are no parameters.
func TestClient_OverASocket(t *testing.T) {
	seen := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		method := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
		seen[method] = fmt.Sprintf("%s %v %v", kind, r.TransferEncoding, int64(len(body)) == r.ContentLength)
		result := "true"
		if method == "getMe" {
			result = `{"id":1,"username":"hermes_bot"}`
		}
		_, _ = io.WriteString(w, `{"ok":true,"result":`+result+`}`)
	}))
	defer server.Close()
	api := client(t, nil, func(c *botapi.Config) { c.Root, c.Transport = server.URL, server.Client().Transport })
	me, err := api.GetMe(t.Context())
	if skew, known := api.Skew(); err != nil || me.Username != "hermes_bot" || !known || skew.Abs() > time.Minute {
		t.Errorf("%+v, %v, the clock is %v ahead, %v", me, err, skew, known)
	}
	if err := api.DeleteWebhook(t.Context()); err != nil {
		t.Error(err)
	}
	for _, method := range []string{"editMessageText", "setMyCommands"} {
		if _, err := calls()[method](t.Context(), api); err != nil {
			t.Error(err)
		}
	}
	want := map[string]string{
		"getMe": " [] true", "deleteWebhook": " [] true",
		"editMessageText": "multipart/form-data [] true", "setMyCommands": "multipart/form-data [] true",
	}
	for method, sent := range want {
		if seen[method] != sent {
			t.Errorf("%s came as %q, want %q", method, seen[method], sent)
		}
	}
}

// A call is given up in time; what may have arrived by then is not known.
func TestClient_Timeout(t *testing.T) {
	silent := roundTrip(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	for method, call := range calls() {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, err := call(t.Context(), client(t, silent, func(c *botapi.Config) { c.Timeout = 10 * time.Second }))
			var e *botapi.Error
			if !errors.As(err, &e) || e.Reason != botapi.Network || e.Said() != "no answer in time" || !errors.Is(err, context.DeadlineExceeded) || !e.Unknown {
				t.Errorf("%s: %#v", method, err)
			}
			if took := time.Since(began); took != 10*time.Second {
				t.Errorf("%s was given up after %v", method, took)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := client(t, silent, func(c *botapi.Config) { c.Timeout = 10 * time.Second }).GetUpdates(t.Context(), botapi.Poll{Limit: 100, Hold: 50 * time.Second})
		if took := time.Since(began); err == nil || took != time.Minute {
			t.Errorf("a poll was given up after %v: %v", took, err)
		}
	})
}

// One update that nobody can read hides no other.
func TestGetUpdates_StayRaw(t *testing.T) {
	for result, want := range map[string]string{
		`[]`: "",
		`[{"update_id":5,"message":{"text":"x"}},{"update_id":6,"message":7},{"no":"number"},"x",{"update_id":"odd"},{"update_id":7}]`: `5 {"update_id":5,"message":{"text":"x"}},6 {"update_id":6,"message":7},7 {"update_id":7}`,
		`[{"no":"number"}]`: "updates without numbers",
		`{}`:                "the answer cannot be read",
		`true`:              "the answer cannot be read",
	} {
		updates, err := client(t, answering(200, `{"ok":true,"result":`+result+`}`)).GetUpdates(t.Context(), botapi.Poll{Limit: 100})
		var got []string
		for _, u := range updates {
			got = append(got, fmt.Sprintf("%d %s", u.ID, u.Raw))
		}
		var e *botapi.Error
		if errors.As(err, &e) {
			got = append(got, e.Said())
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: %q, want %q", result, got, want)
		}
	}
}

// Every answer tells Telegram's clock, also one that refuses; one that was long in coming does not.
func TestSkew(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{0: time.Hour - time.Second/2, 4 * time.Second: time.Hour - 2*time.Second - time.Second/2, 5 * time.Second: 0} {
		synctest.Test(t, func(t *testing.T) {
			api := client(t, roundTrip(func(r *http.Request) (*http.Response, error) {
				time.Sleep(took)
				resp, err := answering(401, `{"ok":false,"error_code":401,"description":"Unauthorized"}`)(r)
				resp.Header.Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
				return resp, err
			}))
			if _, known := api.Skew(); known {
				t.Error("it is known before the first answer")
			}
			if _, err := api.GetMe(t.Context()); botapi.ReasonOf(err) != botapi.BadToken {
				t.Error(err)
			}
			if skew, known := api.Skew(); skew != want || known != (want != 0) {
				t.Errorf("after %v it is %v, %v; want %v", took, skew, known, want)
			}
		})
	}
	api := client(t, answering(200, `{}`))
	_, _ = api.GetMe(t.Context())
	if skew, known := api.Skew(); known {
		t.Errorf("without a header it is %v", skew)
	}
}

// What is told of a call names no token.
func TestClient_ReportsCalls(t *testing.T) {
	var told []string
	api := client(t, answering(200, `{"ok":true,"result":{"file_path":"a/b.txt"}}`), func(c *botapi.Config) {
		c.Token = secret.Text(testToken)
		c.Called = func(method string, status int, _ time.Duration) { told = append(told, fmt.Sprint(method, " ", status)) }
	})
	_, _ = api.Fetch(t.Context(), "A", 100)
	if got := strings.Join(told, ", "); got != "getFile 200, file 200" {
		t.Errorf("told of %s", got)
	}
}

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

func TestIsToken(t *testing.T) {
	for text, want := range map[string]bool{
		"123456789:" + strings.Repeat("A", 35): true,
		"12345:" + strings.Repeat("_", 30):     true,
		"":                                     false,
		"1234:" + strings.Repeat("A", 35):      false,
		"123456789:" + strings.Repeat("A", 29): false,
		"123456789:" + strings.Repeat("A", 65): false,
		"123456789:" + strings.Repeat("é", 35): false,
	} {
		if got := botapi.IsToken(secret.Text(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestIsWebhookSecret(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, strings.Repeat("-", 256): true, "": false, "a b": false, strings.Repeat("a", 257): false,
	} {
		if got := botapi.IsWebhookSecret(secret.Text(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
