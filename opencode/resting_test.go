package opencode

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
)

const localURL = "http://127.0.0.1:4096"

var hermesPlugin = []string{"file:///home/ada/.config/opencode/plugin/hermes.js"}

// plugged is a server on this machine that has hermes' plugin.
func plugged(t *testing.T) (*opencodesim.Simulator, *watched) {
	t.Helper()
	s := opencodesim.New(opencodesim.Options{Plugins: hermesPlugin})
	return s, watch(t, Config{Servers: []Server{{URL: localURL, Transport: s.Transport()}}})
}

// toldBy are the ways by which something was told, in order.
func (w *watched) toldBy(kinds ...event.Kind) (list []session.Way) {
	for _, e := range w.take(kinds...) {
		if len(e.Asks) > 0 || e.Kind == event.Lost || e.Kind == event.Closed {
			list = append(list, e.Origin.Way)
		}
	}
	return list
}

func (w *watched) wantWays(t *testing.T, want ...session.Way) {
	t.Helper()
	got := w.toldBy(event.Opened, event.Asked)
	for _, way := range got {
		if len(want) != 1 || way != want[0] {
			t.Errorf("it was told by %q, want %q alone", got, want)
			return
		}
	}
	if len(got) == 0 && len(want) > 0 {
		t.Errorf("it was told by nobody, want %q", want)
	}
}

// What a server with the plugin asks is told by the plugin's link alone, also where hermes begins after the ask and
// the server is heard first. Once the link is gone for good, the server tells it.
func TestRests_LinkSpeaksForItsProcess(t *testing.T) {
	for name, url := range map[string]string{"says where it listens": "http://localhost:4096/", "an older plugin": ""} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, w := plugged(t)
				s.Ask(proj, "", colour)
				wait(10 * time.Second)
				w.wantWays(t)
				hello := helloFrom("p1", proj)
				hello.URL = url
				p := plugFrom(t, w, s, hello, "127.0.0.1:50000")
				wait(time.Second)
				w.wantWays(t, session.Link)
				s.Ask(proj, "", sizes)
				p.tell("hermes.listed", "{}")
				wait(time.Minute)
				w.wantWays(t, session.Link)
				close(p.quit)
				wait(2 * time.Minute)
				w.wantWays(t, session.Direct)
			})
		})
	}
}

// A link brings no other server to rest: none without the plugin, and none from elsewhere, of elsewhere or in another directory.
func TestRests_LinkCannotSilenceAnother(t *testing.T) {
	for name, alter := range map[string]func(*link.Hello, *opencodesim.Options, *string){
		"a server without the plugin": func(_ *link.Hello, o *opencodesim.Options, _ *string) { o.Plugins = nil },
		"another file": func(_ *link.Hello, o *opencodesim.Options, _ *string) {
			o.Plugins = []string{"hermes.js", "file:///x/nohermes.js"}
		},
		"a process that listens apart":   func(h *link.Hello, _ *opencodesim.Options, _ *string) { h.URL = "http://127.0.0.1:4097" },
		"a process that listens nowhere": func(h *link.Hello, _ *opencodesim.Options, _ *string) { h.URL, h.Plugin = "", "1.8.0" },
		"another machine":                func(h *link.Hello, _ *opencodesim.Options, _ *string) { h.Host = "192.0.2.7" },
		"another directory":              func(h *link.Hello, _ *opencodesim.Options, _ *string) { h.Directory = shop },
		"a server elsewhere":             func(_ *link.Hello, _ *opencodesim.Options, at *string) { *at = "http://nas:4096" },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := opencodesim.Options{Plugins: hermesPlugin}
				hello, at := helloFrom("p1", proj), localURL
				hello.URL = localURL
				alter(&hello, &o, &at)
				s := opencodesim.New(o)
				w := watch(t, Config{Servers: []Server{{URL: at, Transport: s.Transport()}}})
				other := opencodesim.New(opencodesim.Options{})
				if hello.Host == "192.0.2.7" {
					plug(t, w, other, hello)
				} else {
					plugFrom(t, w, other, hello, "127.0.0.1:50000")
				}
				wait(time.Second)
				s.Ask(proj, "", colour)
				wait(time.Minute)
				w.wantWays(t, session.Direct)
			})
		})
	}
}

