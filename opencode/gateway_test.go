package opencode

import (
	"net/http"
	"reflect"
	"slices"
	"sync/atomic"
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

// A server can be asked for any directory while it answers; what waits there is then
// listed, and nothing before.
func TestReach(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(shop, "", colour)
		w := watchServer(t, s)
		at := w.Servers()
		if len(at) != 1 || at[0] != directOrigin("") {
			t.Fatalf("the servers are %+v", at)
		}
		w.told()
		if _, ok := w.Reach(session.Origin{Way: session.Link, Process: serverURL, Directory: "/srv/new"}); ok {
			t.Error("a link was reached through a server")
		}
		c, ok := w.Reach(directOrigin("/srv/new"))
		if !ok || c.Endpoint.Directory != "/srv/new" {
			t.Fatalf("reached %v, %v", c, ok)
		}
		wait(time.Minute)
		if _, ok := w.Agent(directOrigin("/srv/new")); !ok {
			t.Error("what was reached is not looked after")
		}
		s.Stop()
		wait(time.Minute)
		if _, ok := w.Reach(directOrigin("/srv/new")); ok || len(w.Servers()) != 0 {
			t.Error("a server that does not answer was reached")
		}
		if len(w.Origins()) != 0 {
			t.Errorf("left: %+v", w.Origins())
		}
	})
}

// On the old version sessions of other projects cannot be read through the
// server's own instance; there only directories that are known are looked into.
func TestDiscovery_OtherDirectoriesAreFoundAtConnect(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(shop, "", colour)
		id, _ := s.Ask("/home/ada/done", "", colour)
		s.AnswerAtTUI(id, [][]string{{"Red"}})
		known := func(server session.Origin) []string {
			if server.Way != session.Direct || server.Process != serverURL {
				t.Errorf("asked for %+v", server)
			}
			return []string{shop}
		}
		w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: s.Transport()}}, KnownDirectories: known})
		wait(2 * time.Second)
		found := w.take(event.Opened)
		if !slices.ContainsFunc(found, func(e event.Event) bool { return e.Origin == directOrigin(shop) && len(e.Asks) == 1 }) {
			t.Errorf("told %+v", found)
		}
		for _, e := range found {
			if e.Origin.Directory == "/home/ada/done" {
				t.Error("a directory where nothing waits was looked into")
			}
		}
	})
}

// The new version lists all sessions, so no directory is opened to look into it.
func TestDiscovery_OpensNoInstances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{})
		s.Ask(shop, "", colour)
		s.NewSession("/home/ada/idle", "Old")
		s.Restart() // forgets all instances
		s.Ask(shop, "", sizes)
		w := watchServer(t, s)
		w.wantTold(t, "opened shop Sizes, opened proj", reach...)
		if got, want := s.Instances(), []string{proj, shop}; !reflect.DeepEqual(got, want) {
			t.Errorf("instances of %q, want %q", got, want)
		}
	})
}

// Aborted and deleted requests stay listed, and wait for nobody.
func TestDiscovery_WhatAnAbortedTurnLeavesIsNotTold(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		abort(s, ask(t, s, "", colour))
		remove(s, ask(t, s, "", colour))
		s.Ask(proj, "", sizes)
		watchServer(t, s).wantTold(t, "opened proj Sizes", reach...)
	})
}

// A question of long ago is not looked for, and "/", which stands for everything
// outside of repositories, never becomes an instance.
func TestDiscovery_LeavesAlone(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(shop, "", colour)
		time.Sleep(usedWithin + time.Hour)
		s.NewSession("/", "Loose")
		s.Restart()
		watchServer(t, s).wantTold(t, "opened proj", reach...)
		if got, want := s.Instances(), []string{proj}; !reflect.DeepEqual(got, want) {
			t.Errorf("instances of %q, want %q", got, want)
		}
	})
}

