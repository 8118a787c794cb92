package telegram_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/secret"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
)

func leaks(t *testing.T, where, text string) {
	t.Helper()
	_, key, _ := strings.Cut(testToken, ":")
	for _, secret := range []string{testToken, key, url.QueryEscape(testToken), hookSecret} {
		if strings.Contains(text, secret) {
			t.Errorf("%s shows a secret: %s", where, text)
		}
	}
}

// Every way in which a call can fail, with the token in what comes back.
func TestSecrets_NoneInErrorsAndLogs(t *testing.T) {
	path := "/bot" + testToken + "/x?" + url.QueryEscape(testToken)
	for name, answer := range map[string]roundTrip{
		"network": func(r *http.Request) (*http.Response, error) {
			return nil, errors.New("POST " + r.URL.String() + " failed")
		},
		"url error": func(r *http.Request) (*http.Response, error) {
			return nil, &url.Error{Op: "Post", URL: path, Err: errors.New(path)}
		},
		"page": func(*http.Request) (*http.Response, error) { return reply(502, "<html>"+path+"</html>"), nil },
		"refusal": func(*http.Request) (*http.Response, error) {
			return reply(400, `{"ok":false,"error_code":400,"description":"Bad Request: `+path+`"}`), nil
		},
		"odd result": func(*http.Request) (*http.Response, error) {
			return reply(200, `{"ok":true,"result":"`+path+`"}`), nil
		},
		"redirect": func(*http.Request) (*http.Response, error) {
			resp := reply(302, "")
			resp.Header.Set("Location", "http://elsewhere.example"+path)
			return resp, nil
		},
		"torn body": func(*http.Request) (*http.Response, error) {
			resp := reply(200, "")
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"ok"`), broken(path)))
			return resp, nil
		},
	} {
		for way, change := range map[string]func(*telegram.Config){"polling": func(*telegram.Config) {}, "webhook": hooked} {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, func(c *telegram.Config) { c.Transport = answer }, change)
				w.start()
				var said []string
				s := w.show(post(7, cardtest.Asks(cardtest.Database())))
				said = append(said, fmt.Sprintf("%v %+v %#v", s.Err, s.Err, s.Err))
				s = w.show(post(7, cardtest.Asks(cardtest.Database()), 5))
				said = append(said, fmt.Sprintf("%v %+v %#v", s.Err, s.Err, s.Err))
				for err := s.Err; err != nil; err = errors.Unwrap(err) {
					said = append(said, fmt.Sprintf("%#v", err))
				}
				w.bot.Tell(note(7), func(s outbound.MessageShown) { said = append(said, fmt.Sprint(s.Err)) })
				w.bot.Answer("1", ui.Stale(), "")
				settle()
				said = append(said, fmt.Sprint(w.bot.Health()), fmt.Sprintf("%v %+v %#v %s", w.bot, w.bot, w.bot, w.bot), fmt.Sprintf("%v %+v", w.config.Token, w.config))
				j, _ := json.Marshal(struct{ T secret.Text }{w.config.Token})
				said = append(said, string(j), fmt.Sprint(w.stop()), w.log.String())
				for _, text := range said {
					leaks(t, name, text)
				}
				taken := name == "odd result" && way == "webhook" // setWebhook is done, whatever its result looks like
				if !taken && !strings.Contains(w.log.String(), "updates do not come in") {
					t.Errorf("%s, %s: nothing was logged", name, way)
				}
			})
		}
	}
}

func reply(code int, body string) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

type broken string

func (b broken) Read([]byte) (int, error) { return 0, errors.New("reset while reading " + string(b)) }

// What holds secrets shows none of them, however it is printed.
func TestSecrets_MaskedWhenPrinted(t *testing.T) {
	const proxyPassword = "proxy-canary"
	c := telegram.Config{Token: testToken, Proxy: "socks5://ada:" + proxyPassword + "@127.0.0.1:1080", Webhook: telegram.Webhook{URL: "https://x.example", Secret: hookSecret}}
	var said []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%10.3s"} {
		said = append(said, fmt.Sprintf(verb, c), fmt.Sprintf(verb, &c), fmt.Sprintf(verb, c.Token), fmt.Sprintf(verb, c.Proxy))
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "config", c, "proxy", c.Proxy)
	j, err := json.Marshal([]any{c.Token, c.Proxy, c.Webhook})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(said, log.String(), string(j)) {
		leaks(t, "a print", text)
		for _, leak := range []string{proxyPassword, fmt.Sprintf("%x", proxyPassword), fmt.Sprintf("%X", testToken), fmt.Sprintf("%x", testToken)} {
			if strings.Contains(text, leak) {
				t.Errorf("a print shows a secret: %s", text)
			}
		}
	}
	if !strings.Contains(string(j), "***") {
		t.Errorf("no mask is shown: %s", j)
	}
}

func TestConfig_IsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*telegram.Config)
		want   string
	}{
		"token":          {func(c *telegram.Config) { c.Token = "12345678:short" }, "HERMES_TELEGRAM_TOKEN"},
		"odd token":      {func(c *telegram.Config) { c.Token += "%zz" }, "HERMES_TELEGRAM_TOKEN"},
		"no token":       {func(c *telegram.Config) { c.Token = "" }, "HERMES_TELEGRAM_TOKEN"},
		"root":           {func(c *telegram.Config) { c.APIURL = "api.telegram.org" }, "HERMES_TELEGRAM_API_URL"},
		"proxy":          {func(c *telegram.Config) { c.Proxy = "ftp://user:pass@host" }, "HERMES_TELEGRAM_PROXY"},
		"unreadable":     {func(c *telegram.Config) { c.Proxy = "http://user:pass@ho st:\x01" }, "HERMES_TELEGRAM_PROXY"},
		"plain webhook":  {func(c *telegram.Config) { c.Webhook = telegram.Webhook{URL: "http://x.example", Secret: "s"} }, "HERMES_TELEGRAM_WEBHOOK_URL"},
		"no secret":      {func(c *telegram.Config) { c.Webhook = telegram.Webhook{URL: "https://x.example"} }, "HERMES_TELEGRAM_WEBHOOK_SECRET"},
		"foreign secret": {func(c *telegram.Config) { c.Webhook = telegram.Webhook{URL: "https://x.example", Secret: "a b"} }, "HERMES_TELEGRAM_WEBHOOK_SECRET"},
		"language":       {func(c *telegram.Config) { c.Lang = "fr" }, "HERMES_LANG"},
	} {
		config := telegram.Config{Token: testToken, Inbox: newMemory(), Handle: func(context.Context, inbound.Input) {}}
		c.change(&config)
		_, err := telegram.New(config)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "pass") {
			t.Errorf("%s: got %v, want one about %s", name, err, c.want)
		}
	}
}

// A local Bot API server also calls webhooks without TLS (Bot API, local mode).
func TestConfig_PlainWebhookOfALocalServer(t *testing.T) {
	for root, ok := range map[string]bool{"": false, "https://api.telegram.org/": false, "http://127.0.0.1:8081": true} {
		_, err := telegram.New(telegram.Config{
			Token: testToken, APIURL: root, Webhook: telegram.Webhook{URL: "http://127.0.0.1:4097/hook", Secret: "s"},
			Inbox: newMemory(), Handle: func(context.Context, inbound.Input) {},
		})
		if (err == nil) != ok {
			t.Errorf("with the Bot API at %q: %v", root, err)
		}
	}
}

func TestConfig_TokenWithALineEnd(t *testing.T) {
	if _, err := telegram.New(telegram.Config{Token: testToken + "\n", Proxy: "socks5://127.0.0.1:1080", Inbox: newMemory(), Handle: func(context.Context, inbound.Input) {}}); err != nil {
		t.Error(err)
	}
}

// Over a real connection the transport tells whether anything was sent.
func TestShow_NeverSentIsKnown(t *testing.T) {
	tele := telegramsim.New(telegramsim.Options{Token: testToken})
	server := httptest.NewServer(tele)
	var length, sends int64
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		length = r.ContentLength
		if sends++; sends == 2 {
			panic(http.ErrAbortHandler) // the connection breaks after the request was read
		}
		tele.ServeHTTP(w, r)
	}))
	defer front.Close()
	gone := server.URL
	server.Close()
	b := socketBot(t, front.URL)
	done := make(chan outbound.Shown, 1)
	b.Show(post(7, cardtest.Asks(cardtest.Database())), func(s outbound.Shown) { done <- s })
	if s := <-done; botapi.ReasonOf(s.Err) != botapi.ChatNotFound || length <= 0 {
		t.Errorf("%+v, a body of length %d", s, length)
	}
	b.Show(post(7, cardtest.Asks(cardtest.Database())), func(s outbound.Shown) { done <- s })
	if e := mustFailWith(t, (<-done).Err, botapi.Network); !e.Unknown {
		t.Errorf("%+v", e)
	}
	socketBot(t, gone).Show(post(7, cardtest.Asks(cardtest.Database())), func(s outbound.Shown) { done <- s })
	if e := mustFailWith(t, (<-done).Err, botapi.Network); e.Unknown {
		t.Errorf("%+v", e)
	}
}

func socketBot(t *testing.T, url string) *telegram.Bot {
	t.Helper()
	b, err := telegram.New(telegram.Config{Token: testToken, APIURL: url, Inbox: newMemory(), Handle: func(context.Context, inbound.Input) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}
