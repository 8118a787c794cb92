package main

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
