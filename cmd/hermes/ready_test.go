package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"

	adapter "hermes/telegram"
)

// getFrom puts a GET to a handler without a server.
func getFrom(handler http.Handler, path string) (int, string) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, w.Body.String()
}

// ready fails the test unless /readyz gives all of these reasons, or says that
// it is ready if there is none. It needs no token.
func (r *rig) ready(reasons ...string) {
	r.t.Helper()
	code, text := r.request("GET", "/readyz", "", "Authorization", "")
	want := http.StatusOK
	if len(reasons) > 0 {
		want = http.StatusServiceUnavailable
	}
	for _, reason := range reasons {
		if !strings.Contains(text, reason) {
			r.t.Errorf("/readyz lacks %q: %s", reason, text)
		}
	}
	if code != want {
		r.t.Errorf("/readyz is %d %s", code, text)
	}
}

func TestReady(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.ready()
		r.telegram.SetFault(func(telegram.Call) telegram.Fault { return telegram.Fault{Kind: telegram.Unreachable} })
		r.opencode.Stop()
		r.wait(2 * time.Minute)
		r.ready("Telegram cannot be reached", "no OpenCode is connected")
		r.telegram.SetFault(nil)
		r.opencode.Start()
		r.wait(2 * time.Minute)
		r.ready()
	})
}

// Everybody may ask, so no address is told, whatever fails. The log tells it.
func TestReadyNamesNoAddress(t *testing.T) {
	play(t, nil, func(r *rig) {
		const address = "192.0.2.7:3128"
		down := roundTripper(func(*http.Request) (*http.Response, error) {
			return nil, errors.New("proxyconnect tcp: dial tcp " + address + ": connect: connection refused")
		})
		r.halt()
		r.wrap = func(out outside) outside {
			out.telegram, out.opencode = down, down
			return out
		}
		r.start()
		r.wait(2 * time.Minute)
		_, text := r.request("GET", "/readyz", "", "Authorization", "")
		if strings.Contains(text, "192.0.2") || !strings.Contains(text, "Telegram cannot be reached; see the log") || !strings.Contains(text, "no OpenCode") {
			t.Errorf("/readyz says %s", text)
		}
		if !strings.Contains(r.log.String(), address) {
			t.Error("the log does not tell the address")
		}
	})
}

func TestNotReadyWithASecondPoller(t *testing.T) {
	play(t, nil, func(r *rig) {
		conflict := telegram.Fault{
			Kind: telegram.Refuse, Code: http.StatusConflict,
			Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
		}
		r.telegram.FailNext("getUpdates", conflict, conflict, conflict, conflict, conflict)
		r.wait(55 * time.Second)
		r.ready("another program polls this bot")
		r.wait(2 * time.Minute)
		r.ready()
	})
}

func TestNotReadyWithoutAStore(t *testing.T) {
	play(t, nil, func(r *rig) {
		if err := r.daemon.store.Close(); err != nil {
			t.Fatal(err)
		}
		r.ask(database())
		r.ready("the store does not take changes")
		r.say("hello", 0)
		r.wait(time.Minute)
		r.ready("the store does not take changes", "updates cannot be stored")
	})
}

// A refused token ends the daemon: no restart mends it.
func TestRefusedTokenEndsTheDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := makeRig(t, opencode.VersionNew, nil)
		r.telegram.FailNext("getUpdates", telegram.Fault{Kind: telegram.Refuse, Code: http.StatusUnauthorized})
		r.start()
		err := <-r.ended
		if !errors.Is(err, adapter.ErrToken) {
			t.Errorf("the daemon ended with %v", err)
		}
		err = ended(err, newRedactor(testToken))
		if code := exitCode(err, true); code != exitUsage || !strings.Contains(err.Error(), "HERMES_TELEGRAM_TOKEN") {
			t.Errorf("serve gives %d, %v", code, err)
		}
		if health := r.daemon.bot.Health(); health == nil || health.Error() != "Telegram refuses the token" {
			t.Errorf("its health was %v", health)
		}
		r.close()
	})
}

func TestWebhook(t *testing.T) {
	hooked := func(c *config) {
		c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example/telegram/hook", hookSecret
	}
	play(t, hooked, func(r *rig) {
		for _, c := range []struct {
			method, path, secret string
			code                 int
		}{
			{"POST", "/telegram/hook", "wrong", 401},
			{"POST", "/telegram/hook", "", 401},
			{"GET", "/telegram/hook", hookSecret, 405},
			{"POST", "/telegram", hookSecret, 404},
			{"POST", "/telegram/hook/more", hookSecret, 404},
			{"POST", "/telegram/hook", hookSecret, 200},
		} {
			code, _ := r.request(c.method, c.path, "{}", "Authorization", "", "X-Telegram-Bot-Api-Secret-Token", c.secret)
			if code != c.code {
				t.Errorf("%s %s with %q gave %d, want %d", c.method, c.path, c.secret, code, c.code)
			}
		}
		_, call := r.ask(database())
		r.tap("1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
		if n := r.telegram.Count("getUpdates"); n != 0 {
			t.Errorf("%d polls beside the webhook", n)
		}
		r.ready()
	})
}

// Paths that net/http's patterns would not take, or would take for more.
func TestWebhookAtAnyPath(t *testing.T) {
	for _, path := range []string{"", "/", "//hook", "/hook{x}", "/{$}", "/a/../b", "/healthz/hook"} {
		hooked := func(c *config) {
			c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example"+path, hookSecret
		}
		play(t, hooked, func(r *rig) {
			_, call := r.ask(database())
			r.tap("1.")
			r.wait(2 * time.Second)
			r.got(call, []string{"SQLite"})
			if code, text := r.request("GET", "/healthz", ""); code != http.StatusOK {
				t.Errorf("with the webhook at %q, /healthz is %d %s", path, code, text)
			}
		})
	}
}
