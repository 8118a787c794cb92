package sessions_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/remote"
)

// offered plays a test in which message 1001 is an offer to answer the lost question.
func offered(t *testing.T, test func(*world)) {
	t.Helper()
	w := newWorld().hears()
	inThat(t, w, func(w *world) {
		w.lost(nil)
		w.tap(1, 1, 50, question.WizardInput{})
		test(w)
	})
}

// A file is no answer, and is not sent as a prompt: nobody would know what it is about.
// Only what begins nothing can be said to the session there.
func TestLateAnswer_FilesAreNone(t *testing.T) {
	with := func(in inbound.Input, caption string) inbound.Input {
		in.Text, in.ReplyTo = caption, 1001
		if strings.HasPrefix(caption, "/noreply") {
			in.Command = "noreply"
		}
		return in
	}
	over := func(w *world) { w.lost(func(t *question.Thread) { t.Outcome.Kind = question.OutcomeDeleted }) }
	for name, c := range map[string]struct {
		in    inbound.Input
		alter func(*world)
		told  remote.MessageKind
		sent  string
	}{
		"a voice message":     {with(voice(2), ""), nil, remote.TellNoAnswer, ""},
		"a photo":             {with(attached(2, ""), "B"), nil, remote.TellNoAnswer, ""},
		"one of an album":     {with(attached(2, "a"), "B"), nil, remote.TellNoAnswer, ""},
		"a photo to read":     {with(attached(2, ""), "/noreply For later."), nil, remote.TellNoted, "For later.+f2"},
		"a voice, to no more": {with(voice(2), ""), over, remote.TellLateOver, ""},
	} {
		t.Run(name, func(t *testing.T) {
			offered(t, func(w *world) {
				if c.alter != nil {
					c.alter(w)
				}
				w.send(c.in)
				w.wantPrompts(c.sent)
				if got := w.kinds(); len(got) != 2 || got[1] != c.told {
					t.Errorf("told %q, want %q", got, c.told)
				}
				if w.lateAnswer() != nil {
					t.Error("the question has an answer")
				}
			})
		})
	}
}

// What begins nothing is no answer: an answer begins a run.
func TestLateAnswer_NoteIsNone(t *testing.T) {
	for name, text := range map[string]string{"short": "B", "cut in two": strings.Repeat("a", 4000)} {
		t.Run(name, func(t *testing.T) {
			offered(t, func(w *world) {
				note := typed(2, "/noreply "+text)
				note.ReplyTo = 1001
				w.send(note)
				want := text
				if len(text) > 1 {
					w.reply(3, "the rest", 1001)
					want += "\nthe rest"
				}
				w.wantPrompts(want)
				if w.lateAnswer() != nil || len(w.sent) != 1 || !w.sent[0].NoReply {
					t.Errorf("late answer %+v, sent %+v", w.lateAnswer(), w.sent)
				}
			})
		})
	}
}

// An answer that comes right after a long text to the same session is none of its rest.
func TestLateAnswer_RightAfterALongText(t *testing.T) {
	offered(t, func(w *world) {
		long := strings.Repeat("a", 4000)
		w.say(2, long)
		w.reply(3, "B", 1001)
		w.wantPrompts(long + "\nYour question was: Which?\nMy answer: B")
		if w.lateAnswer() == nil {
			t.Error("the question has no answer")
		}
	})
}

// So is a prompt that replies to another message of the session.
func TestPrompt_RightAfterALongNote(t *testing.T) {
	w := newWorld()
	w.seed.MessageRefs = []remote.MessageRef{{Chat: adaChat, Message: 70, Session: testSession, Origin: origin(), Title: "fix"}}
	inThat(t, w, func(w *world) {
		w.say(1, "/noreply "+strings.Repeat("a", 4000))
		w.reply(2, "go on", 70)
		pass(10 * time.Second)
		if len(w.sent) != 2 || !w.sent[0].NoReply || w.sent[1].NoReply || w.sent[1].Parts[0].Text != "go on" {
			t.Errorf("sent %+v", w.sent)
		}
	})
}