// A question that the server told stays the server's until it has ended, though the plugin comes late.
func TestRests_NotWhileItsOwnQuestionWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := plugged(t)
		id, _ := s.Ask(proj, "", colour)
		wait(time.Minute)
		w.wantWays(t, session.Direct)
		plugFrom(t, w, s, helloFrom("p1", proj), "127.0.0.1:50000")
		wait(time.Minute)
		o := session.Origin{Way: session.Direct, Process: localURL, Directory: proj}
		if _, ok := w.Agent(o); !ok {
			t.Error("the server cannot be reached, though its question waits")
		}
		s.AnswerAtTUI(id, [][]string{{"Red"}})
		s.Ask(proj, "", sizes)
		wait(time.Minute)
		if _, ok := w.Agent(o); ok {
			t.Error("the server does not rest")
		}
	})
}

// A link speaks for no server elsewhere, so that none is waited for.
func TestRests_ServerElsewhereWaitsForNoLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{Plugins: hermesPlugin})
		w := watch(t, Config{Servers: []Server{{URL: "http://nas:4096", Transport: s.Transport()}}})
		wait(time.Second)
		s.Ask(proj, "", colour)
		wait(time.Second)
		w.wantWays(t, session.Direct)
	})
}

// A link that is lost and comes back in time is waited for, however long it was there.
func TestRests_LinkThatFlaps(t *testing.T) {
	for before := range 16 {
		synctest.Test(t, func(t *testing.T) {
			s, w := plugged(t)
			wait(3 * time.Second)
			p := plugFrom(t, w, s, helloFrom("p1", proj), "127.0.0.1:50000")
			wait(time.Minute + time.Duration(before)*time.Second)
			close(p.quit)
			for w.links.count() > 0 {
				wait(100 * time.Millisecond)
			}
			wait(8 * time.Second)
			s.Ask(proj, "", colour)
			wait(3 * time.Second)
			plugFrom(t, w, s, helloFrom("p1", proj), "127.0.0.1:50000")
			wait(time.Minute)
			w.wantWays(t, session.Link)
		})
	}
}

// A plugin whose link does not come delays a question by some 15 s, also where the server says something else first.
func TestRests_LinkThatDoesNotCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := plugged(t)
		wait(time.Minute)
		s.Ask(shop, "", colour)
		wait(linkWithin + time.Millisecond)
		s.NewSession(shop, "Other")
		wait(lookEvery)
		w.wantWays(t, session.Direct)
	})
}

// A server that does not answer at once whether it has the plugin is asked again.
func TestRests_ServerThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{Plugins: hermesPlugin})
		began := time.Now()
		w := watch(t, Config{Servers: []Server{{URL: localURL, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/config" && time.Since(began) < 8*time.Second {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return s.Transport().RoundTrip(r)
		})}}})
		wait(time.Minute)
		plugFrom(t, w, s, helloFrom("p1", proj), "127.0.0.1:50000")
		wait(time.Second)
		s.Ask(proj, "", colour)
		wait(time.Minute)
		if _, ok := w.Agent(session.Origin{Way: session.Direct, Process: localURL, Directory: proj}); ok {
			t.Error("the server does not rest")
		}
	})
}

// Where a question of the server was waiting when hermes began, the server rests once that has ended.
func TestRests_BehindAnEarlierQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{Plugins: hermesPlugin})
		id, _ := s.Ask(proj, "", colour)
		known := func(session.Origin) []string { return []string{proj} }
		w := watch(t, Config{Servers: []Server{{URL: localURL, Transport: s.Transport()}}, KnownDirectories: known})
		p := plugFrom(t, w, s, helloFrom("p1", proj), "127.0.0.1:50000")
		wait(time.Minute)
		if !slices.Contains(w.toldBy(event.Opened), session.Direct) {
			t.Error("the server does not speak for its question")
		}
		s.AnswerAtTUI(id, [][]string{{"Red"}})
		wait(time.Minute)
		w.toldBy(event.Opened)
		s.Ask(proj, "", sizes)
		p.tell("hermes.listed", "{}")
		wait(time.Minute)
		w.wantWays(t, session.Link)
	})
}

// An instance that is put away wakes no direct connection that rests.
func TestRests_Disposed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := plugged(t)
		wait(3 * time.Second)
		plugFrom(t, w, s, helloFrom("p1", proj), "127.0.0.1:50000")
		wait(time.Minute)
		s.Dispose(proj)
		wait(time.Second)
		if _, ok := w.Agent(session.Origin{Way: session.Direct, Process: localURL, Directory: proj}); ok {
			t.Error("the server does not rest")
		}
	})
}
