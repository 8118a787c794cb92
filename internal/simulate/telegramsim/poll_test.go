package telegramsim_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
)

const firstID = 100000001

func TestLongPollWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		start := time.Now()
		if n := len(updates(t, s, args{"offset": firstID + 1, "timeout": 600})); n != 0 || time.Since(start) != 50*time.Second {
			t.Errorf("%d updates after %v, want none after 50s", n, time.Since(start))
		}
		start = time.Now()
		time.AfterFunc(7*time.Second, func() { say(t, s, ada, ada, "hi") })
		got := updates(t, s, args{"offset": firstID + 1, "timeout": 50})
		if len(got) != 1 || got[0].Message.Text != "hi" || time.Since(start) != 7*time.Second {
			t.Errorf("got %v after %v", got, time.Since(start))
		}
	})
}

func TestOffsets(t *testing.T) {
	ids := func(t *testing.T, s *telegramsim.Server, a args) string {
		var list []int
		for _, u := range updates(t, s, a) {
			list = append(list, u.ID-firstID)
		}
		return fmt.Sprint(list)
	}
	for _, c := range []struct {
		name        string
		args        args
		want, after string
	}{
		{"none", args{}, "[0 1 2 3 4]", "[0 1 2 3 4]"},
		{"limit", args{"limit": 2}, "[0 1]", "[0 1 2 3 4]"},
		{"limit too low", args{"limit": 0}, "[0]", "[0 1 2 3 4]"},
		{"confirm", args{"offset": firstID + 3}, "[3 4]", "[3 4]"},
		{"confirm all", args{"offset": firstID + 5}, "[]", "[]"},
		{"ten past the tail", args{"offset": firstID + 15}, "[]", "[]"},
		{"more is ignored", args{"offset": firstID + 16}, "[0 1 2 3 4]", "[0 1 2 3 4]"},
		{"negative", args{"offset": -2}, "[3 4]", "[3 4]"},
		{"very negative", args{"offset": -99}, "[0 1 2 3 4]", "[0 1 2 3 4]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := world(t, telegramsim.Options{})
				for range 4 {
					say(t, s, ada, ada, "x")
				}
				if got := ids(t, s, c.args); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
				time.Sleep(10 * time.Second)
				if got := ids(t, s, args{}); got != c.after {
					t.Errorf("afterwards %s, want %s", got, c.after)
				}
			})
		})
	}
}

func TestImpatientPollsAreSlowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		say(t, s, ada, ada, "x")
		ok(t, s, "getUpdates", args{"offset": firstID})
		if n := len(updates(t, s, args{"offset": firstID})); n != 1 {
			t.Errorf("second poll within half a second: %d updates, want 1", n)
		}
		ok(t, s, "getUpdates", args{"offset": firstID + 2})
		start := time.Now()
		ok(t, s, "getUpdates", args{"offset": firstID + 2})
		if time.Since(start) != 3*time.Second {
			t.Errorf("repeated empty poll took %v, want 3s", time.Since(start))
		}
	})
}

func TestTwoPollers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		old := make(chan answer)
		poll := func() {
			got, err := try(t.Context(), s, "getUpdates", args{"offset": firstID + 1, "timeout": 50})
			if err != nil {
				t.Error(err)
			}
			old <- got
		}
		const want = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
		start := time.Now()
		go poll()
		synctest.Wait()
		go poll()
		if got := <-old; got.Code != 409 || got.Description != want || time.Since(start) != 0 {
			t.Errorf("older poll: %+v after %v", got, time.Since(start))
		}
		go poll()
		if got := <-old; got.Code != 409 || time.Since(start) != 3*time.Second {
			t.Errorf("second conflict: %+v after %v, want 409 after 3s", got, time.Since(start))
		}
		say(t, s, ada, ada, "x")
		if got := <-old; !got.OK {
			t.Errorf("newest poll: %+v", got)
		}
		if v := s.Violations(); len(v) != 2 || v[0] != "getUpdates: "+want {
			t.Errorf("violations %q", v)
		}
	})
}

