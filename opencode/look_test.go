package opencode_test

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim"
)

// look looks at a request, which must not fail.
func look(t *testing.T, s *opencodesim.Simulator, r question.Request) event.Finding {
	t.Helper()
	found, err := clientOf(s).Look(t.Context(), r)
	if err != nil {
		t.Fatalf("look: %v", err)
	}
	return found
}

// fates is what can become of a request, and what is found then. Where the
// versions differ, old is what 1.1.53 shows.
var fates = []struct {
	name string
	do   func(s *opencodesim.Simulator, r question.Request)
	want event.FindingKind
	old  event.FindingKind
}{
	{name: "waits", do: func(*opencodesim.Simulator, question.Request) {}, want: event.FoundOpen},
	{name: "waits beside another", want: event.FoundOpen, do: func(s *opencodesim.Simulator, r question.Request) {
		s.Ask(proj, string(r.Session), sizes)
	}},
	{name: "answered", do: answerRed, want: event.FoundAnswered},
	{name: "answered, and the session asks on", want: event.FoundAnswered, do: func(s *opencodesim.Simulator, r question.Request) {
		answerRed(s, r)
		s.Ask(proj, string(r.Session), sizes)
	}},
	{name: "answered before a restart", want: event.FoundAnswered, do: func(s *opencodesim.Simulator, r question.Request) {
		answerRed(s, r)
		s.Restart()
	}},
	{name: "dismissed", do: dismiss, want: event.FoundDismissed},
	{name: "aborted", do: abort, want: event.FoundStopped},
	{name: "aborted, and what is left of it answered", want: event.FoundStopped, do: func(s *opencodesim.Simulator, r question.Request) {
		abort(s, r)
		answerRed(s, r)
	}},
	{name: "aborted, and the session works on something else", want: event.FoundStopped, do: func(s *opencodesim.Simulator, r question.Request) {
		abort(s, r)
		s.Ask(proj, string(r.Session), sizes)
	}},
	{name: "deleted", do: remove, want: event.FoundDeleted},
	{name: "deleted, and what is left of it answered", want: event.FoundDeleted, do: func(s *opencodesim.Simulator, r question.Request) {
		remove(s, r)
		answerRed(s, r)
	}},
	{name: "deleted after the answer", want: event.FoundDeleted, do: func(s *opencodesim.Simulator, r question.Request) {
		answerRed(s, r)
		remove(s, r)
	}},
	{name: "restarted", want: event.FoundForgotten, do: func(s *opencodesim.Simulator, _ question.Request) { s.Restart() }},
	{
		name: "disposed", want: event.FoundStopped, old: event.FoundForgotten,
		do: func(s *opencodesim.Simulator, _ question.Request) { s.Dispose(proj) },
	},
}

func answerRed(s *opencodesim.Simulator, r question.Request) {
	s.AnswerAtTUI(string(r.ID), [][]string{{"Red"}})
}
func dismiss(s *opencodesim.Simulator, r question.Request) { s.RejectAtTUI(string(r.ID)) }
func abort(s *opencodesim.Simulator, r question.Request)   { s.Abort(string(r.Session)) }
func remove(s *opencodesim.Simulator, r question.Request)  { s.Delete(string(r.Session)) }

func TestLook(t *testing.T) {
	for _, fate := range fates {
		t.Run(fate.name, func(t *testing.T) {
			bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
				r := ask(t, s, "", colour)
				fate.do(s, r)
				want := fate.want
				if s.Version() == opencodesim.VersionOld && fate.old != "" {
					want = fate.old
				}
				if got := look(t, s, r); got.Kind != want {
					t.Errorf("found %q, want %q", got.Kind, want)
				}
			})
		})
	}
}

func TestLook_TellsTheAnswersToTheLetter(t *testing.T) {
	for _, answers := range [][][]string{
		{{" Blue, \"dark\" "}, {"S", "L"}},
		{{"in my own words\nand <b>lines</b>"}, {}},
		{{}, {"L"}},
	} {
		bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
			r := ask(t, s, "", colour, sizes)
			s.AnswerAtTUI(string(r.ID), answers)
			want := event.Finding{Kind: event.FoundAnswered, Answers: answers}
			if got := look(t, s, r); !reflect.DeepEqual(got, want) {
				t.Errorf("found %+v, want %+v", got, want)
			}
		})
	}
}

// An answer is taken in a moment after it was given.
func TestLook_WhileAnAnswerIsTakenIn(t *testing.T) {
	for _, version := range []string{opencodesim.VersionOld, opencodesim.VersionNew} {
		synctest.Test(t, func(t *testing.T) {
			s := opencodesim.New(opencodesim.Options{Version: version, Lag: time.Second})
			r := ask(t, s, "", colour)
			answerRed(s, r)
			if got := look(t, s, r); got.Kind != event.FoundPassing {
				t.Errorf("%s: at once: found %q", version, got.Kind)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if got := look(t, s, r); got.Kind != event.FoundAnswered {
				t.Errorf("%s: later: found %q", version, got.Kind)
			}
		})
	}
}

// Prompts that wait behind a question are newer messages, and no newer turn.
func TestLook_PastQueuedPrompts(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		r := ask(t, s, "", colour)
		for range 5 {
			prompt(t, s, string(r.Session), "and then?")
		}
		if got := look(t, s, r); got.Kind != event.FoundOpen {
			t.Errorf("found %q", got.Kind)
		}
		answerRed(s, r)
		if got := look(t, s, r); got.Kind != event.FoundAnswered {
			t.Errorf("after the answer: found %q", got.Kind)
		}
	})
}

func TestLook_AtASubagentsQuestion(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		r := ask(t, s, s.Task(proj, "", "asker", "find a colour"), colour)
		if got := look(t, s, r); got.Kind != event.FoundOpen {
			t.Errorf("found %q", got.Kind)
		}
		answerRed(s, r)
		if got := look(t, s, r); got.Kind != event.FoundAnswered {
			t.Errorf("after the answer: found %q", got.Kind)
		}
	})
}

// The process that asked is gone; its session works on something newer.
func TestLook_ForgottenWhileItsSessionWorks(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		r := ask(t, s, "", colour)
		s.Restart()
		s.Ask(proj, string(r.Session), sizes)
		if got := look(t, s, r); got.Kind != event.FoundForgotten {
			t.Errorf("found %q", got.Kind)
		}
	})
}
