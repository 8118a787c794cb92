package opencode_test

import (
	"testing"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
)

// permissionFates is what can become of a permission ask, and what is found then.
// Where the versions differ, old is what 1.1.53 shows.
var permissionFates = []struct {
	name      string
	do        func(s *opencodesim.Simulator, id, other, session string)
	want, old event.Finding
}{
	{name: "waits", do: func(*opencodesim.Simulator, string, string, string) {}, want: event.Finding{Kind: event.FoundOpen}},
	{name: "once", do: func(s *opencodesim.Simulator, id, _, _ string) { s.DecideAtTUI(id, "once") }, want: event.Finding{Kind: event.FoundAnswered}},
	{name: "always", do: func(s *opencodesim.Simulator, id, _, _ string) { s.DecideAtTUI(id, "always") }, want: event.Finding{Kind: event.FoundAnswered}},
	{name: "rejected", do: func(s *opencodesim.Simulator, id, _, _ string) { s.DecideAtTUI(id, "reject") }, want: dismissed("")},
	{name: "rejected along", do: func(s *opencodesim.Simulator, _, other, _ string) { s.DecideAtTUI(other, "reject") }, want: dismissed("")},
	{name: "another is allowed", do: func(s *opencodesim.Simulator, _, other, _ string) { s.DecideAtTUI(other, "once") }, want: event.Finding{Kind: event.FoundOpen}},
	{name: "aborted", do: func(s *opencodesim.Simulator, _, _, session string) { s.Abort(session) }, want: event.Finding{Kind: event.FoundStopped}},
	{
		name: "aborted, and allowed too late", want: event.Finding{Kind: event.FoundStopped, Begun: true}, old: event.Finding{Kind: event.FoundForgotten},
		do: func(s *opencodesim.Simulator, id, _, session string) {
			s.Abort(session)
			time.Sleep(time.Second)
			s.DecideAtTUI(id, "once")
		},
	},
	{name: "aborted, and the session asks for something else", want: event.Finding{Kind: event.FoundStopped}, do: func(s *opencodesim.Simulator, _, _, session string) {
		s.Abort(session)
		s.AskBash(proj, session, "make again")
	}},
	{name: "deleted", do: func(s *opencodesim.Simulator, _, _, session string) { s.Delete(session) }, want: event.Finding{Kind: event.FoundDeleted}},
	{name: "restarted", do: func(s *opencodesim.Simulator, _, _, _ string) { s.Restart() }, want: event.Finding{Kind: event.FoundForgotten}},
	{
		name: "disposed", want: event.Finding{Kind: event.FoundStopped, Begun: true}, old: event.Finding{Kind: event.FoundForgotten},
		do: func(s *opencodesim.Simulator, _, _, _ string) { s.Dispose(proj) },
	},
}

func TestLook_AtAPermission(t *testing.T) {
	for _, fate := range permissionFates {
		t.Run(fate.name, func(t *testing.T) {
			bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
				session := s.NewSession(proj, "build")
				id, _ := s.AskBash(proj, session, "make")
				other, _ := s.AskBash(proj, session, "rm -rf x")
				r := permitted(t, s, id)
				fate.do(s, id, other, session)
				wait(time.Second)
				want := fate.want
				if s.Version() == opencodesim.VersionOld && fate.old.Kind != "" {
					want = fate.old
				}
				if got := look(t, s, r); got.Kind != want.Kind || got.Note != want.Note || got.Begun != want.Begun {
					t.Errorf("found %+v, want %+v", got, want)
				}
			})
		})
	}
}

// permitted is a permission ask as OpenCode lists it.
func permitted(t *testing.T, s *opencodesim.Simulator, id string) question.Request {
	t.Helper()
	list, err := clientOf(s).Permissions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.ID == question.RequestID(id) {
			return r
		}
	}
	t.Fatalf("%s is not among the %d that are listed", id, len(list))
	return question.Request{}
}

// What hermes sends is what the agent gets.
func TestLook_DecisionReachesTheAgent(t *testing.T) {
	for name, note := range map[string]string{"rejected": "", "with a note": "use \"make\"\n<b>", "once": "once", "always": "always"} {
		bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
			session := s.NewSession(proj, "build")
			id, _ := s.AskBash(proj, session, "make")
			r, c := permitted(t, s, id), clientOf(s)
			want, err := event.Finding{Kind: event.FoundAnswered}, error(nil)
			if name == note {
				err = c.Reply(t.Context(), r, question.Answers{{note}})
			} else {
				want, err = dismissed(note), c.Reject(t.Context(), r, note)
			}
			wait(time.Second)
			if got := look(t, s, r); err != nil || got.Kind != want.Kind || got.Note != want.Note {
				t.Errorf("%s: found %+v, %v", name, got, err)
			}
		})
	}
}
