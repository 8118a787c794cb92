package opencode

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode/call"
)

// elicited is the only form that waits at a stand-in of OpenCode 2, and what its server gets.
func elicited(t *testing.T, pattern string) (*Client, question.Request, <-chan map[string]any) {
	t.Helper()
	s := opencode2sim.New(opencode2sim.Options{})
	t.Cleanup(s.Stop)
	c := NewClient(call.Endpoint{Transport: s.Transport(), Base: "http://opencode", Directory: proj, Username: "opencode", Password: "secret"}, "2.0.0", 0)
	_, reply := s.Elicit(proj, "shop", opencode2sim.Elicited{Fields: []map[string]any{{"key": "code", "type": "string", "required": true, "pattern": pattern}}})
	list, err := c.Questions(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d wait, %v", len(list), err)
	}
	return c, list[0], reply
}

// What the server does not take is told apart from every other failure, with its words, which no log gets. The form waits on.
func TestReply_RefusedForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r, _ := elicited(t, "^[0-9]+$")
		err := c.Reply(t.Context(), r, question.Answers{{"é"}})
		var refused *question.RefusedAnswers
		if !errors.As(err, &refused) || !strings.Contains(refused.Message, "pattern: code") {
			t.Errorf("it says %v", err)
		}
		if f, err := c.Look(t.Context(), r); f.Kind != event.FoundOpen || err != nil {
			t.Errorf("it is %+v, %v", f, err)
		}
		if err := c.Reply(t.Context(), r, question.Answers{{"7"}}); err != nil {
			t.Error(err)
		}
	})
}

// A form that somebody else has cancelled was declined: it is of no turn that could have been stopped.
func TestLook_CancelledForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r, reply := elicited(t, "")
		if err := c.Reject(t.Context(), r, ""); err != nil {
			t.Fatal(err)
		}
		if got := <-reply; got["action"] != "cancel" {
			t.Errorf("the server got %v", got)
		}
		if f, err := c.Look(t.Context(), r); f.Kind != event.FoundDismissed || err != nil {
			t.Errorf("it is %+v, %v", f, err)
		}
		r.ID = "frm_unknown"
		if f, err := c.Look(t.Context(), r); f.Kind != event.FoundGone || err != nil {
			t.Errorf("what is gone is %+v, %v", f, err)
		}
	})
}

// bothShapes runs a test with each shape of OpenCode 2, in a bubble of its own.
func bothShapes(t *testing.T, test func(t *testing.T, s *opencode2sim.Simulator, release bool)) {
	t.Helper()
	for name, shape := range map[string]opencode2sim.Shape{"preview": opencode2sim.Preview, "release": opencode2sim.Release} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := opencode2sim.New(opencode2sim.Options{Shape: shape})
				defer s.Stop()
				test(t, s, shape == opencode2sim.Release)
			})
		})
	}
}

// secondOf reaches a simulator of OpenCode 2 in proj.
func secondOf(s *opencode2sim.Simulator) *Client {
	return NewClient(call.Endpoint{
		Transport: s.Transport(), Base: "http://opencode", Directory: proj, Username: "opencode", Password: "secret", Routes: new(call.Routes),
	}, s.Version(), 0)
}

// waiting is the only ask that waits.
func waiting(t *testing.T, c *Client) question.Request {
	t.Helper()
	list, _, err := c.Pending(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d wait, %v", len(list), err)
	}
	return list[0]
}

var shade = opencode2sim.Question{Question: "Which colour?", Header: "Colour", Options: []opencode2sim.Option{{Label: "Red"}, {Label: "Blue"}}}

// formFate is something that happens to a question, and what is found then.
type formFate struct {
	happens          func(t *testing.T, s *opencode2sim.Simulator, c *Client, r question.Request)
	preview, release event.FindingKind
}

