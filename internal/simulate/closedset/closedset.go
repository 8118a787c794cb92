// Package closedset reads the constants of the domain's closed sets from its source, so that
// tests can hold lists, words and the store against them: a constant that somebody forgets
// there fails a test.
package closedset

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Constants are the texts of all string constants that the packages below internal declare
// with a type of their own, by the type's name with its package ("question.Expiry"), in their
// order.
func Constants(t testing.TB) map[string][]string {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(here), "..", "..", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	declared := map[string][]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				for _, value := range spec.Values {
					if of, text, ok := constant(spec.Type, value); ok {
						of = file.Name.Name + "." + of
						declared[of] = append(declared[of], text)
					}
				}
			}
			return true
		})
	}
	return declared
}

// constant reads T = "x", or T("x").
func constant(of, value ast.Expr) (name, text string, ok bool) {
	if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
		of, value = call.Fun, call.Args[0]
	}
	ident, ok1 := of.(*ast.Ident)
	literal, ok2 := value.(*ast.BasicLit)
	if !ok1 || !ok2 || literal.Kind != token.STRING {
		return "", "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return ident.Name, text, err == nil
}
