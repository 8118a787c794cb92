package opencode

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	v2 "hermes/opencode/v2"
	"hermes/opencode/wire"
)

// slowly answers nothing to what is asked about a session whose name begins with ses_slow:
// the connection stands, and is silent. All else waits nowhere, and is not there.
var slowly = roundTrip(func(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.Path, "/ses_slow") {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	switch r.URL.Path {
	case "/question", "/permission":
		return respond(http.StatusOK, "application/json", strings.NewReader("[]")), nil
	case "/session/status":
		return respond(http.StatusOK, "application/json", strings.NewReader("{}")), nil
	}
	return respond(http.StatusNotFound, "application/json", strings.NewReader(`{"name":"NotFoundError"}`)), nil
})

// log writes down what an instance tells, each with how long after the begin it came.
type eventLog struct {
	began time.Time
	lines chan string
}

func newEventLog() *eventLog { return &eventLog{time.Now(), make(chan string, 1000)} }

func (l *eventLog) add(e event.Event) {
	name := string(e.Session) + string(e.ID)
	if len(e.Asks) > 0 {
		name = string(e.Asks[0].Request.ID)
	}
	l.lines <- strings.TrimSpace(fmt.Sprint(time.Since(l.began).Round(time.Second), " ", e.Kind, " ", name))
}

func (l *eventLog) all() (list []string) {
	synctest.Wait()
	for len(l.lines) > 0 {
		list = append(list, <-l.lines)
	}
	return list
}

func frame(kind, properties string) wire.Event {
	return wire.Event{Type: kind, Properties: json.RawMessage(properties)}
}

func permissionAsked(id, session string) wire.Event {
	return frame("permission.asked", fmt.Sprintf(
		`{"id":%q,"sessionID":%q,"permission":"bash","patterns":["ls"],"tool":{"messageID":"msg_1","callID":"call_%s"}}`, id, session, id))
}

// What is read about one ask has a time limit, and everything else comes behind it, in its order.
func TestSlow_EverythingComesInItsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newEventLog()
		i := newInstance(here, NewClient(call.Endpoint{Transport: slowly, Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{}, log.add)
		for _, e := range []wire.Event{
			permissionAsked("per_a", "ses_slow"),
			permissionAsked("per_b", "ses_b"),
			frame("permission.replied", `{"sessionID":"ses_slow","requestID":"per_a","reply":"once"}`),
			frame("session.status", `{"sessionID":"ses_slow","status":{"type":"busy"}}`),
			frame("session.idle", `{"sessionID":"ses_b"}`),
			frame("session.error", `{}`), // of none that is known
		} {
			i.hear(t.Context(), e)
		}
		time.Sleep(time.Minute)
		want := []string{
			"4s asked per_a", "5s asked per_b", // its message is not there: it is looked for a while
			"5s replied ses_slowper_a", "5s worked ses_slow", "5s touched ses_b", "5s rested ses_b", "5s touched",
		}
		if got := log.all(); !slices.Equal(got, want) {
			t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// What a listing reads has a time limit. What is heard meanwhile comes behind it.
func TestSlow_ListingHasATimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newEventLog()
		g := NewGateway(Config{Events: log.add, Log: slog.New(slog.DiscardHandler)})
		listing := strings.NewReplacer("\n", "").Replace(`[{"id":"per_1","sessionID":"ses_slow1","permission":"bash","patterns":["ls"],"tool":{"messageID":"m","callID":"c1"}},
{"id":"per_2","sessionID":"ses_slow2","permission":"bash","patterns":["ls"],"tool":{"messageID":"m","callID":"c2"}},
{"id":"per_3","sessionID":"ses_slow3","permission":"bash","patterns":["ls"],"tool":{"messageID":"m","callID":"c3"}}]`)
		way := roundTrip(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/permission" {
				return respond(http.StatusOK, "application/json", strings.NewReader(listing)), nil
			}
			return slowly(r)
		})
		in := &openLink{
			instance: newInstance(here, NewClient(call.Endpoint{Transport: way, Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{}, log.add),
			events:   make(chan wire.Event, 256), end: make(chan event.Kind, 1), done: make(chan struct{}),
		}
		in.ctx, in.stop = context.WithCancel(t.Context())
		go g.links.serve(in)
		in.events <- permissionAsked("per_b", "ses_b")
		synctest.Wait()
		in.events <- frame("permission.replied", `{"sessionID":"ses_slow2","requestID":"per_2","reply":"once"}`)
		time.Sleep(20 * time.Second)
		want := "5s opened per_1, 6s asked per_b, 6s replied ses_slow2per_2"
		if got := strings.Join(log.all(), ", "); got != want {
			t.Errorf("it told %s, want %s", got, want)
		}
		if n := len(in.instance.asks.asks); n != 3 || in.instance.asks.asks["per_2"].request.ID != "" {
			t.Errorf("%d wait", n) // per_b too, which the listing did not find
		}
		in.stop()
		in.end <- event.Lost
		<-in.done
	})
}

