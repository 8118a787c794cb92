package question_test

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/simulate/closedset"
	"hermes/internal/storage"
)

// Whatever it is, an Expiry decides as it says of itself, by nobody's name, and gives no
// permission.
func TestExpiry_DecidesAsItSays(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	options := []question.Option{{Label: "SQLite"}, {Label: "PostgreSQL (Recommended)"}}
	for _, e := range append(question.Expiries(), "") {
		for name, r := range map[string]question.Request{
			"a question":            {Items: []question.Item{{Text: "Which?", Options: options}}},
			"two, one without both": {Items: []question.Item{{Text: "Which?", Options: options}, {Text: "Why?"}}},
			"a permission":          {Permission: &question.Permission{Kind: "bash", Command: "ls"}},
		} {
			for _, prefer := range []bool{false, true} {
				d, ok := e.Decision(r, prefer, at)
				switch {
				case ok != e.Decides():
					t.Errorf("%q, %s: it decides: %v, and says %v", e, name, ok, e.Decides())
				case !ok && (d.Reject || d.Answers != nil || d.By.Kind != ""):
					t.Errorf("%q, %s: nothing is decided, and still there is %+v", e, name, d)
				case ok && (d.By != question.Actor{Kind: question.Deadline} || !d.At.Equal(at)):
					t.Errorf("%q, %s: it is by %+v at %v", e, name, d.By, d.At)
				case ok && d.Reject != (d.Answers == nil):
					t.Errorf("%q, %s: it is neither an answer nor a rejection: %+v", e, name, d)
				case ok && !d.Reject && (!e.Answers() || r.Permission != nil || len(d.Answers) != len(r.Items)):
					t.Errorf("%q, %s: the answers are %q", e, name, d.Answers)
				}
			}
		}
	}
}

func TestExpiry_AcceptFirst(t *testing.T) {
	r := question.Request{Items: []question.Item{{Options: []question.Option{{Label: "SQLite"}, {Label: "PostgreSQL (Recommended)"}}}}}
	for prefer, want := range map[bool]string{false: "SQLite", true: "PostgreSQL (Recommended)"} {
		if d, ok := question.ExpireAccept.Decision(r, prefer, time.Now()); !ok || !d.Answers.Equal(question.Answers{{want}}) {
			t.Errorf("recommended ones preferred: %v: %+v", prefer, d)
		}
	}
}

// The first one is the configuration's default, and what is known of no other.
func TestExpiry_DefaultRejects(t *testing.T) {
	if all := question.Expiries(); all[0] != question.ExpireReject || !all[0].Decides() || all[0].Answers() {
		t.Errorf("they are %q", all)
	}
}

func TestAlternatives(t *testing.T) {
	for want, words := range map[string][]string{"": nil, `"a"`: {"a"}, `"a" or "b"`: {"a", "b"}, `"a", "b" or "c"`: {"a", "b", "c"}} {
		if got := question.Alternatives(words, `"`); got != want {
			t.Errorf("%q are %s", words, got)
		}
	}
}

// A constant of a closed set is in the list of them, from which all else follows.
func TestClosedSets_HaveAllConstants(t *testing.T) {
	declared := closedset.Constants(t)
	for name, list := range map[string][]string{
		"question.Expiry":      texts(question.Expiries()),
		"question.OutcomeKind": texts(question.OutcomeKinds()),
		"question.ActorKind":   texts(question.ActorKinds()),
		"question.Stage":       texts(question.Stages()),
		"fields.Kind":          texts(fields.Kinds()),
		"fields.Format":        append([]string{""}, texts(fields.Formats())...),
		"storage.EntryKind":    texts(storage.EntryKinds()),
	} {
		if want := declared[name]; len(want) == 0 || !slices.Equal(list, want) {
			t.Errorf("%s: the list has %q, the constants are %q", name, list, want)
		}
	}
}

func texts[T ~string](words []T) []string {
	var list []string
	for _, w := range words {
		list = append(list, string(w))
	}
	return list
}

func TestPermission_MayCover(t *testing.T) {
	for _, c := range []struct {
		always, kind, text string
		want               bool
	}{
		{"rm *", "bash", "rm -rf build", true},
		{"rm *", "bash", "rm", true},
		{"rm *", "bash", "make", false},
		{"rm *", "bash", "rmdir x", false},
		{"rm *", "edit", "rm -rf build", false},
		{"*", "bash", "echo 'two\nlines'", true},
		{"ls ?", "bash", "ls a", true},
		{"ls .", "bash", "ls a", false},
		{"a(b", "bash", "a(b", true},
	} {
		p := question.Permission{Kind: "bash", Always: []string{"never this", c.always}}
		if got := p.MayCover(question.Permission{Kind: c.kind, Patterns: []string{"nor this", c.text}}); got != c.want {
			t.Errorf("%q of bash covers %q of %s: %v", c.always, c.text, c.kind, got)
		}
	}
	if !(question.Permission{Kind: "bash", Always: []string{"rm *"}}).MayCover(question.Permission{Kind: "bash"}) {
		t.Error("an ask without patterns may be anything")
	}
}
