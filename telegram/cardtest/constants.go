package cardtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"
)

// Constants are the constants of a string type of package question.
func Constants(t *testing.T, of string) []string {
	t.Helper()
	files, err := filepath.Glob("../../internal/question/*.go")
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