// The end of a link comes behind all that was said before it, and without a delay.
func TestSlow_TheEndOfALinkWaitsForNothingThatIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newEventLog()
		g := NewGateway(Config{Events: log.add, Log: slog.New(slog.DiscardHandler)})
		in := &openLink{
			instance: newInstance(here, NewClient(call.Endpoint{Transport: slowly, Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{}, log.add),
			events:   make(chan wire.Event, 256), end: make(chan event.Kind, 1), done: make(chan struct{}),
		}
		in.ctx, in.stop = context.WithCancel(t.Context())
		go g.links.serve(in)
		time.Sleep(time.Second)
		in.events <- permissionAsked("per_a", "ses_slow")
		in.events <- frame("session.status", `{"sessionID":"ses_slow","status":{"type":"busy"}}`)
		synctest.Wait()
		in.events <- permissionAsked("per_b", "ses_slow")
		in.events <- frame("permission.replied", `{"sessionID":"ses_slow","requestID":"per_b","reply":"once"}`)
		in.stop()
		in.end <- event.Closed
		<-in.done
		got := log.all()
		at := func(line string) int { return slices.Index(got, line) }
		asked, worked := at("1s asked per_b"), at("1s worked ses_slow")
		if len(got) != 6 || at("1s asked per_a") < 1 || worked < at("1s asked per_a") || asked < 1 || at("1s replied ses_slowper_b") < max(asked, worked) || got[5] != "1s closed" {
			t.Errorf("told %q", got)
		}
	})
}

// An OpenCode that takes connections and answers nothing delays nothing of another one,
// however the two are reached.
func TestSlow_ASilentOpenCodeDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mute := roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		s, direct := opencodesim.New(opencodesim.Options{}), opencodesim.New(opencodesim.Options{})
		w := watch(t, Config{Servers: []Server{{URL: "http://mute", Transport: mute}, {URL: serverURL, Transport: direct.Transport()}}})
		stop := make(chan struct{})
		go silent(w.Handler(), "mute", stop)
		p := plug(t, w, s, helloFrom("p1", shop))
		wait(2 * time.Second)
		for n := range 10 {
			w.take()
			id := s.NewSession(shop, "Paint")
			p.tell("question.asked", `{"id":"que_`+fmt.Sprint(n)+`","sessionID":"`+id+`","questions":[{"question":"Which?","header":"H","options":[]}]}`)
			direct.Ask(proj, direct.NewSession(proj, "Paint"), colour)
			wait(time.Second)
			if got := len(w.take(event.Asked)); got != 2 {
				t.Errorf("%d of 2 questions came within a second, in round %d", got, n)
			}
			wait(7 * time.Second)
		}
		close(stop)
		w.Close()
		wait(time.Minute)
	})
}

// disposing is what an OpenCode says when it has put an instance away.
var disposing = frame("server.instance.disposed", `{"directory":"`+proj+`"}`)

// Whoever waits while a directory rests also waits for what is disposed meanwhile.
func TestPause_ARestIsOverBehindTheLastDispose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		i := newInstance(here, NewClient(call.Endpoint{Transport: slowly, Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{}, newEventLog().add)
		i.hear(t.Context(), disposing)
		go func() {
			time.Sleep(time.Second)
			i.hear(t.Context(), disposing)
		}()
		if _, err := i.client.Busy(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(began); d != time.Second+disposeGap {
			t.Errorf("it was asked after %v", d)
		}
	})
}

// Of a server, only the directory that was disposed rests, and what is asked without one,
// as that may be of any.
func TestPause_ADirectoryRestsAlone(t *testing.T) {
	for directory, want := range map[string]time.Duration{proj: disposeGap, shop: 0, "": disposeGap} {
		synctest.Test(t, func(t *testing.T) {
			d, began := newDirect(Server{URL: "http://opencode", Transport: slowly}, new(ways)), time.Now()
			newInstance(here, d.clientFor(proj, Identity{}), &sessionNames{}, newEventLog().add).hear(t.Context(), disposing)
			if _, err := d.clientFor(directory, Identity{}).Busy(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := time.Since(began); got != want {
				t.Errorf("%q was asked after %v, want %v", directory, got, want)
			}
		})
	}
}

// While a directory rests, the time for reading a call does not run.
func TestPause_ACallIsReadBehindARest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const empty = `{"info":{"agent":"build"},"parts":[]}`
		reads := 0
		answers := inTurn(&reads, empty, empty, strings.Replace(empty, "[]", `[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}}]`, 1))
		i := newInstance(here, NewClient(call.Endpoint{Transport: answers, Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{}, newEventLog().add)
		i.hear(t.Context(), disposing)
		go func() {
			time.Sleep(disposeGap + detailEvery/2) // it has been read once
			i.hear(t.Context(), disposing)
		}()
		if r, ok := i.client.Detailed(t.Context(), leaving1); !ok || r.Permission.Command != "ls" || reads != 3 {
			t.Errorf("%v, %q after %d reads", ok, r.Permission.Command, reads)
		}
	})
}

// A service that does not say where a session is holds up what else it says for two seconds, once;
// what waits there is listed.
func TestSlow_ALookUpIsCutOffAndWhatWaitsIsListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, began := watch(t, Config{}), time.Now()
		d := newDirect(Server{URL: serverURL, Transport: slowly}, w.ways)
		d.who = Identity{Version: "2.0.26", PID: 7}
		f := d.newFollowedV2()
		say := func(n int, directory string) {
			e := locatedEvent{Type: "session.execution.succeeded", Data: json.RawMessage(fmt.Sprintf(`{"sessionID":"ses_slow%d"}`, n))}
			e.Location.Directory = directory
			f.hear(t.Context(), v2.NewSpeech(w.ways.followed.has), e)
		}
		for n := range 10 {
			say(n, "")
		}
		say(10, proj)
		say(10, "")
		if took := time.Since(began); took != placeTimeout || len(f.wanted) != 1 {
			t.Errorf("it took %v, and %d listings are wanted", took, len(f.wanted))
		}
		wait(0)
		if got := len(w.take(event.Rested)); got != 2 {
			t.Errorf("%d of 2 ends of turns were told", got)
		}
	})
}
