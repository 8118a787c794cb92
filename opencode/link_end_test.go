package opencode

import (
	"net/http"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
)

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

// A call that is under way when the link ends does not wait any longer.
func TestLinkEnd_CallsEndWithTheirLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		p := plug(t, w, s, helloFrom("p1", proj))
		wait(0)
		c, _ := w.Agent(linkOrigin("p1", proj))
		s.SetFault(func(*http.Request) opencodesim.Fault { return opencodesim.Hang })
		defer s.Stop()
		time.AfterFunc(time.Second, func() { p.tell("hermes.closed", "{}") })
		began := time.Now()
		_, err := c.Questions(t.Context())
		wantError(t, err, call.Unreachable, 0)
		if took := time.Since(began); took != time.Second {
			t.Errorf("the call took %v", took)
		}
		wait(0)
		if _, ok := w.Agent(linkOrigin("p1", proj)); ok {
			t.Error("it can still be reached")
		}
	})
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
