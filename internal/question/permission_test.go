package question_test

import (
	"testing"

	"hermes/internal/question"
)

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
