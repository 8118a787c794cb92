package opencode

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
	"hermes/opencode/release"
)

// Whoever learns the name of a process does not become it: it is one of the machine that has the token.
func TestLinks_ProcessOf(t *testing.T) {
	const id = "0c7ff0ee-1111-4222-8333-444444444444"
	names := map[string]link.Hello{}
	for _, hello := range []link.Hello{
		{Token: "laptop-7", Process: id}, {Token: "thief", Process: id}, {Process: id}, {Process: "laptop-7/" + id}, {Token: "laptop-7", Process: "thief/" + id},
	} {
		name := processOf(hello)
		if other, taken := names[name]; taken {
			t.Errorf("%+v and %+v are one process", hello, other)
		}
		names[name] = hello
	}
	if got := processOf(link.Hello{Process: id}); got != id {
		t.Errorf("a process that the database knows from before is called %q", got)
	}
}

// Links that poll and never answer a call hold up no listing of others.
func TestLinks_SilentLinksHoldUpNoListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		stop := make(chan struct{})
		for n := range 16 {
			go silent(w.Handler(), fmt.Sprint("silent", n), stop)
		}
		s.Ask(shop, s.NewSession(shop, "Paint the house"), colour)
		plug(t, w, s, helloFrom("p1", shop))
		wait(time.Second)
		w.take()
		wait(10 * time.Minute)
		listed := 0
		for _, e := range w.take(event.Opened) {
			if e.Origin.Process == "p1" {
				listed++
			}
		}
		if listed < 19 {
			t.Errorf("it was listed %d times in ten minutes", listed)
		}
		close(stop)
		w.Close()
		wait(time.Minute)
	})
}

// silent opens a link and takes calls, and answers none.
func silent(hub http.Handler, process string, stop <-chan struct{}) {
	serve := func(method, path, body string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		hub.ServeHTTP(rec, httptest.NewRequest(method, path, strings.NewReader(body)))
		return rec
	}
	raw, _ := json.Marshal(link.Hello{Protocol: link.Protocol, Instance: "i", Process: process, Directory: "/silent", Version: "1.18.33"})
	var opened struct{ Link string }
	_ = json.Unmarshal(serve(http.MethodPost, "/v1/link", string(raw)).Body.Bytes(), &opened)
	for after := 0; ; {
		rec := serve(http.MethodGet, fmt.Sprintf("/v1/link/%s/calls?after=%d", opened.Link, after), "")
		select {
		case <-stop:
			return
		default:
		}
		if rec.Code == http.StatusGone {
			return
		}
		var got struct{ Calls []struct{ ID string } }
		_ = json.Unmarshal(rec.Body.Bytes(), &got)
		for _, c := range got.Calls {
			_, _ = fmt.Sscan(c.ID, &after)
		}
	}
}

func helloFrom(process, directory string) link.Hello {
	return link.Hello{Process: process, Directory: directory, Host: "laptop", PID: 7}
}

func linkOrigin(process, directory string) session.Origin {
	return session.Origin{Way: session.Link, Process: process, Directory: directory, Host: "laptop"}
}

func TestLink_RequestsGoThroughALink(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watch(t, Config{})
		id, call := s.Ask(shop, s.NewSession(shop, "Paint the house"), colour)
		plug(t, w, s, helloFrom("p1", shop))
		wait(0)
		if links, direct := w.Ways(); links != 1 || direct != 0 {
			t.Errorf("ways: %d links, %d servers", links, direct)
		}
		opened := w.take(event.Opened)
		if len(opened) != 1 || opened[0].Origin != linkOrigin("p1", shop) || len(opened[0].Asks) != 1 ||
			opened[0].Asks[0].Place.Title != "Paint the house" {
			t.Fatalf("told %+v", opened)
		}
		c, ok := w.Agent(opened[0].Origin)
		if !ok {
			t.Fatal("it cannot be reached")
		}
		r := opened[0].Asks[0].Request
		if err := c.Reply(t.Context(), r, question.Answers{{"Red"}}); err != nil || string(r.ID) != id {
			t.Fatalf("reply to %s: %v", r.ID, err)
		}
		if got, _ := s.Received(call); !reflect.DeepEqual(got, [][]string{{"Red"}}) {
			t.Errorf("the agent received %q", got)
		}
		if found, err := c.Look(t.Context(), r); err != nil || found.Kind != event.FoundAnswered {
			t.Errorf("found %q, %v", found.Kind, err)
		}
	})
}