func formFates() map[string]formFate {
	both := func(kind event.FindingKind, happens func(s *opencode2sim.Simulator, r question.Request)) formFate {
		return formFate{func(_ *testing.T, s *opencode2sim.Simulator, _ *Client, r question.Request) { happens(s, r) }, kind, kind}
	}
	answers := func(s *opencode2sim.Simulator, r question.Request) { s.AnswerAtTUI(string(r.ID), [][]string{{"Blue"}}) }
	dismisses := func(s *opencode2sim.Simulator, r question.Request) { s.RejectAtTUI(string(r.ID)) }
	later := func(first func(*opencode2sim.Simulator, question.Request)) func(*opencode2sim.Simulator, question.Request) {
		return func(s *opencode2sim.Simulator, r question.Request) { first(s, r); time.Sleep(time.Hour) }
	}
	dismissed := both(event.FoundCancelled, dismisses)
	dismissed.release = event.FoundDismissed
	longAgo := both(event.FoundCancelled, later(dismisses))
	longAgo.release = event.FoundDismissed
	return map[string]formFate{
		"waits":                 both(event.FoundOpen, func(*opencode2sim.Simulator, question.Request) {}),
		"waits for hours":       both(event.FoundOpen, later(func(*opencode2sim.Simulator, question.Request) {})),
		"answered":              both(event.FoundAnswered, answers),
		"answered an hour ago":  both(event.FoundAnswered, later(answers)),
		"dismissed":             dismissed,
		"dismissed an hour ago": longAgo,
		"interrupted":           both(event.FoundCancelled, func(s *opencode2sim.Simulator, r question.Request) { s.Abort(string(r.Session)) }),
		"deleted":               both(event.FoundDeleted, func(s *opencode2sim.Simulator, r question.Request) { s.Delete(string(r.Session)) }),
		"restarted":             both(event.FoundForgotten, func(s *opencode2sim.Simulator, _ question.Request) { s.Restart() }),
		"killed":                both(event.FoundForgotten, func(s *opencode2sim.Simulator, _ question.Request) { s.Kill(); s.Start() }),
		"answered here": {func(t *testing.T, _ *opencode2sim.Simulator, c *Client, r question.Request) {
			if err := c.Reply(t.Context(), r, question.Answers{{"Blue"}}); err != nil {
				t.Error(err)
			}
		}, event.FoundAnswered, event.FoundAnswered},
		"dismissed here": {func(t *testing.T, _ *opencode2sim.Simulator, c *Client, r question.Request) {
			if err := c.Reject(t.Context(), r, ""); err != nil {
				t.Error(err)
			}
		}, event.FoundCancelled, event.FoundDismissed},
	}
}

// What became of a question of OpenCode 2, whatever that was.
func TestLookForms_Question(t *testing.T) {
	for name, fate := range formFates() {
		t.Run(name, func(t *testing.T) {
			bothShapes(t, func(t *testing.T, s *opencode2sim.Simulator, release bool) {
				s.Ask(proj, "", shade)
				c := secondOf(s)
				r := waiting(t, c)
				fate.happens(t, s, c, r)
				synctest.Wait()
				want := event.Finding{Kind: fate.preview, WentOn: name == "restarted" && !release} // an opencode serve of the release does not
				if release {
					want.Kind = fate.release
				}
				if want.Kind == event.FoundAnswered {
					want.Answers = question.Answers{{"Blue"}}
				}
				if got, err := c.Look(t.Context(), r); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("found %+v, %v; want %+v", got, err, want)
				}
			})
		})
	}
}

// A question was dismissed so long ago that what followed it is not among the last messages: that
// the agent wrote the first of those proves no restart.
func TestLookForms_DismissedManyMessagesAgo(t *testing.T) {
	bothShapes(t, func(t *testing.T, s *opencode2sim.Simulator, release bool) {
		form, _ := s.Ask(proj, "", shade)
		c := secondOf(s)
		r := waiting(t, c)
		s.RejectAtTUI(form)
		synctest.Wait()
		for range 10 {
			s.Say(string(r.Session), "Done.")
		}
		last, _ := s.Ask(proj, string(r.Session), shade)
		s.AnswerAtTUI(last, [][]string{{"Blue"}})
		time.Sleep(time.Hour)
		want := event.FoundCancelled
		if release {
			want = event.FoundDismissed
		}
		if got, err := c.Look(t.Context(), r); got.Kind != want || err != nil {
			t.Errorf("found %+v, %v; want %s", got, err, want)
		}
	})
}

// One of two questions of a step is dismissed: that is known before the other one is settled,
// which still waits.
func TestLookForms_OneOfTwo(t *testing.T) {
	bothShapes(t, func(t *testing.T, s *opencode2sim.Simulator, _ bool) {
		first, _ := s.Ask(proj, "", shade)
		c := secondOf(s)
		r := waiting(t, c)
		second, _ := s.Ask(proj, string(r.Session), shade)
		s.RejectAtTUI(first)
		synctest.Wait()
		found, err := c.Look(t.Context(), r)
		if found.Kind != event.FoundCancelled && found.Kind != event.FoundDismissed || err != nil {
			t.Errorf("the one is %+v, %v", found, err)
		}
		if other := waiting(t, c); other.ID != question.RequestID(second) {
			t.Errorf("there waits %+v", other)
		}
	})
}

