package simulator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/telegram/simulator"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// hook is the bot's webhook: it answers with the given statuses in turn, then 200.
type hook struct {
	t        *testing.T
	start    time.Time
	statuses []int
	got      []string
}

func (h *hook) RoundTrip(r *http.Request) (*http.Response, error) {
	var u update
	if err := json.NewDecoder(r.Body).Decode(&u); err != nil {
		h.t.Error(err)
	}
	text := r.Header.Get("X-Telegram-Bot-Api-Secret-Token")
	if u.Message != nil {
		text += " " + u.Message.Text
	}
	h.got = append(h.got, fmt.Sprint(time.Since(h.start), " ", text))
	status, header := 200, http.Header{}
	if len(h.statuses) > 0 {
		status, h.statuses = h.statuses[0], h.statuses[1:]
	}
	if status == 429 {
		header.Set("Retry-After", "30")
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(""))}, nil
}

func TestWebhookDelivers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hook{t: t, start: time.Now(), statuses: []int{502, 500, 429}}
		s := world(t, simulator.Options{Webhook: h})
		ok(t, s, "setWebhook", args{"url": "https://bot.example:8443/tg", "secret_token": "s3cret", "drop_pending_updates": true})
		say(t, s, ada, ada, "one")
		say(t, s, ada, ada, "two")
		time.Sleep(2 * time.Second)
		info := string(ok(t, s, "getWebhookInfo", nil).Result)
		if !strings.Contains(info, `"pending_update_count":2`) || !strings.Contains(info, "Wrong response from the webhook: 500") {
			t.Errorf("info: %s", info)
		}
		if got := call(t, s, "getUpdates", nil); got.Code != 409 || !strings.HasPrefix(got.Description, "Conflict: can't use getUpdates method while webhook is active") {
			t.Errorf("poll: %+v", got)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		want := "[0s s3cret one 1s s3cret one 3s s3cret one 33s s3cret one 33s s3cret two]"
		if got := fmt.Sprint(h.got); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if n := s.Pending(); n != 0 {
			t.Errorf("%d updates left", n)
		}
		ok(t, s, "deleteWebhook", nil)
		say(t, s, ada, ada, "three")
		if got := updates(t, s, nil); len(got) != 1 || len(h.got) != 5 {
			t.Errorf("after deleteWebhook: %d polled, %d posted", len(got), len(h.got))
		}
	})
}

func TestWebhookGivesUpExpiredTaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := roundTrip(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
		s := world(t, simulator.Options{Webhook: down})
		m := choices(t, s, ada)
		ok(t, s, "setWebhook", args{"url": "https://bot.example", "drop_pending_updates": true})
		if _, err := s.Tap(ada, ada, m.ID, "Go"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(151 * time.Second)
		if n := s.Pending(); n != 0 {
			t.Errorf("%d updates left, want the tap to expire", n)
		}
	})
}

func TestSetWebhookEndsPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, simulator.Options{Local: true, Webhook: &hook{t: t}})
		done := make(chan answer)
		go func() {
			got, _ := try(t.Context(), s, "getUpdates", args{"offset": firstID + 1, "timeout": 50})
			done <- got
		}()
		synctest.Wait()
		ok(t, s, "setWebhook", args{"url": "http://127.0.0.1:4097/x"})
		if got := <-done; got.Description != "Conflict: terminated by setWebhook request" {
			t.Errorf("poll: %+v", got)
		}
	})
}
