package telegramsim_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// hook is the bot's webhook: it answers with the given statuses in turn, then 200.
type hook struct {
	t        *testing.T
	start    time.Time
	mu       sync.Mutex
	statuses []int
	got      []string
}

func (h *hook) RoundTrip(r *http.Request) (*http.Response, error) {
	var u update
	if err := json.NewDecoder(r.Body).Decode(&u); err != nil {
		h.t.Error(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
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
		s := world(t, telegramsim.Options{Webhook: h})
		ok(t, s, "getUpdates", args{"offset": firstID + 1})
		ok(t, s, "setWebhook", args{"url": "https://bot.example:8443/tg", "secret_token": "s3cret"})
		say(t, s, ada, ada, "one")
		say(t, s, ada, ada, "two")
		time.Sleep(time.Second)
		info := string(ok(t, s, "getWebhookInfo", nil).Result)
		if !strings.Contains(info, `"pending_update_count":2`) || !strings.Contains(info, "Wrong response from the webhook: 500") {
			t.Errorf("info: %s", info)
		}
		if got := call(t, s, "getUpdates", nil); got.Code != 409 || !strings.HasPrefix(got.Description, "Conflict: can't use getUpdates method while webhook is active") {
			t.Errorf("poll: %+v", got)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		want := "[0s s3cret one 0s s3cret one 2s s3cret one 32s s3cret one 32s s3cret two]"
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
		s := world(t, telegramsim.Options{Webhook: down})
		m := choices(t, s, ada)
		ok(t, s, "getUpdates", args{"offset": firstID + 1})
		ok(t, s, "setWebhook", args{"url": "https://bot.example"})
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
		s := world(t, telegramsim.Options{Webhook: &hook{t: t}})
		done := make(chan answer)
		go func() {
			got, _ := try(t.Context(), s, "getUpdates", args{"offset": firstID + 1, "timeout": 50})
			done <- got
		}()
		synctest.Wait()
		ok(t, s, "setWebhook", args{"url": "https://bot.example/x"})
		if got := <-done; got.Description != "Conflict: terminated by setWebhook request" {
			t.Errorf("poll: %+v", got)
		}
	})
}

// What one person taps and what is said in one chat go beside one another, as does what is said in another chat; what is said in one chat does not.
func TestWebhookLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var got []string
		hook := roundTrip(func(r *http.Request) (*http.Response, error) {
			var u update
			if err := json.NewDecoder(r.Body).Decode(&u); err != nil {
				t.Error(err)
			}
			what := "a tap"
			if u.Message != nil {
				what = u.Message.Text
			}
			mu.Lock()
			got = append(got, what+" begins")
			mu.Unlock()
			time.Sleep(map[string]time.Duration{"a tap": 5 * time.Second, "one": 2 * time.Second, "two": 2 * time.Second, "there": time.Second}[what])
			mu.Lock()
			got = append(got, what+" ends")
			mu.Unlock()
			return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
		})
		s := world(t, telegramsim.Options{Webhook: hook})
		m := choices(t, s, ada)
		ok(t, s, "getUpdates", args{"offset": firstID + 1})
		ok(t, s, "setWebhook", args{"url": "https://bot.example"})
		if _, err := s.Tap(ada, ada, m.ID, "Go"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for _, text := range []string{"one", "two"} {
			say(t, s, ada, ada, text)
			synctest.Wait()
		}
		say(t, s, bob, bob, "there")
		time.Sleep(time.Minute)
		synctest.Wait()
		want := "a tap begins, one begins, there begins, there ends, one ends, two begins, two ends, a tap ends"
		if text := strings.Join(got, ", "); text != want || s.Pending() != 0 {
			t.Errorf("got  %s\nwant %s; %d wait", text, want, s.Pending())
		}
	})
}

// With equal parameters setWebhook changes nothing, and forgets no error.
func TestSetWebhookAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hook{t: t, start: time.Now(), statuses: []int{500}}
		s := world(t, telegramsim.Options{Webhook: h})
		same := args{"url": "https://bot.example/tg", "secret_token": "s3cret"}
		if got := ok(t, s, "setWebhook", args{"url": "https://bot.example/tg", "secret_token": "s3cret"}); got.Description != "Webhook was set" {
			t.Error(got.Description)
		}
		if got := call(t, s, "setWebhook", same); got.Code != 429 || got.Parameters.RetryAfter != 1 {
			t.Errorf("within a second: %+v", got)
		}
		say(t, s, ada, ada, "fails once")
		time.Sleep(2 * time.Second)
		if got := ok(t, s, "setWebhook", same); got.Description != "Webhook is already set" {
			t.Error(got.Description)
		}
		const failed = "Wrong response from the webhook: 500"
		if info := string(ok(t, s, "getWebhookInfo", nil).Result); !strings.Contains(info, failed) || !strings.Contains(info, `"pending_update_count":0`) {
			t.Errorf("the error is forgotten, or the update waits: %s", info)
		}
		time.Sleep(2 * time.Second)
		if got := ok(t, s, "setWebhook", args{"url": "https://bot.example/tg", "secret_token": "0ther"}); got.Description != "Webhook was set" {
			t.Error(got.Description)
		}
		if info := string(ok(t, s, "getWebhookInfo", nil).Result); strings.Contains(info, failed) {
			t.Errorf("the error is that of another webhook: %s", info)
		}
		time.Sleep(2 * time.Second)
		if got := call(t, s, "setWebhook", args{"url": "https://bot.example:8080/tg"}); got.Code != 400 || got.Description != "Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443" {
			t.Errorf("refused: %+v", got)
		}
		if info := string(ok(t, s, "getWebhookInfo", nil).Result); !strings.Contains(info, `"url":""`) {
			t.Errorf("the old webhook is left: %s", info)
		}
	})
}
