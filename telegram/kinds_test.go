package telegram

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"

	"hermes/internal/question"
	"hermes/telegram/words"
)

// declared are the constants of a string type of package question.
func declared(t *testing.T, of string) []string {
	t.Helper()
	files, err := filepath.Glob("../internal/question/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var all []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if ident, ok := spec.Type.(*ast.Ident); ok && ident.Name == of {
				text, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				all = append(all, text)
			}
			return true
		})
	}
	if len(all) < 2 {
		t.Fatalf("%s has the constants %q", of, all)
	}
	return all
}

// Each kind of note, alert and message about sessions has a text of its own: none falls through to what stands for
// kinds that are not known.
func TestEachKindHasItsText(t *testing.T) {
	w := words.For("en")
	for _, kind := range declared(t, "NoteKind") {
		n := question.Note{Kind: question.NoteKind(kind), Chat: 7, User: question.User{ID: 7, Name: "Ada"}, View: asks(database()), Claim: &question.Claim{By: ada()}}
		n.Notice.Kind = question.OnlyOne
		unknown := n
		unknown.Kind = "unheard of"
		if got := note(n, w, noon()).String(); got == note(unknown, w, noon()).String() && n.Kind != question.NoteNothing {
			t.Errorf("the note %q says %q", kind, got)
		}
	}
	for _, kind := range declared(t, "TellingKind") {
		told := func(kind question.TellingKind) string {
			all := ""
			for _, part := range tellingOf(question.Telling{
				Kind: kind, Chat: 7, Text: "text", Asks: []question.Thread{{ID: "abcdefghijkl", Request: asks(database()).Request}},
				Session: question.Session{ID: "ses_1", Directory: "/src/shop-api", Title: "fix"},
			}, w, noon()).parts {
				all += part.String()
			}
			return all
		}
		if got := told(question.TellingKind(kind)); got == told("unheard of") && kind != string(question.TellFailed) {
			t.Errorf("the message %q says %q", kind, got)
		}
	}
	for _, kind := range declared(t, "AlertKind") {
		a := question.Alert{Kind: question.AlertKind(kind), Request: asks(database()).Request, Outcome: &question.Outcome{Kind: question.OutcomeStopped}, By: &question.Decision{Reject: true, By: ada()}, Claim: &question.Claim{By: ada()}, Late: &question.Late{By: ada()}, Notice: question.Notice{Kind: question.OnlyOne}}
		unknown := a
		unknown.Kind = "unheard of"
		if got := alert(a, w, noon()); got == alert(unknown, w, noon()) && a.Kind != question.AlertNone && a.Kind != question.AlertUnknown {
			t.Errorf("the alert %q says %q", kind, got)
		}
	}
}
