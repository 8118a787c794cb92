package link_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/opencode/link"
)

func TestPoll_WithoutCallsEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		for range 10 { // each in time for the next: the link stays
			start := time.Now()
			if status, _ := j.poll(t, l, ""); status != 204 || time.Since(start) != 25*time.Second {
				t.Errorf("the poll gave %d after %v", status, time.Since(start))
			}
			time.Sleep(9 * time.Second)
		}
		j.want(t, "opened i")
	})
}

func TestPoll_ALinkIsLostWhenNotPolled(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*testing.T, *journal, *link.Link)
		kept time.Duration
	}{
		{"never polled", func(*testing.T, *journal, *link.Link) {}, 10 * time.Second},
		{"after a poll", func(t *testing.T, j *journal, l *link.Link) { j.poll(t, l, "") }, 10 * time.Second},
		{"after a broken poll", func(t *testing.T, j *journal, l *link.Link) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			j.do(ctx, "GET", "/v1/link/"+l.ID()+"/calls", "")
		}, 2 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := newJournal(t, link.Config{})
				l := j.open(t, hello("i", "p", "/d"))
				c.do(t, j, l)
				time.Sleep(c.kept - time.Millisecond)
				synctest.Wait()
				j.want(t, "opened i")
				time.Sleep(2 * time.Millisecond)
				synctest.Wait()
				j.want(t, "opened i", "closed i lost")
				if status, _ := j.poll(t, l, ""); status != 410 {
					t.Errorf("a poll of the lost link gave %d", status)
				}
			})
		})
	}
}

func TestPoll_ANewerPollTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		old, newer := make(chan int, 1), make(chan []wireCall, 1)
		go func() { status, _ := j.poll(t, l, ""); old <- status }()
		synctest.Wait()
		go func() { _, calls := j.poll(t, l, ""); newer <- calls }()
		synctest.Wait()
		if status := <-old; status != 204 {
			t.Errorf("the older poll gave %d", status)
		}
		time.Sleep(15 * time.Second) // more than the grace after the older one
		pendingCall(t.Context(), l, "GET", "/question", "")
		if calls := <-newer; len(calls) != 1 {
			t.Errorf("the newer poll was given %+v", calls)
		}
		j.want(t, "opened i")
	})
}

func TestPoll_TheEndOfALinkEndsItsPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		done := make(chan int, 1)
		go func() { status, _ := j.poll(t, l, ""); done <- status }()
		synctest.Wait()
		start := time.Now()
		j.Close()
		if status := <-done; status != 410 || time.Since(start) != 0 {
			t.Errorf("the poll gave %d after %v", status, time.Since(start))
		}
	})
}

// A call is carried out at most once: a poll whose plugin has gone must not take it.
func TestPoll_ABrokenPollTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		pendingCall(t.Context(), l, "GET", "/question", "")
		synctest.Wait()
		if w := j.do(gone, "GET", "/v1/link/"+l.ID()+"/calls", ""); w.Code != 204 {
			t.Errorf("the broken poll gave %d %s", w.Code, w.Body)
		}
		if _, calls := j.poll(t, l, "0"); len(calls) != 1 {
			t.Errorf("the next poll was given %+v", calls)
		}
	})
}

// The plugin takes only so much at once: prompts with files come one by one.
func TestPoll_LargeCallsAreHandedOutOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		body := `"` + strings.Repeat("x", 9<<20) + `"`
		for range 3 {
			pendingCall(t.Context(), l, "POST", "/session/ses_1/prompt_async", body)
			synctest.Wait()
		}
		pendingCall(t.Context(), l, "GET", "/question", "")
		pendingCall(t.Context(), l, "GET", "/permission", "")
		synctest.Wait()
		var sizes []int
		for after := 0; after < 5; {
			_, calls := j.poll(t, l, strconv.Itoa(after))
			sizes, after = append(sizes, len(calls)), after+len(calls)
		}
		if !slices.Equal(sizes, []int{1, 1, 3}) {
			t.Errorf("the calls came as %v", sizes)
		}
		over := <-pendingCall(t.Context(), l, "POST", "/session/ses_1/prompt_async", `"`+strings.Repeat("x", 16<<20)+`"`)
		if over.err == nil || !strings.Contains(over.err.Error(), "16 MiB") {
			t.Errorf("a larger call gave %v", over.err)
		}
	})
}
