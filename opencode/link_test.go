package opencode

import (
	"reflect"
	"testing"
	"testing/synctest"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
)

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
