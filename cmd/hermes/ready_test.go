package main

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/daemon"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	adapter "hermes/telegram"
)

func TestReady(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.WantReady()
		r.Telegram.SetFault(func(telegram.Call) telegram.Fault { return telegram.Fault{Kind: telegram.Unreachable} })
		r.Opencode.Stop()
		r.Wait(2 * time.Minute)
		r.WantReady("Telegram cannot be reached", "no OpenCode is connected")
		r.Telegram.SetFault(nil)
		r.Opencode.Start()
		r.Wait(2 * time.Minute)
		r.WantReady()
	})
}

// Everybody may ask, so no address is told, whatever fails. The log tells it.
func TestReady_NamesNoAddress(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		const address = "192.0.2.7:3128"
		down := rig.RoundTripper(func(*http.Request) (*http.Response, error) {
			return nil, errors.New("proxyconnect tcp: dial tcp " + address + ": connect: connection refused")
		})
		r.Halt()
		r.Wrap = func(out daemon.Outside) daemon.Outside {
			out.Telegram, out.Opencode = down, down
			return out
		}
		r.Start()
		r.Wait(2 * time.Minute)
		_, text := r.Request("GET", "/readyz", "", "Authorization", "")
		if strings.Contains(text, "192.0.2") || !strings.Contains(text, "Telegram cannot be reached; see the log") || !strings.Contains(text, "no OpenCode") {
			t.Errorf("/readyz says %s", text)
		}
		if !strings.Contains(r.Log.String(), address) {
			t.Error("the log does not tell the address")
		}
	})
}

func TestReady_NotReadyWithASecondPoller(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		conflict := telegram.Fault{
			Kind: telegram.Refuse, Code: http.StatusConflict,
			Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
		}
		r.Telegram.FailNext("getUpdates", conflict, conflict, conflict, conflict, conflict)
		r.Wait(55 * time.Second)
		r.WantReady("another program polls this bot")
		r.Wait(2 * time.Minute)
		r.WantReady()
	})
}

func TestReady_NotReadyWithoutAStore(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if err := r.Daemon.Store.Close(); err != nil {
			t.Fatal(err)
		}
		r.Ask(rig.DatabaseQuestion())
		r.WantReady("the store does not take changes")
		r.Say("hello", 0)
		r.Wait(time.Minute)
		r.WantReady("the store does not take changes", "updates cannot be stored")
	})
}

// A refused token ends the daemon: no restart mends it.
func TestReady_RefusedTokenEndsTheDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, nil)
		r.Telegram.FailNext("getUpdates", telegram.Fault{Kind: telegram.Refuse, Code: http.StatusUnauthorized})
		r.Start()
		err := <-r.Ended
		if !errors.Is(err, adapter.ErrToken) {
			t.Errorf("the daemon ended with %v", err)
		}
		err = serveError(err, secret.NewRedactor(rig.TestToken))
		if code := exitCode(err, true); code != exitUsage || !strings.Contains(err.Error(), "HERMES_TELEGRAM_TOKEN") {
			t.Errorf("serve gives %d, %v", code, err)
		}
		if health := r.Daemon.Bot.Health(); health == nil || health.Error() != "Telegram refuses the token" {
			t.Errorf("its health was %v", health)
		}
		r.Close()
	})
}

func TestReady_Webhook(t *testing.T) {
	hooked := func(c *config.Config) {
		c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example/telegram/hook", rig.HookSecret
	}
	rig.Play(t, hooked, func(r *rig.Rig) {
		for _, c := range []struct {
			method, path, secret string
			code                 int
		}{
			{"POST", "/telegram/hook", "wrong", 401},
			{"POST", "/telegram/hook", "", 401},
			{"GET", "/telegram/hook", rig.HookSecret, 405},
			{"POST", "/telegram", rig.HookSecret, 404},
			{"POST", "/telegram/hook/more", rig.HookSecret, 404},
			{"POST", "/telegram/hook", rig.HookSecret, 200},
		} {
			code, _ := r.Request(c.method, c.path, "{}", "Authorization", "", "X-Telegram-Bot-Api-Secret-Token", c.secret)
			if code != c.code {
				t.Errorf("%s %s with %q gave %d, want %d", c.method, c.path, c.secret, code, c.code)
			}
		}
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Tap("1.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
		if n := r.Telegram.Count("getUpdates"); n != 0 {
			t.Errorf("%d polls beside the webhook", n)
		}
		r.WantReady()
	})
}

// Paths that net/http's patterns would not take, or would take for more.
func TestReady_WebhookAtAnyPath(t *testing.T) {
	for _, path := range []string{"", "/", "//hook", "/hook{x}", "/{$}", "/a/../b", "/healthz/hook"} {
		hooked := func(c *config.Config) {
			c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example"+path, rig.HookSecret
		}
		rig.Play(t, hooked, func(r *rig.Rig) {
			_, call := r.Ask(rig.DatabaseQuestion())
			r.Tap("1.")
			r.Wait(2 * time.Second)
			r.WantAnswers(call, []string{"SQLite"})
			if code, text := r.Request("GET", "/healthz", ""); code != http.StatusOK {
				t.Errorf("with the webhook at %q, /healthz is %d %s", path, code, text)
			}
		})
	}
}
