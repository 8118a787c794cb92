package opencode

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	"hermes/opencode/wire"
)

// An agent calls tools all the time. That one ended is news only where a question
// waits, and that is until it is settled.
func TestInstance_EndsOfToolCallsWithoutAQuestion(t *testing.T) {
	const ended = `{"type":"message.part.updated","properties":{"part":{"type":"tool","sessionID":"ses_1","state":{"status":"completed"}}}}`
	for _, settled := range []string{"question.replied", "question.rejected"} {
		var told []event.Event
		i := listener(&told)
		for _, raw := range []string{`{"type":"` + settled + `","properties":{"requestID":"que_1"}}`, ended} {
			var e wire.Event
			if err := json.Unmarshal([]byte(raw), &e); err != nil {
				t.Fatal(err)
			}
			i.hear(context.Background(), e)
			i.inOrder.wait()
		}
		if len(told) != 1 || told[0].Kind == event.Touched {
			t.Errorf("after %s: told %+v", settled, told)
		}
	}
}

// Whether an agent waits cannot always be found out. Then it may.
func TestInstance_WhatMayWaitIsTold(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		abort(s, ask(t, s, "", colour))
		s.SetFault(func(r *http.Request) opencodesim.Fault {
			if strings.HasPrefix(r.URL.Path, "/session/ses_") {
				return opencodesim.ServerError
			}
			return opencodesim.NoFault
		})
		w := watchServer(t, s)
		wait(2 * time.Second) // each of the calls that fail is tried three times
		w.wantTold(t, "opened proj Colour", reach...)
	})
}

// Two asks that wait for one call are of two calls with one id: what is read of the one may
// be the other's, so nothing is.
func TestInstance_AsksOfCallsWithOneIDAreNotDetailed(t *testing.T) {
	first, second, next := leaving1, leaving1, leaving1
	second.ID, next.ID, next.Call = "per_2", "per_3", "call_2"
	reads := 0
	there := `{"info":{"agent":"build"},"parts":[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}},` +
		`{"type":"tool","callID":"call_2","state":{"status":"running","input":{"command":"ls"}}}]}`
	client := NewClient(call.Endpoint{Transport: inTurn(&reads, there), Base: "http://opencode"}, "", 0)
	i := newInstance(here, client, &sessionNames{}, func(event.Event) {})
	for _, c := range []struct {
		request question.Request
		others  []question.Request
		agent   string
	}{
		{first, nil, "build"},
		{first, []question.Request{first, next}, "build"},
		{first, []question.Request{first, second}, ""},
		{second, []question.Request{first}, ""},
		{next, []question.Request{first, second}, "build"},
	} {
		if got := i.readCall(t.Context(), c.request, c.others); got.request.Agent != c.agent || got.detailed != (c.agent != "") {
			t.Errorf("%s beside %d: %+v", c.request.ID, len(c.others), got)
		}
	}
}

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
			return respond(http.StatusOK, "application/json", strings.NewReader(`[{"info":{"id":"msg_1","role":"assistant"}}]`)), nil
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
				go func() { _ = i.list(t.Context()) }()
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
		if err := i.list(t.Context()); err != nil {
			t.Fatal(err)
		}
		i.inOrder.wait()
		if first, then := <-told, <-told; first != event.Opened || then != event.Replied {
			t.Errorf("told %s, then %s", first, then)
		}
	})
}

// inTurn answers each GET of a message with the next of these, the last for ever.
func inTurn(seen *int, answers ...string) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		n := min(*seen, len(answers)-1)
		*seen++
		if answers[n] == "404" {
			return respond(http.StatusNotFound, "application/json", strings.NewReader("{}")), nil
		}
		return respond(http.StatusOK, "application/json", strings.NewReader(answers[n])), nil
	}
}

