package telegramsim_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
)

func TestFloodPerChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{Flood: telegramsim.Flood{Burst: 3}})
		say(t, s, bob, bob, "/start")
		m := send(t, s, to(ada, nil))
		send(t, s, to(ada, nil))
		send(t, s, to(ada, nil))
		got := call(t, s, "sendMessage", to(ada, nil))
		if got.Status != 429 || got.Description != "Too Many Requests: retry after 1" || got.Parameters.RetryAfter != 1 || got.Header.Get("Retry-After") != "1" {
			t.Errorf("fourth message: %+v", got)
		}
		if v := s.Violations(); len(v) != 0 {
			t.Errorf("meeting the limit is no violation: %q", v)
		}
		send(t, s, to(bob, nil))
		call(t, s, "editMessageText", to(ada, args{"message_id": m.ID, "text": "y"}))
		if v := s.Violations(); len(v) != 1 {
			t.Errorf("writing on during retry_after is one: %q", v)
		}
		time.Sleep(time.Second)
		ok(t, s, "editMessageText", to(ada, args{"message_id": m.ID, "text": "y"}))
	})
}

// In slow mode a member sends one message in a while, and edits what it likes; an administrator is exempt.
func TestSlowMode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		s.SlowMode(super, 5*time.Minute)
		m := send(t, s, to(super, nil))
		time.Sleep(time.Minute)
		if got := call(t, s, "sendMessage", to(super, nil)); got.Status != 429 || got.Parameters.RetryAfter != 240 {
			t.Errorf("a second message: %+v", got)
		}
		ok(t, s, "editMessageText", to(super, args{"message_id": m.ID, "text": "y"}))
		time.Sleep(4 * time.Minute)
		send(t, s, to(super, nil))
		if err := s.Promote(ada, super); err != nil {
			t.Fatal(err)
		}
		send(t, s, to(super, nil))
		if full := ok(t, s, "getChat", args{"chat_id": super}); !strings.Contains(string(full.Result), `"slow_mode_delay":300`) {
			t.Errorf("%s", full.Result)
		}
	})
}

// Edits may have an allowance of their own, so they take none from messages.
func TestFlood_OfEdits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{Flood: telegramsim.Flood{Burst: 1, Edits: 5, Strict: true}})
		m := send(t, s, to(ada, nil))
		for n := range 5 {
			ok(t, s, "editMessageText", to(ada, args{"message_id": m.ID, "text": strconv.Itoa(n)}))
		}
		time.Sleep(time.Second)
		send(t, s, to(ada, nil))
		ok(t, s, "editMessageText", to(ada, args{"message_id": m.ID, "text": "5"}))
		if got := call(t, s, "editMessageText", to(ada, args{"message_id": m.ID, "text": "6"})); got.Parameters.RetryAfter != 1 || len(s.Violations()) != 1 {
			t.Errorf("one edit too many: %+v, %q", got, s.Violations())
		}
	})
}

func TestFloodPerGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{Flood: telegramsim.Flood{GroupPerMinute: 20, Strict: true}})
		for range 20 {
			send(t, s, to(group, nil))
			time.Sleep(time.Second)
		}
		got := call(t, s, "sendMessage", to(group, nil))
		if got.Parameters.RetryAfter != 40 {
			t.Errorf("retry_after = %d, want 40", got.Parameters.RetryAfter)
		}
		if v := s.Violations(); len(v) != 1 {
			t.Errorf("strict limits: %q", v)
		}
		time.Sleep(40 * time.Second)
		send(t, s, to(group, nil))
	})
}

func TestDeleteLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		m := send(t, s, to(ada, nil))
		other := say(t, s, ada, group, "x")
		if got := call(t, s, "deleteMessage", args{"chat_id": group, "message_id": other}); got.Description != "Bad Request: message can't be deleted" {
			t.Errorf("another's message: %q", got.Description)
		}
		time.Sleep(48 * time.Hour)
		ok(t, s, "editMessageText", to(ada, args{"message_id": m.ID, "text": "still editable"}))
		if got := call(t, s, "deleteMessage", args{"chat_id": ada, "message_id": m.ID}); got.Description != "Bad Request: message can't be deleted for everyone" {
			t.Errorf("after two days: %q", got.Description)
		}
	})
}
