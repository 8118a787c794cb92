package opencode

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/opencode/call"
)

// editAsked is a permission ask of ses_b. All of these are of calls that have one id.
func editAsked(id string) string {
	return `{"id":"` + id + `","sessionID":"ses_b","permission":"edit","patterns":["x"],"tool":{"messageID":"msg_1","callID":"call_x"}}`
}

// listing is an OpenCode that lists these permission asks. Nothing is answered of sessions
// that begin with ses_slow; in ses_b, one part stands for all calls of the id call_x.
func listServer(asks ...string) roundTrip {
	const part = `{"info":{"agent":"build"},"parts":[{"type":"tool","callID":"call_x","state":{"status":"running","input":{"filePath":"second"}}}]}`
	return func(r *http.Request) (*http.Response, error) {
		switch {
		case r.URL.Path == "/permission":
			return respond(http.StatusOK, "application/json", strings.NewReader("["+strings.Join(asks, ",")+"]")), nil
		case r.URL.Path == "/session/status":
			return respond(http.StatusOK, "application/json", strings.NewReader(`{"ses_b":{"type":"busy"}}`)), nil
		case r.URL.Path == "/session/ses_b/message":
			return respond(http.StatusOK, "application/json", strings.NewReader("[]")), nil
		case strings.HasPrefix(r.URL.Path, "/session/ses_b/message/"):
			return respond(http.StatusOK, "application/json", strings.NewReader(part)), nil
		}
		return slowly(r)
	}
}

const slowAsk = `{"id":"per_1","sessionID":"ses_slow1","permission":"bash","patterns":["ls"],"tool":{"messageID":"m","callID":"c1"}}`

// A card never shows the input of another call: of two asks that wait and say that they
// are of one call, the second is told without any, whatever a listing does meanwhile.
func TestListing_AskThatSharesItsCallBesideAListing(t *testing.T) {
	for _, c := range []struct {
		name   string
		listed []string
		heard  []string
		pause  time.Duration // behind each that is heard; the listing takes fourteen
		bare   string
	}{
		{"the first is told while it reads", []string{slowAsk}, []string{"per_b", "per_c"}, 20 * time.Second, "per_c"},
		{"both are told while it reads", []string{slowAsk}, []string{"per_b", "per_c"}, time.Second, "per_c"},
		{"the first is in the list", []string{slowAsk, editAsked("per_b")}, []string{"per_c"}, time.Second, "per_b per_c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				told := make(chan event.Event, 100)
				i := newInstance(here, NewClient(call.Endpoint{Transport: listServer(c.listed...), Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{},
					func(e event.Event) { told <- e })
				go func() { _ = i.refresh(t.Context()) }()
				time.Sleep(100 * time.Millisecond)
				for _, id := range c.heard {
					i.hear(t.Context(), frame("permission.asked", editAsked(id)))
					time.Sleep(c.pause)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				for close(told); len(told) > 0; {
					for _, ask := range (<-told).Asks {
						if id := string(ask.Request.ID); strings.Contains(c.bare, id) && ask.Request.Agent != "" {
							t.Errorf("%s is told with the input of a call that is perhaps not its own", id)
						}
					}
				}
			})
		})
	}
}

// An end that comes while a listing tells what waits is told behind it: whoever hears of
// both does not take for open what has ended.
func TestListing_AnEndDoesNotOvertakeTheListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var i *instance
		told := make(chan event.Kind, 10)
		i = newInstance(here, NewClient(call.Endpoint{Transport: listServer(slowAsk), Base: "http://opencode", Directory: proj}, "", 0), &sessionNames{}, func(e event.Event) {
			if e.Kind == event.Opened { // and whoever hears takes its time
				go i.hear(t.Context(), frame("permission.replied", `{"sessionID":"ses_slow1","requestID":"per_1","reply":"once"}`))
				synctest.Wait()
			}
			told <- e.Kind
		})
		if err := i.refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if first, then := <-told, <-told; first != event.Opened || then != event.Replied {
			t.Errorf("told %s, then %s", first, then)
		}
	})
}