func TestLink_TellsWhereItsDirectoryIs(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		w := watch(t, Config{})
		hello := helloFrom("p1", shop)
		hello.Resolved = "/srv/shop"
		plug(t, w, s, hello)
		same := helloFrom("p2", shop)
		same.Resolved = shop
		plug(t, w, s, same)
		wait(0)
		for _, e := range w.take(event.Opened) {
			want := map[string]string{"p1": "/srv/shop"}[e.Origin.Process]
			if e.Origin.Resolved != want {
				t.Errorf("%s: resolved to %q, want %q", e.Origin.Process, e.Origin.Resolved, want)
			}
			if _, ok := w.Agent(e.Origin); !ok {
				t.Errorf("%s cannot be reached", e.Origin.Process)
			}
		}
	})
}

// An aborted turn's request, which the plugin lists too, is not told.
func TestLink_TellsOnlyWhatWaits(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		abort(s, ask(t, s, "", colour))
		w := watch(t, Config{})
		p := plug(t, w, s, helloFrom("p1", proj))
		wait(0)
		w.wantTold(t, "opened proj", reach...)
		s.Ask(proj, "", sizes)
		p.tell("hermes.listed", `{"questions":[]}`)
		wait(0)
		w.wantTold(t, "opened proj Sizes", reach...)
	})
}

func TestLink_EventsComeThroughALink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		p := plug(t, w, s, helloFrom("p1", proj))
		wait(0)
		w.told()
		p.tell("tool.execute.before", `{"tool":"question","sessionID":"ses_1","callID":"call_1","args":{"questions":[{"header":"Colour"}]}}`)
		p.tell("question.asked", `{"id":"que_1","sessionID":"ses_1","questions":[{"header":"Colour"}]}`)
		p.tell("question.replied", `{"requestID":"que_1","sessionID":"ses_1","answers":[["Red"]]}`)
		p.tell("session.idle", `{"sessionID":"ses_1"}`)
		p.tell("session.status", `"not an object"`)
		wait(0)
		w.wantTold(t, "captured proj Colour, asked proj Colour, replied proj, touched proj",
			event.Captured, event.Asked, event.Replied, event.Rejected, event.Touched)
	})
}

// One process has a link for each directory, and may open one anew.
func TestLink_SeveralLinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		s.Ask(shop, "", colour)
		plug(t, w, s, helloFrom("p1", proj))
		wait(0)
		plug(t, w, s, helloFrom("p1", shop))
		wait(0)
		plug(t, w, s, helloFrom("p2", shop))
		wait(0)
		w.wantTold(t, "opened proj, opened shop Colour", reach...)
		plug(t, w, s, helloFrom("p1", shop))
		wait(0)
		w.wantTold(t, "lost shop, opened shop Colour", reach...)
		if links, _ := w.Ways(); links != 3 {
			t.Errorf("%d links are open", links)
		}
		w.Close()
		wait(0)
		if got := w.take(event.Lost); len(got) != 3 {
			t.Errorf("told %+v, want three that are lost", got)
		}
	})
}

func TestLinkEnd_HowALinkEnds(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		host string
		end  func(*plugin, *exec.Cmd)
		want string
	}{
		{"disposed", "laptop", func(p *plugin, _ *exec.Cmd) { p.tell("hermes.closed", "{}") }, "closed proj"},
		{"silent", "laptop", func(p *plugin, _ *exec.Cmd) { close(p.quit) }, "lost proj"},
		{"silent, and its process runs here", host, func(p *plugin, _ *exec.Cmd) { close(p.quit) }, "lost proj"},
		{"silent, and its process here is gone", host, func(p *plugin, c *exec.Cmd) { kill(c); close(p.quit) }, "closed proj"},
		{"silent, and a process of that number here is gone", "laptop", func(p *plugin, c *exec.Cmd) { kill(c); close(p.quit) }, "lost proj"},
	} {
		t.Run(test.name, func(t *testing.T) {
			process := exec.Command("sleep", "600")
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			defer kill(process)
			synctest.Test(t, func(t *testing.T) {
				w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
				hello := helloFrom("p1", proj)
				hello.Host, hello.PID = test.host, process.Process.Pid
				p := plug(t, w, s, hello)
				wait(time.Minute)
				w.told()
				test.end(p, process)
				wait(time.Minute)
				w.wantTold(t, test.want, reach...)
				if links, _ := w.Ways(); links != 0 {
					t.Errorf("%d links are open", links)
				}
			})
		})
	}
}

