package question_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"hermes/internal/question"
)

// A constant of a closed set is in the list of them, from which all else follows.
func TestClosedSets_HaveAllConstants(t *testing.T) {
	declared := constants(t)
	for name, list := range map[string][]string{
		"Expiry":      texts(question.Expiries()),
		"OutcomeKind": texts(question.OutcomeKinds()),
		"ActorKind":   texts(question.ActorKinds()),
		"EntryKind":   texts(question.EntryKinds()),
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

// constants are the texts of this package's constants, by type, in their order.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	declared := map[string][]string{}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil {
				return true
			}
			for _, value := range spec.Values {
				of, ok1 := spec.Type.(*ast.Ident)
				literal, ok2 := value.(*ast.BasicLit)
				if ok1 && ok2 && literal.Kind == token.STRING {
					text, _ := strconv.Unquote(literal.Value)
					declared[of.Name] = append(declared[of.Name], text)
				}
			}
			return true
		})
	}
	return declared
}
