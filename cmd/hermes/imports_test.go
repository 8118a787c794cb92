package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// texts are pure: they know no adapter and no engine, and all that people are told is made there.
const texts = "telegram/ui"

// forbidden says what packages must not import: each row has the packages that it binds, and those that they leave alone, with all below them,
// but for texts. Tests are free.
var forbidden = []struct{ in, imports []string }{
	// Adapters know neither each other nor an engine.
	{[]string{"telegram"}, []string{"opencode", "pending", "bridge", "internal/sessions", "internal/intake"}},
	{[]string{"opencode"}, []string{"telegram", "pending", "bridge", "internal/sessions", "internal/intake"}},
	{[]string{"pending"}, []string{"telegram", "opencode", "bridge", "internal/sessions", "internal/intake"}},
	// Engines know no adapter, and not one another.
	{[]string{"bridge"}, []string{"telegram", "opencode", "pending", "internal/sessions", "internal/intake"}},
	{[]string{"internal/sessions"}, []string{"telegram", "opencode", "pending", "bridge", "internal/intake"}},
	{[]string{"internal/intake"}, []string{"telegram", "opencode", "pending", "bridge", "internal/sessions"}},
	// The domain knows nothing of all that.
	{
		[]string{"internal/chat", "internal/session", "internal/fields", "internal/question", "internal/policy", "internal/remote", "internal/event", "internal/inbound", "internal/outbound", "internal/storage"},
		[]string{"telegram", "opencode", "pending", "bridge", "internal/sessions", "internal/intake", "internal/daemon", "internal/config"},
	},
	// Stand-ins share no code with what they stand in for.
	{[]string{"internal/simulate/telegramsim"}, []string{"telegram", "bridge", "internal/question"}},
	{[]string{"internal/simulate/opencodesim", "internal/simulate/opencode2sim"}, []string{"opencode/wire", "opencode/v1", "opencode/v2", "opencode/link", "opencode/relay", "bridge"}},
}

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "hermes/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	looked := 0
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; looked++ {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, rule := range forbidden {
			for _, imported := range p.Imports {
				if imported != "hermes/"+texts && below(p.ImportPath, rule.in) && below(imported, rule.imports) {
					t.Errorf("%s must not import %s", p.ImportPath, imported)
				}
			}
		}
	}
	if looked < 20 {
		t.Errorf("only %d packages were looked at", looked)
	}
}

// below reports whether a package is one of these of hermes, or below one.
func below(path string, of []string) bool {
	return slices.ContainsFunc(of, func(p string) bool { return path == "hermes/"+p || strings.HasPrefix(path, "hermes/"+p+"/") })
}