// kill ends a process for good; it may have ended before.
func kill(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// What the plugin said before its farewell is told before the end, though hermes
// was still asking for what waits.
func TestLinkEnd_TheEndIsToldLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		s.SetFault(func(*http.Request) opencodesim.Fault { return opencodesim.Hang })
		defer s.Stop()
		p := plug(t, w, s, helloFrom("p1", proj))
		wait(time.Second)
		for range 20 {
			p.tell("question.replied", `{"requestID":"que_1","sessionID":"ses_1"}`)
		}
		p.tell("hermes.closed", "{}")
		wait(0)
		got := w.take(event.Replied, event.Closed, event.Lost)
		if len(got) != 21 || got[20].Kind != event.Closed {
			t.Errorf("told %+v", got)
		}
	})
}

// A link that cannot be asked at first is asked again.
func TestLinkEnd_AListingThatFailedIsTriedAgain(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(proj, "", colour)
		s.SetFault(func(*http.Request) opencodesim.Fault { return opencodesim.ServerError })
		w := watch(t, Config{})
		plug(t, w, s, helloFrom("p1", proj))
		wait(time.Second)
		w.wantTold(t, "", reach...)
		s.SetFault(nil)
		wait(5 * time.Second)
		w.wantTold(t, "opened proj Colour", reach...)
	})
}

// plugin plays the plugin inside an OpenCode: it keeps a link, and carries out
// the calls that come over it at a opencodesim.
type plugin struct {
	t    *testing.T
	hub  http.Handler
	sim  *opencodesim.Simulator
	id   string
	dir  string
	from string        // the address that its requests come from
	quit chan struct{} // closed: it polls no more, without a word
	done chan struct{} // closed when it polls no more
}

// plug opens a link and serves it until it ends or the test does.
func plug(t *testing.T, w *watched, s *opencodesim.Simulator, hello link.Hello) *plugin {
	t.Helper()
	return plugFrom(t, w, s, hello, "192.0.2.1:1234")
}

// plugFrom is plug from an address.
func plugFrom(t *testing.T, w *watched, s *opencodesim.Simulator, hello link.Hello, from string) *plugin {
	t.Helper()
	hello.Protocol, hello.Instance, hello.Version = link.Protocol, "instance", cmp.Or(hello.Version, s.Version())
	p := &plugin{t: t, hub: w.Handler(), sim: s, dir: hello.Directory, from: from, quit: make(chan struct{}), done: make(chan struct{})}
	status, answer := p.do(http.MethodPost, "/v1/link", hello)
	var opened struct{ Link string }
	if err := json.Unmarshal(answer, &opened); err != nil || status != http.StatusOK {
		t.Fatalf("open: %d %s", status, answer)
	}
	p.id = opened.Link
	go p.serve()
	t.Cleanup(func() { w.Close(); <-p.done })
	return p
}

func (p *plugin) do(method, path string, body any) (int, []byte) {
	raw, _ := json.Marshal(body)
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, path, strings.NewReader(string(raw)))
	r.RemoteAddr = p.from
	p.hub.ServeHTTP(w, r)
	return w.Code, w.Body.Bytes()
}

func (p *plugin) serve() {
	defer close(p.done)
	after := "0"
	for {
		select {
		case <-p.quit:
			return
		default:
		}
		status, answer := p.do(http.MethodGet, "/v1/link/"+p.id+"/calls?after="+after, nil)
		var got struct{ Calls []carried }
		switch {
		case status == http.StatusNoContent:
		case status != http.StatusOK || json.Unmarshal(answer, &got) != nil:
			return
		}
		for _, call := range got.Calls {
			after = call.ID
			go p.carry(call)
		}
	}
}

// carried is a call on its way to OpenCode.
type carried struct {
	ID, Method, Path string
	Query            map[string]string
	Body             json.RawMessage
}

// carry carries a call out, with the directory that only the plugin knows for sure.
func (p *plugin) carry(call carried) {
	query := url.Values{}
	for name, value := range call.Query {
		query.Set(name, value)
	}
	query.Set("directory", p.dir)
	r := httptest.NewRequest(call.Method, "http://opencode"+call.Path+"?"+query.Encode(), strings.NewReader(string(call.Body)))
	r.Header.Set("Content-Type", "application/json")
	result := map[string]any{"id": call.ID}
	if res, err := p.sim.Transport().RoundTrip(r); err != nil {
		result["error"] = err.Error()
	} else {
		body, _ := io.ReadAll(res.Body)
		result["status"], result["type"], result["body"] = res.StatusCode, res.Header.Get("Content-Type"), string(body)
	}
	p.do(http.MethodPost, "/v1/link/"+p.id+"/results", result)
}

