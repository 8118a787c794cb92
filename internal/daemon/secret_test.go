package daemon_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/internal/simulate/testenv"
)

func TestSecrets_AreNeverShown(t *testing.T) {
	testenv.Isolate(t)
	c := config.Config{TelegramToken: testenv.Canary, HookToken: testenv.Canary, OpenCodePassword: testenv.Canary, STTKey: testenv.Canary, TelegramProxy: testenv.Canary, TelegramWebhookSecret: testenv.Canary}
	j, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	shown := string(j) + c.TelegramToken.String() + c.TelegramToken.GoString()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%10.3s"} {
		shown += fmt.Sprintf(verb, c.TelegramToken) + fmt.Sprintf(verb, c) + fmt.Sprintf(verb, &c)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "token", c.TelegramToken, "config", c)
	shown += log.String()
	for _, leak := range []string{testenv.Canary, fmt.Sprintf("%x", testenv.Canary), testenv.Canary[:3]} {
		if strings.Contains(shown, leak) {
			t.Errorf("%q is shown in %s", leak, shown)
		}
	}
	if !strings.Contains(shown, secret.Mask) || c.TelegramToken.Reveal() != testenv.Canary || secret.Text("").String() != "" {
		t.Error("a secret must show as ***, an empty one as nothing, and reveal itself when asked")
	}
}
