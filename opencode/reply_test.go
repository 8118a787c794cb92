package opencode

import (
	"reflect"
	"testing"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
)

func TestReply_ToTheLetter(t *testing.T) {
	two := []question.Item{{}, {}}
	for _, test := range []struct {
		name    string
		request question.Request
		answers question.Answers
		want    string
	}{
		{
			"one label",
			question.Request{ID: "que_1", Session: "ses_1", Items: two[:1]},
			question.Answers{{" Blue, \"dark\" "}},
			`POST http://opencode/question/que_1/reply?directory=%2Fhome%2Fada%2Fproj application/json {"answers":[[" Blue, \"dark\" "]]}`,
		},
		{
			"lists, not null",
			question.Request{ID: "que_1", Items: two},
			question.Answers{nil},
			`POST http://opencode/question/que_1/reply?directory=%2Fhome%2Fada%2Fproj application/json {"answers":[[],[]]}`,
		},
		{
			"an id that is no id",
			question.Request{ID: "../x?y", Items: two[:1]},
			question.Answers{{"a"}},
			`POST http://opencode/question/..%2Fx%3Fy/reply?directory=%2Fhome%2Fada%2Fproj application/json {"answers":[["a"]]}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			way := &tap{to: pages{}}
			c := NewClient(call.Endpoint{Transport: way, Base: "http://opencode", Directory: proj}, "", 0)
			if err := c.Reply(t.Context(), test.request, test.answers); !call.IsNotFound(err) {
				t.Errorf("error %v", err)
			}
			if len(way.seen) != 1 || way.seen[0] != test.want {
				t.Errorf("sent\n%q, want\n%q", way.seen, test.want)
			}
		})
	}
}

func TestReply_RejectToTheLetter(t *testing.T) {
	way := &tap{to: pages{"/question/que_1/reject": "true"}}
	c := NewClient(call.Endpoint{Transport: way, Base: "http://opencode"}, "", 0)
	if err := c.Reject(t.Context(), question.Request{ID: "que_1", Session: "ses_1", Protocol: session.V1}, ""); err != nil {
		t.Error(err)
	}
	want := []string{"POST http://opencode/question/que_1/reject"}
	if !reflect.DeepEqual(way.seen, want) {
		t.Errorf("sent %q, want %q", way.seen, want)
	}
}

// The old version answers 200 to a reply that does nothing.
func TestReply_ToWhatIsGone(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c, r := clientOf(s), ask(t, s, "", colour)
		answerRed(s, r)
		for _, err := range []error{
			c.Reply(t.Context(), r, question.Answers{{"Blue"}}), c.Reject(t.Context(), r, ""),
		} {
			if got, want := call.IsNotFound(err), s.Version() == opencodesim.VersionNew; got != want || !got && err != nil {
				t.Errorf("error %v", err)
			}
		}
		if got, _ := s.Received(string(r.Call)); s.Replies(string(r.ID)) != 1 || !reflect.DeepEqual(got, [][]string{{"Red"}}) {
			t.Errorf("the agent received %q", got)
		}
	})
}

// A request lives in one directory; one that differs in a byte is another. What
// a space, a plus sign or an ampersand means in an address must not matter.
func TestReply_InAnOddDirectory(t *testing.T) {
	for _, directory := range []string{"/home/ada/a b+c&d=e#f?g", "/home/ada/søk/日本", "/home/ada/proj;x", "/home/ada/50% off"} {
		bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
			c := clientOf(s)
			c.Endpoint.Directory = directory
			id, call := s.Ask(directory, "", colour)
			if err := c.Reply(t.Context(), listed(t, c, id), question.Answers{{"Red"}}); err != nil {
				t.Errorf("%s: %v", directory, err)
			}
			if _, ok := s.Received(call); !ok {
				t.Errorf("%s: the agent received nothing", directory)
			}
		})
	}
}
