package outbox

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
)

// A chat at rest has no goroutine, and many of them little else.
func TestOutbox_IdleChatsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := New()
		for id := chat.ID(100); id < 2100; id++ {
			o.ReserveLiveEdit(id)
		}
		if n := len(o.chats); n > 1100 {
			t.Errorf("%d chats are remembered", n)
		}
	})
}

func TestSources_AreForgotten(t *testing.T) {
	s := sources{byName: map[string]*source{}}
	for n := range 1000 {
		s.nextCard([]string{fmt.Sprint("link ", n)}, time.Now())
	}
	if n := len(s.byName); n > 100 {
		t.Errorf("%d sources are remembered", n)
	}
}
