package question

import (
	"errors"
	"testing"

	"hermes/internal/session"
)

// leave asks to run a command.
func leave() Request {
	return Request{Permission: &Permission{
		Kind: "bash", Patterns: []string{"rm -rf build"}, Always: []string{"rm *"}, Command: "rm -rf build",
	}}
}

func TestPermissionConversations(t *testing.T) {
	for name, script := range map[string]string{
		"once": `
			tap 1          => answered [#1]
			again          => repeated
			old dismiss    => closed`,
		"always is asked twice": `
			tap 2          => always [#2]
			old tap 1      => stale
			tap 1          => unknown
			dismiss        => unknown
			send           => answered [#2]`,
		"always was not meant": `
			tap 2          => always [#2]
			change 1       => grant []
			send           => unknown
			tap 1          => answered [#1]`,
		"rejected": `
			dismiss        => dismissed []`,
		"rejected with a note": `
			type           => grant [] typing
			say use make clean => dismissed [«use make clean»]
			say more       => closed`,
		"the note was not meant": `
			type           => grant [] typing
			untype         => grant []
			tap 1          => answered [#1]`,
		"words alone decide nothing": `
			say yes        => note [«yes»]
			say no, use make => note [«no, use make»]
			tap 1          => unknown
			send           => dismissed [«no, use make»]`,
		"words alone, taken back": `
			say 1          => note [«1»]
			change 1       => grant []
			dismiss        => dismissed []`,
		"words at the second thought": `
			tap 2          => always [#2]
			say stop       => note [«stop»]
			change 1       => grant []
			tap 1          => answered [#1]`,
		"no words": `
			type           => grant [] typing
			say            => grant [] typing !pick-one`,
		"buttons of questions": `
			tap 3          => unknown
			next           => unknown
			page 1         => unknown
			drop 1         => unknown
			change 2       => unknown
			send           => unknown`,
	} {
		t.Run(name, func(t *testing.T) { play(t, leave(), script) })
	}
}

// Under /api words do not reach the agent, so none are taken.
func TestNoNoteUnderAPI(t *testing.T) {
	r := leave()
	r.Protocol = session.Preview
	play(t, r, `
		type           => unknown
		say no         => grant [] !tap-button
		tap 1          => answered [#1]`)
}

// TestGrants holds what each end means to OpenCode.
func TestGrants(t *testing.T) {
	for _, c := range []struct {
		moves   []WizardInput
		answers Answers
		note    string
	}{
		{[]WizardInput{{Action: Pick}}, Answers{{Once}}, ""},
		{[]WizardInput{{Action: Pick, Option: PickAlways}, {Action: Send, Rev: 1}}, Answers{{Always}}, ""},
		{[]WizardInput{{Action: Dismiss}}, nil, ""},
		{[]WizardInput{{Action: Say, Text: " no "}, {Action: Send, Rev: 1}}, nil, " no "},
	} {
		var w Wizard
		for _, m := range c.moves {
			var err error
			if w, err = w.Apply(leave(), m); err != nil {
				t.Fatalf("%+v: %v", m, err)
			}
		}
		if !w.Answers(leave()).Equal(c.answers) || w.Note() != c.note {
			t.Errorf("%+v give %q and the note %q, want %q and %q", c.moves, w.Answers(leave()), w.Note(), c.answers, c.note)
		}
	}
	if first, ok := leave().FirstChoice(false); ok {
		t.Errorf("a permission has a first choice: %q", first)
	}
}

// Where Always would add nothing, there is no such answer, also from a button that hermes
// never made.
func TestNoAlwaysWhereNothingIsAdded(t *testing.T) {
	r := Request{Permission: &Permission{Kind: "bash", Command: "ls"}}
	if _, err := (Wizard{}).Apply(r, WizardInput{Action: Pick, Option: PickAlways}); !errors.Is(err, ErrUnknown) {
		t.Errorf("the button: %v", err)
	}
}
