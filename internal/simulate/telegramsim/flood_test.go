package telegramsim_test

import (
	"sync"
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

// A client that counts in fractions of seconds is a nanosecond early now and then, which is no haste; a millisecond is.
func TestFlood_OfNanoseconds(t *testing.T) {
	for early, want := range map[time.Duration]int{time.Nanosecond: 0, time.Millisecond: 1} {
		synctest.Test(t, func(t *testing.T) {
			s := world(t, telegramsim.Options{Flood: telegramsim.Flood{Burst: 1, Strict: true}})
			send(t, s, to(ada, nil))
			time.Sleep(time.Second - early)
			call(t, s, "sendMessage", to(ada, nil))
			if v := s.Violations(); len(v) != want {
				t.Errorf("%v early: %q", early, v)
			}
		})
	}
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

// So many messages are on their way into one chat at most; into another one there go others.
func TestUnsentPerChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		say(t, s, bob, bob, "/start")
		s.SetFault(func(telegramsim.Call) telegramsim.Fault { return telegramsim.Fault{Delay: 15 * time.Second} })
		var sending sync.WaitGroup
		for range 310 {
			sending.Go(func() { call(t, s, "sendMessage", to(ada, nil)) })
		}
		time.Sleep(time.Second)
		synctest.Wait()
		s.SetFault(nil)
		if got := call(t, s, "sendMessage", to(ada, nil)); got.Status != 429 || got.Parameters.RetryAfter != 60 {
			t.Errorf("the 311th: %+v", got)
		}
		send(t, s, to(bob, nil))
		sending.Wait()
		send(t, s, to(ada, nil))
	})
}