// What became of a permission of OpenCode 2. On the preview a refusal and an interrupt leave the same call.
func TestLookForms_Permission(t *testing.T) {
	for name, fate := range map[string]struct {
		happens func(s *opencode2sim.Simulator, r question.Request)
		want    event.Finding
	}{
		"waits":       {func(*opencode2sim.Simulator, question.Request) {}, event.Finding{Kind: event.FoundOpen}},
		"granted":     {func(s *opencode2sim.Simulator, r question.Request) { s.DecideAtTUI(string(r.ID), "once") }, event.Finding{Kind: event.FoundAnswered}},
		"refused":     {func(s *opencode2sim.Simulator, r question.Request) { s.DecideAtTUI(string(r.ID), "reject") }, event.Finding{Kind: event.FoundCancelled, Begun: true}},
		"interrupted": {func(s *opencode2sim.Simulator, r question.Request) { s.Abort(string(r.Session)) }, event.Finding{Kind: event.FoundCancelled, Begun: true}},
		"deleted":     {func(s *opencode2sim.Simulator, r question.Request) { s.Delete(string(r.Session)) }, event.Finding{Kind: event.FoundDeleted}},
		"restarted":   {func(s *opencode2sim.Simulator, _ question.Request) { s.Restart() }, event.Finding{Kind: event.FoundForgotten}},
		"killed":      {func(s *opencode2sim.Simulator, _ question.Request) { s.Kill(); s.Start() }, event.Finding{Kind: event.FoundForgotten}},
	} {
		t.Run(name, func(t *testing.T) {
			bothShapes(t, func(t *testing.T, s *opencode2sim.Simulator, release bool) {
				s.AskBash(proj, "", "make")
				c := secondOf(s)
				r := waiting(t, c)
				fate.happens(s, r)
				synctest.Wait()
				want := fate.want
				want.WentOn = name == "restarted" && !release // an opencode serve of the release does not
				if name == "refused" && release {
					want = event.Finding{Kind: event.FoundDismissed} // its call says so
				}
				if got, err := c.Look(t.Context(), r); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("found %+v, %v; want %+v", got, err, want)
				}
			})
		})
	}
}

// A form of an MCP server is of no session: none was deleted or stopped when it is gone.
func TestLookForms_Elicitation(t *testing.T) {
	bothShapes(t, func(t *testing.T, s *opencode2sim.Simulator, _ bool) {
		form, _ := s.Elicit(proj, "shop", opencode2sim.Elicited{})
		r := question.Request{ID: question.RequestID(form), Protocol: session.V2, Session: "global", Items: []question.Item{{ID: "n"}}}
		c := secondOf(s)
		for _, want := range []event.FindingKind{event.FoundOpen, event.FoundDismissed, event.FoundGone} {
			if got, err := c.Look(t.Context(), r); got.Kind != want || err != nil {
				t.Errorf("found %+v, %v; want %s", got, err, want)
			}
			s.RejectAtTUI(form)
			if want == event.FoundDismissed {
				time.Sleep(time.Hour)
			}
		}
	})
}

// Only the plugin of 1.x tells of calls that have no ask yet.
func TestLookForms_WithoutAnID(t *testing.T) {
	bothShapes(t, func(t *testing.T, s *opencode2sim.Simulator, _ bool) {
		s.Ask(proj, "", shade)
		c := secondOf(s)
		r := waiting(t, c)
		r.ID = ""
		if got, err := c.Look(t.Context(), r); got.Kind != event.FoundForgotten || err != nil {
			t.Errorf("found %+v, %v", got, err)
		}
	})
}

// An OpenCode that cannot be asked proves nothing.
func TestLookForms_Unreachable(t *testing.T) {
	bothShapes(t, func(t *testing.T, s *opencode2sim.Simulator, _ bool) {
		s.Ask(proj, "", shade)
		c := secondOf(s)
		r := waiting(t, c)
		s.Stop()
		if got, err := c.Look(t.Context(), r); err == nil {
			t.Errorf("found %+v", got)
		}
		s.Start()
		s.Closing()
		if got, err := c.Look(t.Context(), r); err == nil {
			t.Errorf("while it closes: found %+v", got)
		}
	})
}

// What is shown of a permission is read from its call: the whole shell command, of which the release names the parts alone,
// and no cd, and who asks.
func TestDetailForms(t *testing.T) {
	const line = "cd /etc && make 'all' > /dev/null;\n sudo rm -rf *"
	bothShapes(t, func(t *testing.T, s *opencode2sim.Simulator, release bool) {
		s.AskBash(proj, "", line)
		c := secondOf(s)
		r := waiting(t, c)
		if release && !slices.Equal(r.Permission.Patterns, []string{"make 'all' > /dev/null", "sudo rm -rf *"}) {
			t.Errorf("it asks for %q", r.Permission.Patterns)
		}
		full, ok := c.Detailed(t.Context(), r)
		if !ok || full.Agent != "build" || full.Permission.Command != line {
			t.Errorf("it is %+v, %v", full, ok)
		}
	})
}