// A poll that need not wait ends no other, so two programs may go on for a while without a word.
func TestTwoPollersOfWhomOneNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		held := make(chan answer)
		go func() {
			got, err := try(t.Context(), s, "getUpdates", args{"offset": firstID + 1, "timeout": 50})
			if err != nil {
				t.Error(err)
			}
			held <- got
		}()
		time.Sleep(5 * time.Second)
		ok(t, s, "getUpdates", args{"offset": firstID + 1, "timeout": 0})
		say(t, s, ada, ada, "both get it")
		if got := <-held; !got.OK {
			t.Errorf("the poll that waits: %+v", got)
		}
		if n := len(updates(t, s, args{"offset": firstID, "timeout": 50})); n != 1 {
			t.Errorf("%d updates", n)
		}
		if v := s.Violations(); len(v) != 0 {
			t.Errorf("violations %q", v)
		}
	})
}

func TestALostSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		start := time.Now()
		time.AfterFunc(5*time.Second, func() { s.LoseSession(time.Minute) })
		if n := len(updates(t, s, args{"offset": firstID + 1, "timeout": 50})); n != 0 || time.Since(start) != 5*time.Second {
			t.Errorf("the poll that waits: %d updates after %v", n, time.Since(start))
		}
		for _, method := range []string{"getUpdates", "getMe", "sendMessage"} {
			if got := call(t, s, method, to(ada, nil)); got.Code != 401 || got.Description != "Unauthorized" {
				t.Errorf("%s: %+v", method, got)
			}
		}
		time.Sleep(time.Minute)
		ok(t, s, "getMe", nil)
	})
}

func TestUpdatesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		m := send(t, s, to(ada, args{"reply_markup": keyboard([]args{button("A", "a")})}))
		if _, err := s.Tap(ada, ada, m.ID, "A"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(150*time.Second - time.Nanosecond)
		if n := s.Pending(); n != 2 {
			t.Errorf("%d updates before 150s, want 2", n)
		}
		time.Sleep(time.Nanosecond)
		if n := s.Pending(); n != 1 {
			t.Errorf("%d updates at 150s, want the message only", n)
		}
		time.Sleep(24*time.Hour - 150*time.Second)
		if n := s.Pending(); n != 0 {
			t.Errorf("%d updates after a day, want none", n)
		}
	})
}

func TestAllowedUpdatesAreRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		ok(t, s, "getUpdates", args{"offset": firstID + 1, "allowed_updates": []string{"callback_query"}})
		say(t, s, ada, ada, "unseen")
		time.Sleep(10 * time.Second)
		ok(t, s, "getUpdates", args{"offset": firstID + 1})
		say(t, s, ada, ada, "unseen")
		if n := s.Pending(); n != 0 {
			t.Errorf("%d updates of a kind that is not allowed", n)
		}
		ok(t, s, "getUpdates", args{"allowed_updates": []string{}, "timeout": 1})
		say(t, s, ada, ada, "seen")
		if n := s.Pending(); n != 1 {
			t.Errorf("%d updates after the default was restored, want 1", n)
		}
	})
}

// When the server has forgotten the last id it goes on with any, and offsets are those of the new ids.
func TestIDsThatJump(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		ok(t, s, "getUpdates", args{"offset": firstID + 1})
		if err := s.JumpUpdateID(7); err != nil {
			t.Error(err)
		}
		say(t, s, ada, ada, "x")
		if got := updates(t, s, args{"offset": firstID + 2}); len(got) != 1 || got[0].ID != 7 || s.Pending() != 1 {
			t.Errorf("got %v; an offset of the old ids confirms none of the new", got)
		}
		if err := s.JumpUpdateID(5); err == nil {
			t.Error("the ids jumped although an update waits")
		}
		if ok(t, s, "getUpdates", args{"offset": 8}); s.Pending() != 0 {
			t.Error("the offset of the new ids confirmed nothing")
		}
	})
}