// tell forwards an event with these properties.
func (p *plugin) tell(kind, properties string) {
	p.t.Helper()
	event := json.RawMessage(fmt.Sprintf(`{"type":%q,"properties":%s}`, kind, properties))
	if status, answer := p.do(http.MethodPost, "/v1/link/"+p.id+"/events", map[string]any{"events": []any{event}}); status != http.StatusNoContent {
		p.t.Errorf("event %s: %d %s", kind, status, answer)
	}
}

// dial is a plugin of a newer protocol that tries to open a link.
func dial(t *testing.T, w *watched, directory string) {
	t.Helper()
	dialWith(t, w, 99, directory)
}

func dialWith(t *testing.T, w *watched, protocol int, directory string) {
	t.Helper()
	body := fmt.Sprintf(`{"protocol":%d,"plugin":"9.0.0","process":"p","host":"laptop","directory":%q,"version":"1.18.33"}`, protocol, directory)
	answer := httptest.NewRecorder()
	w.Handler().ServeHTTP(answer, httptest.NewRequest("POST", "/v1/link", strings.NewReader(body)))
	if answer.Code != 426 {
		t.Fatalf("it was answered with %d", answer.Code)
	}
}

func directories(list []link.Hello) string {
	var names []string
	for _, h := range list {
		names = append(names, h.Directory)
	}
	return strings.Join(names, " ")
}

func TestRefused_LinksAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		plug(t, w, s, helloFrom("p1", shop))
		plug(t, w, s, helloFrom("p2", proj))
		wait(0)
		if got := directories(w.Links()); got != proj+" "+shop {
			t.Errorf("listed are %s", got)
		}
		w.Close()
		wait(0)
		if got := directories(w.Links()); got != "" {
			t.Errorf("after the end %s are listed", got)
		}
	})
}

// A plugin of another protocol counts as there while it tries, and until its place is
// taken. The log has it once.
func TestRefused_PluginsAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		w := watch(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
		s := opencodesim.New(opencodesim.Options{})
		for range 4 {
			dial(t, w, shop)
			dial(t, w, proj)
			wait(refusedFor / 2)
		}
		got := w.Refused()
		if directories(got) != proj+" "+shop || got[0].Protocol != 99 || got[0].Plugin != "9.0.0" || got[0].Host != "laptop" {
			t.Errorf("refused are %+v", got)
		}
		if n := strings.Count(log.String(), "its plugin is newer than this hermes; update hermes here"); n != 2 {
			t.Errorf("it is logged %d times", n)
		}
		plug(t, w, s, helloFrom("p1", shop))
		wait(0)
		if got := directories(w.Refused()); got != proj {
			t.Errorf("after one was taken %s are refused", got)
		}
		wait(2 * refusedFor)
		if got := directories(w.Refused()); got != "" {
			t.Errorf("long after %s are refused", got)
		}
	})
}

func TestRefused_PluginsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, Config{})
		for n := range maxRefused + 5 {
			dial(t, w, fmt.Sprintf("/%d", n))
		}
		if n := len(w.Refused()); n != maxRefused {
			t.Errorf("%d are remembered", n)
		}
	})
}

// TestUntested_VersionsAreLoggedOnce: what is not in the range that hermes is tested with is
// told, by either way in, once for each version.
func TestUntested_VersionsAreLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		s := opencodesim.New(opencodesim.Options{})
		w := watch(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil)), Servers: []Server{{URL: serverURL, Transport: s.Transport()}}})
		for n, version := range []string{"1.19.0", "1.19.0", "1.0.185", "2.0.18", release.Oldest, release.Newest} {
			hello := helloFrom("p"+string(rune('0'+n)), proj)
			hello.Version = version
			plug(t, w, s, hello)
			wait(0)
		}
		for text, want := range map[string]int{
			"version that hermes is not tested with":                                 2,
			"version=1.19.0 host=laptop why=\"it is newer than all":                  1,
			"version=1.0.185 host=laptop why=\"it is older than all":                 1,
			"connected to OpenCode\" server=opencode:4096 version=" + release.Newest: 1,
		} {
			if n := strings.Count(log.String(), text); n != want {
				t.Errorf("%q is logged %d times, want %d:\n%s", text, n, want, log.String())
			}
		}
	})
}