func TestDetails_Detailed(t *testing.T) {
	const (
		empty   = `{"info":{"agent":"build"},"parts":[]}`
		pending = `{"info":{"agent":"build"},"parts":[{"type":"tool","callID":"call_1","state":{"status":"pending","input":{}}}]}`
		there   = `{"info":{"agent":"build"},"parts":[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}}]}`
		old     = `{"info":{"mode":"plan"},"parts":[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}}]}`
	)
	const twice = `{"info":{"agent":"build"},"parts":[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}},` +
		`{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls -l"}}}]}`
	parted := leaving1
	parted.Permission = &question.Permission{Kind: "bash", Patterns: []string{"ls", "ls x"}}
	noCall := leaving1
	noCall.Message, noCall.Call = "", ""
	ask := leaving1
	ask.Permission = nil
	for _, c := range []struct {
		name           string
		request        question.Request
		answers        []string
		ok             bool
		agent, command string
		reads          int
	}{
		{"at once", leaving1, []string{there}, true, "build", "ls", 1},
		{"the message comes later", leaving1, []string{"404", "404", there}, true, "build", "ls", 3},
		{"the part comes later (1.1.53)", leaving1, []string{empty, there}, true, "build", "ls", 2},
		{"the input comes later (1.18.33)", leaving1, []string{pending, pending, old}, true, "plan", "ls", 3},
		{"a tool that takes nothing", leaving1, []string{strings.Replace(there, `{"command":"ls"}`, "{}", 1)}, true, "build", "", 1},
		{"it never comes", leaving1, []string{empty}, false, "", "", detailTries},
		{"no OpenCode answers", leaving1, []string{"no JSON"}, false, "", "", 1},
		{"without a call", noCall, []string{there}, false, "", "", 0},
		{"two calls of one id", leaving1, []string{twice}, false, "", "", 1},
		{"the input of the next call of that id (1.1.53)", parted, []string{strings.Replace(there, `"ls"`, `"rm two"`, 1)}, false, "", "", 1},
		{"the end of the next call of that id (1.1.53)", leaving1, []string{strings.Replace(there, "running", "completed", 1)}, false, "", "", 1},
		{"the error of the next call of that id (1.1.53)", leaving1, []string{strings.Replace(there, "running", "error", 1)}, false, "", "", 1},
		{"more than the parts", parted, []string{strings.Replace(there, `"ls"`, `"cd /srv && FOO=1  ls $HOME  x"`, 1)}, true, "build", "cd /srv && FOO=1  ls $HOME  x", 1},
		{"a question", ask, []string{empty}, true, "build", "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reads := 0
				client := NewClient(call.Endpoint{Transport: inTurn(&reads, c.answers...), Base: "http://opencode"}, "", 0)
				r, ok := client.Detailed(t.Context(), c.request)
				if ok != c.ok || r.Agent != c.agent || reads != c.reads {
					t.Errorf("%v, agent %q after %d reads", ok, r.Agent, reads)
				}
				if r.Permission != nil && r.Permission.Command != c.command {
					t.Errorf("the command is %q", r.Permission.Command)
				}
				if leaving1.Permission.Command != "" {
					t.Error("the ask that was given is changed")
				}
			})
		})
	}
}

// A call is read once, however often its ask is listed.
func TestDetails_CallIsReadOnce(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		id, _ := s.AskBash(proj, "", "make")
		wait(call.Timeout / 10)
		way := &tap{to: s.Transport()}
		var asks [][]event.Ask
		i := newInstance(here, NewClient(call.Endpoint{Transport: way, Base: "http://opencode", Directory: proj}, s.Version(), 0),
			&sessionNames{}, func(e event.Event) { asks = append(asks, e.Asks) })
		for range 3 {
			if err := i.refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		read := 0
		for _, line := range way.seen {
			if strings.Contains(line, "/message/msg_") {
				read++
			}
		}
		if read != 1 || len(asks) != 3 {
			t.Fatalf("the call was read %d times in %d listings", read, len(asks))
		}
		for _, a := range asks {
			if len(a) != 1 || a[0].Request.ID != question.RequestID(id) || a[0].Request.Agent == "" {
				t.Errorf("listed %+v", a)
			}
		}
	})
}