// rounds notes when a connection is tried: the first of the requests to
// /global/health that follow one another quickly.
type rounds struct {
	to    http.RoundTripper
	began time.Time
	last  time.Time
	at    []time.Duration
}

func (r *rounds) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Path == "/global/health" {
		if r.last.IsZero() || time.Since(r.last) > 200*time.Millisecond {
			r.at = append(r.at, time.Since(r.began).Round(100*time.Millisecond))
		}
		r.last = time.Now()
	}
	return r.to.RoundTrip(req)
}

// The pauses double from a quarter of a second to fifteen seconds; each try takes
// 150 ms, in which it asks three times.
func TestServer_Backoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		way := &rounds{to: nobody, began: time.Now()}
		watch(t, Config{Servers: []Server{{URL: serverURL, Transport: way}}})
		wait(50 * time.Second)
		var want []time.Duration
		at := time.Duration(0)
		for _, pause := range []time.Duration{250, 500, 1000, 2000, 4000, 8000, 15000, 15000} {
			want = append(want, at.Round(100*time.Millisecond))
			at += (pause + 150) * time.Millisecond
		}
		want = append(want, at.Round(100*time.Millisecond))
		if !reflect.DeepEqual(way.at, want) {
			t.Errorf("tried at %v, want %v", way.at, want)
		}
	})
}

// After a connection that has held, the first pause is short again.
func TestServer_ReconnectAfterACut(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Stop()
		w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: s.Transport()}}})
		wait(time.Minute)
		w.wantTold(t, "", reach...)
		s.Start()
		wait(time.Minute)
		w.wantTold(t, "opened proj", reach...)
		for range 3 {
			s.Restart()
			wait(500 * time.Millisecond)
			w.wantTold(t, "lost proj, opened proj", reach...)
			wait(time.Minute)
			w.told()
		}
		if n := s.Listeners(); n != 1 {
			t.Errorf("%d streams are open", n)
		}
	})
}

// A server that listens again may be of another version.
func TestServer_IsUpdated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old, updated := opencodesim.New(opencodesim.Options{Version: opencodesim.VersionOld}), opencodesim.New(opencodesim.Options{})
		var now atomic.Pointer[opencodesim.Simulator]
		now.Store(old)
		w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return now.Load().Transport().RoundTrip(r)
		})}}})
		ask(t, updated, "", sizes)
		wait(time.Minute)
		w.wantTold(t, "opened proj", reach...)
		now.Store(updated)
		old.Stop()
		wait(2 * time.Second)
		w.wantTold(t, "lost proj, opened proj Sizes", reach...)
	})
}

// An instance that is asked something while it is put away can be broken for good. hermes
// lets it be put away, and then hears of the next question.
func TestServer_DisposeIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{DisposeGap: disposeGap})
		w := watchServer(t, s)
		s.Ask(proj, "", colour)
		wait(time.Second)
		c, ok := w.Agent(directOrigin(proj))
		if !ok {
			t.Fatal("the directory is not reached")
		}
		s.Dispose(proj)
		synctest.Wait() // hermes has heard of it, and looks
		if list, _, err := c.Pending(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("%d questions are listed, %v", len(list), err)
		}
		w.take()
		s.Ask(proj, "", colour)
		wait(time.Second)
		if got := w.take(event.Asked); len(got) == 0 {
			t.Error("the next question was not told")
		}
	})
}

// A listening server decodes the directory of a call twice.
func TestServer_DirectoryWithPercent(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		d := newDirect(Server{URL: "http://opencode", Transport: s.Transport()}, new(ways))
		c := d.clientFor("/home/ada/100%20done", Identity{Version: s.Version()})
		id, call := s.Ask(c.Endpoint.Directory, "", colour)
		if err := c.Reply(t.Context(), listed(t, c, id), question.Answers{{"Red"}}); err != nil {
			t.Error(err)
		}
		if _, ok := s.Received(call); !ok {
			t.Error("the agent received nothing")
		}
	})
}
