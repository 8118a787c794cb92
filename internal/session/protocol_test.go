package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// A protocol that says nothing of itself would take no notes and no prompts, and nobody
// would know why.
func TestProtocol_EveryOneHasTraits(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "protocol.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for _, value := range spec.Values {
			text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if _, known := Protocol(text).traits(); err != nil || !known {
				t.Errorf("the protocol %q has no traits", text)
			}
			found++
		}
		return false
	})
	if found < 2 {
		t.Errorf("found %d protocols", found)
	}
	if _, known := Protocol("v9").traits(); known {
		t.Error("what is no protocol has traits")
	}
}

func TestProtocol_Traits(t *testing.T) {
	for p, want := range map[Protocol]traits{
		"": {true, true, false, false, false, false}, V1: {true, true, false, false, false, false},
		Preview: {false, false, true, false, false, false}, V2: {false, true, true, true, true, true}, "v9": {},
	} {
		if got := (traits{p.TakesNotes(), p.TakesPrompts(), p.KeepsAlways(), p.WidensAlways(), p.EndsTurns(), p.Unloads()}); got != want {
			t.Errorf("%q: %+v", p, got)
		}
	}
}
