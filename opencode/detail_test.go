package opencode

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
)

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
		api     = `{"data":{"agent":"build","content":[{"type":"tool","id":"call_1","state":{"status":"running","input":{"command":"ls"}}}]}}`
	)
	const twice = `{"info":{"agent":"build"},"parts":[{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls"}}},` +
		`{"type":"tool","callID":"call_1","state":{"status":"running","input":{"command":"ls -l"}}}]}`
	parted := leaving1
	parted.Permission = &question.Permission{Kind: "bash", Patterns: []string{"ls", "ls x"}}
	noCall := leaving1
	noCall.Message, noCall.Call = "", ""
	under := leaving1
	under.Protocol = session.Preview
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
		{"under /api", under, []string{api}, true, "build", "ls", 1},
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
