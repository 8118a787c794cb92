package opencode

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
)

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
		askV2(t, updated, sizes)
		wait(time.Minute)
		w.wantTold(t, "opened proj", reach...)
		now.Store(updated)
		old.Stop()
		wait(2 * time.Second)
		w.wantTold(t, "lost proj, opened proj Sizes", reach...)
	})
}

func TestServer_ASilentServerIsLost(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		real, dead := s.Transport(), make(chan struct{})
		w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			res, err := real.RoundTrip(r)
			if err == nil && strings.HasSuffix(r.URL.Path, "/event") {
				res.Body = &deaf{res.Body, r, dead}
			}
			return res, err
		})}}})
		wait(time.Minute)
		w.wantTold(t, "opened proj", reach...)
		close(dead)
		wait(30*time.Second + silence) // one heartbeat may have been on its way
		if got := w.told(reach...); !strings.HasPrefix(got, "lost proj") {
			t.Errorf("told %q", got)
		}
	})
}

// deaf is a stream that brings nothing once its peer is dead.
type deaf struct {
	body interface {
		Read([]byte) (int, error)
		Close() error
	}
	request *http.Request
	dead    chan struct{}
}

func (d *deaf) Close() error { return d.body.Close() }

func (d *deaf) Read(p []byte) (int, error) {
	select {
	case <-d.dead:
		<-d.request.Context().Done()
		return 0, errors.New("closed")
	default:
		return d.body.Read(p)
	}
}

// A dispose forgets what waits. It is a reason to look at every question there.
func TestServer_DisposeTouchesTheDirectory(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watchServer(t, s)
		s.Ask(proj, "", colour)
		wait(time.Second)
		w.told()
		s.Dispose(proj)
		wait(0)
		for _, e := range w.take(event.Touched) {
			if e.Origin == directOrigin(proj) && e.Session == "" {
				return
			}
		}
		t.Error("not told")
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
		if list, err := c.Pending(t.Context()); err != nil || len(list) != 0 {
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
