package telegram_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"hermes/internal/inbound"
	"hermes/telegram"
)

func TestUsername(t *testing.T) {
	for answer, want := range map[string]string{
		`{"ok":true,"result":{"id":1,"is_bot":true,"username":"hermes_bot"}}`: "hermes_bot",
		`{"ok":true,"result":{"id":1,"is_bot":true}}`:                         "",
		`{"ok":false,"error_code":401,"description":"Unauthorized"}`:          "",
	} {
		b, err := telegram.New(telegram.Config{
			Token: testToken, APIURL: "https://api.telegram.test", Inbox: newMemory(), Handle: func(context.Context, inbound.Input) {},
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				if !strings.HasSuffix(r.URL.Path, "/getMe") {
					t.Errorf("called %s", r.URL.Path[strings.LastIndex(r.URL.Path, "/"):])
				}
				return reply(200, answer), nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		name, err := b.Username(t.Context())
		if name != want || (err == nil) != (want != "") {
			t.Errorf("%s gives %q, %v", answer, name, err)
		}
		_ = b.Close(context.Background())
	}
}
