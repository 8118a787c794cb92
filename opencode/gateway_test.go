package opencode

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
)

func directOrigin(directory string) session.Origin {
	return session.Origin{Way: session.Direct, Process: serverURL, Directory: directory, Host: "opencode:4096"}
}

func TestGateway_WhatWaitsIsFoundAtConnect(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(proj, "", colour)
		w := watchServer(t, s)
		w.wantTold(t, "opened proj Colour", reach...)
		s.Ask(proj, "", sizes)
		wait(time.Second) // sessions do not wait for one another
		s.Ask(shop, "", colour)
		wait(time.Second)
		w.wantTold(t, "asked proj Sizes, asked shop Colour", reach...)
		if links, direct := w.Ways(); links != 0 || direct != 1 {
			t.Errorf("ways: %d links, %d servers", links, direct)
		}
	})
}

// What is asked while a stream has begun and is deaf yet is found by a second look.
func TestGateway_WhatIsAskedWhileTheStreamIsDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{StreamGap: 100 * time.Millisecond})
		w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: s.Transport()}}})
		wait(50 * time.Millisecond)
		s.Ask(proj, "", colour)
		wait(100 * time.Millisecond)
		w.wantTold(t, "opened proj", reach...)
		wait(time.Second)
		w.wantTold(t, "opened proj Colour", reach...)
	})
}

func TestGateway_WhatIsAskedWhileAwayIsFound(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watchServer(t, s)
		w.told()
		s.SetFault(func(*http.Request) opencodesim.Fault { return opencodesim.FailBeforeEffect })
		s.Restart() // cuts the stream
		wait(time.Second)
		w.wantTold(t, "lost proj", reach...)
		if _, ok := w.Agent(directOrigin(proj)); ok {
			t.Error("what is lost can be reached")
		}
		s.Ask(proj, "", colour)
		s.SetFault(nil)
		wait(20 * time.Second)
		w.wantTold(t, "opened proj Colour", reach...)
	})
}

func TestGateway_RestartOfAServer(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watchServer(t, s)
		s.Ask(proj, "", colour)
		s.Ask(shop, "", colour)
		wait(time.Minute)
		w.told()
		s.Stop()
		wait(time.Second)
		got := w.take(event.Lost, event.Closed)
		if len(got) != 2 || got[0].Kind != event.Lost || got[1].Kind != event.Lost {
			t.Errorf("told %+v, want that both directories are lost", got)
		}
		if _, direct := w.Ways(); direct != 0 {
			t.Errorf("%d servers answer", direct)
		}
		s.Start()
		wait(20 * time.Second)
		if got := w.take(event.Opened); !slices.ContainsFunc(got, func(e event.Event) bool {
			return e.Origin == directOrigin(proj) && len(e.Asks) == 0
		}) {
			t.Errorf("told %+v, want that nothing waits in proj any more", got)
		}
	})
}

// Where something waits, it is listed again from time to time.
func TestGateway_WhatWaitsIsListedAgain(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watchServer(t, s)
		w.told()
		wait(2 * refreshEvery)
		w.wantTold(t, "", event.Opened)
		s.Ask(proj, "", colour)
		w.told()
		wait(refreshEvery)
		w.wantTold(t, "opened proj Colour", event.Opened)
	})
}

func TestGateway_AgentReachesItsOrigin(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watchServer(t, s)
		id, call := s.Ask(shop, "", colour)
		wait(time.Second)
		c, ok := w.Agent(directOrigin(shop))
		if !ok {
			t.Fatal("it cannot be reached")
		}
		if err := c.Reply(t.Context(), listed(t, c, id), question.Answers{{"Red"}}); err != nil {
			t.Fatal(err)
		}
		wait(0)
		got := w.take(event.Replied)
		if _, ok := s.Received(call); !ok || len(got) != 1 || string(got[0].ID) != id || !got[0].Answers.Equal(question.Answers{{"Red"}}) {
			t.Errorf("received %v, told %+v", ok, got)
		}
		if _, ok := w.Agent(session.Origin{Way: session.Link, Process: serverURL, Directory: shop}); ok {
			t.Error("an origin by another way was reached")
		}
	})
}
