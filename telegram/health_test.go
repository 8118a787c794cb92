package telegram_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/telegram"
)

// Everybody may ask for the health, so it names no address. The log does.
func TestHealth_NamesNoAddress(t *testing.T) {
	const address = "192.0.2.7:3128"
	refuse := func(code int, text string) roundTrip {
		return func(*http.Request) (*http.Response, error) { return reply(code, text), nil }
	}
	for name, test := range map[string]struct {
		answer roundTrip
		want   string
	}{
		"dial": {func(*http.Request) (*http.Response, error) {
			return nil, errors.New("proxyconnect tcp: dial tcp " + address + ": connect: connection refused")
		}, "Telegram cannot be reached; see the log"},
		"fault":   {refuse(500, `{"ok":false,"error_code":500,"description":"Internal Server Error: `+address+`"}`), "Telegram has a fault; see the log"},
		"refusal": {refuse(400, `{"ok":false,"error_code":400,"description":"Bad Request: `+address+`"}`), "see the log"},
		"webhook": {func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/getWebhookInfo") {
				return reply(200, `{"ok":true,"result":{"url":"https://hermes.example/telegram","pending_update_count":1,"last_error_date":`+
					strconv.FormatInt(time.Now().Unix(), 10)+`,"last_error_message":"Connection to `+address+` refused"}}`), nil
			}
			return reply(200, `{"ok":true,"result":true}`), nil
		}, "Telegram cannot reach the webhook; see the log"},
		"webhook unknown": {func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/getWebhookInfo") {
				return nil, errors.New("dial tcp " + address + ": connect: connection refused")
			}
			return reply(200, `{"ok":true,"result":true}`), nil
		}, "Telegram cannot be reached; see the log"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				change := func(*telegram.Config) {}
				if strings.HasPrefix(name, "webhook") {
					change = hooked
				}
				w := newWorld(t, func(c *telegram.Config) { c.Transport = test.answer }, change)
				w.start()
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				health := w.bot.Health()
				if health == nil || !strings.Contains(health.Error(), test.want) || strings.Contains(health.Error(), "192.0.2") {
					t.Errorf("the health is %v, want %q", health, test.want)
				}
				w.stop()
				if n := strings.Count(w.log.String(), address); n != 1 {
					t.Errorf("the log names the reason %d times, want once:\n%s", n, w.log)
				}
			})
		})
	}
}
