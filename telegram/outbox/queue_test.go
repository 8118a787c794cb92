package outbox

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// What waits is counted by lane, and the longest queue of a chat is known without the chat's name.
func TestOutbox_Waiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := New()
		hold := make(chan struct{})
		busy := Job{Run: func(_ context.Context, c *Chat, err error) {
			if err == nil {
				<-hold
			}
		}}
		for range 3 {
			o.Enqueue(1, Cards, busy)
		}
		o.Enqueue(1, Notes, busy)
		o.Enqueue(2, Live, busy)
		o.Enqueue(2, Notes, busy)
		synctest.Wait()
		// The first job of each chat has begun.
		if got, want := o.Waiting(), (Waiting{Jobs: [lanes]int{Cards: 2, Notes: 1, Live: 1}, Chats: 2, Longest: 3}); got != want {
			t.Errorf("%+v waits, not %+v", got, want)
		}
		close(hold)
		time.Sleep(time.Minute)
		if got := o.Waiting(); got != (Waiting{}) {
			t.Errorf("%+v waits at the end", got)
		}
		_ = o.Close(t.Context())
	})
}
