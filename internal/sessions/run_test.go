package sessions_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// What OpenCode would run or read in a command's text is refused with a sentence: nothing is owed, and nothing sent.
func TestRun_RefusesWhatOpenCodeWouldExpand(t *testing.T) {
	for _, args := range []string{
		"greet Bob !`touch x; id -un` and @../home/secret.txt", "init !`id`", "review wow!", "greet @a", "greet a@b", "greet `x`", "greet $1", "greet $ARGUMENTS",
		"greet\n!`id`", "greet\tone\n@two", "greet $'",
	} {
		in(t, func(w *world) {
			w.say(1, "/run "+args)
			w.wantTold(en.Sessions.Reasons[remote.ReasonSigns])
			if told := w.told[0]; told.ReplyTo != 1 || !says(told.text, "shop · fix\n") {
				t.Errorf("%q: told %+v", args, told)
			}
			owes := func(c storage.Change) bool { return len(c.Prompts) > 0 }
			if len(w.tries) > 0 || slices.ContainsFunc(w.changes, owes) {
				t.Errorf("%q: tried %+v, stored %+v", args, w.tries, w.changes)
			}
		})
	}
}

func TestRun_GivesTheText(t *testing.T) {
	for args, want := range map[string][2]string{
		"greet":                        {"greet", ""},
		"/greet Bob":                   {"greet", "Bob"},
		"greet  it's \"so\" & 100% #1": {"greet", "it's \"so\" & 100% #1"},
		"greet\nBob\nand Eve ":         {"greet", "Bob\nand Eve"},
		"say say":                      {"say", "say"},
	} {
		in(t, func(w *world) {
			w.say(1, "/run "+args)
			pass(time.Second)
			if len(w.sent) != 1 || w.sent[0].Command != want[0] || w.sent[0].Parts[0].Text != want[1] {
				t.Errorf("%q: sent %+v", args, w.sent)
			}
		})
	}
}

// A text that was kept before such texts were refused, and a command that is given none.
func TestRun_RefusalSaysWhy(t *testing.T) {
	for err, want := range map[error]remote.Reason{session.ErrSigns: remote.ReasonSigns, session.ErrNoText: remote.ReasonNoText} {
		in(t, func(w *world) {
			w.set(func() { w.unwilling = errors.Join(permanent{err}, err) })
			w.say(1, "/run greet Bob")
			pass(time.Second)
			w.wantTold(en.Sessions.Reasons[want])
		})
	}
}
