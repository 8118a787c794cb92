package botapi_test

import (
	"strings"
	"testing"

	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

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
