package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
)

// layer is a row of the architecture. Its packages import one another and what stands in
// the rows below, never what stands above.
type layer struct {
	title, says string
	packages    []string
}

func layers() []layer {
	return []layer{
		{"Command", "flags, one call, printing", []string{"cmd/hermes"}},
		{"Programs", "what the commands run", []string{"internal/standby", "internal/daemon", "internal/doctor", "internal/setup", "internal/demo", "internal/page"}},
		{"Shared by programs", "configuration, terminal, the HTTP interface and its client", []string{
			"internal/api", "internal/apiclient", "internal/backup", "internal/clients", "internal/config", "internal/console", "internal/database", "internal/flock", "internal/handbook", "internal/systemd", "internal/version", "deploy", "hermes",
		}},
		{"Intake", "gives what people do to one engine, which it knows as an interface", []string{"internal/intake"}},
		{"Engines", "what happens to an ask and to a session; they know no adapter", []string{"bridge", "bridge/internal/forum", "internal/sessions", "internal/ask"}},
		{"Adapters", "Telegram, OpenCode, the database file and PostgreSQL, a transcription server; they know neither each other nor an engine", []string{
			"telegram", "telegram/card", "telegram/sessionview", "telegram/words", "telegram/markup", "telegram/callback", "telegram/outbox", "telegram/updates", "telegram/botapi", "opencode", "opencode/v1", "opencode/preview", "opencode/v2", "opencode/prompt", "opencode/wire", "opencode/call", "opencode/link", "opencode/plugin", "opencode/relay", "opencode/release", "opencode/service", "pending", "pending/kv", "pending/postgres", "internal/voice",
		}},
		{"Domain", "pure: no network, no file, no goroutine", []string{
			"internal/storage", "internal/remote", "internal/inbound", "internal/outbound", "internal/event", "internal/policy", "internal/question", "internal/fields", "internal/session", "internal/chat",
		}},
		{"Tools", "small, and without a word of hermes' business", []string{
			"internal/broadcast", "internal/certificate", "internal/failover", "internal/guard", "internal/letters", "internal/loop", "internal/mcp", "internal/pace", "internal/patch", "internal/pattern", "internal/prometheus", "internal/recent", "internal/retry", "internal/secret", "internal/sorting",
		}},
	}
}

// apart are packages that no product code imports, or that stand beside the rows.
func apart(name string) bool {
	return strings.HasPrefix(name, "internal/simulate/") || strings.HasPrefix(name, "internal/tools/") || name == "e2e" || strings.HasPrefix(name, "e2e/") || name == "internal/testlevel" || name == "telegram/cardtest" || name == "pending/postgres/pgtest" || name == "pending/kv/kvtest"
}

// graph is who imports whom, of hermes' own packages without the tests.
func graph(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, "hermes/")
		if apart(name) {
			continue
		}
		imports[name] = nil
		for _, i := range p.Imports {
			if own, ok := strings.CutPrefix(i, "hermes/"); ok && !apart(own) {
				imports[name] = append(imports[name], own)
			}
		}
	}
	return imports
}

func TestArchitecture_ImportsGoDown(t *testing.T) {
	row := map[string]int{}
	for n, l := range layers() {
		for _, p := range l.packages {
			row[p] = n
		}
	}
	imports := graph(t)
	for name, list := range imports {
		from, ok := row[name]
		if !ok {
			t.Errorf("package %s stands in no row of the architecture; give it one", name)
		}
		for _, i := range list {
			if to, ok := row[i]; ok && to < from {
				t.Errorf("package %s imports %s, which stands above it", name, i)
			}
		}
	}
	for name := range row {
		if _, ok := imports[name]; !ok {
			t.Errorf("there is no package %s", name)
		}
	}
}

// The picture in docs/architecture.md is made from the import graph; -update makes it anew.
func TestArchitecture_PictureIsTrue(t *testing.T) {
	const file, begin, end = "../../docs/architecture.md", "<!-- made by TestArchitecture_PictureIsTrue -->\n", "<!-- end -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s lacks the lines that the picture stands between", file)
	}
	want := before + begin + picture(graph(t)) + end + after
	if want == string(text) {
		return
	}
	if !*rig.Update {
		t.Fatalf("%s shows other imports than there are; go test ./cmd/hermes -run TestArchitecture -update", file)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// picture draws the rows, and the imports that do not follow from others. The tools are
// left out of the lines: nearly everything imports them.
func picture(imports map[string][]string) string {
	all := layers()
	tools := all[len(all)-1].packages
	var b strings.Builder
	b.WriteString("\n```mermaid\nflowchart TD\n")
	for n, l := range all {
		fmt.Fprintf(&b, "  subgraph row%d[\"%s: %s\"]\n", n, l.title, l.says)
		for _, p := range l.packages {
			fmt.Fprintf(&b, "    %s[\"%s\"]\n", node(p), p)
		}
		b.WriteString("  end\n")
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		for _, i := range slices.Sorted(slices.Values(imports[name])) {
			if !slices.Contains(tools, i) && !slices.Contains(tools, name) && !follows(imports, name, i) {
				fmt.Fprintf(&b, "  %s --> %s\n", node(name), node(i))
			}
		}
	}
	b.WriteString("```\n\n| package | imports, of hermes' own, without the stand-ins |\n|---|---|\n")
	for _, l := range all {
		for _, p := range l.packages {
			list := slices.Sorted(slices.Values(imports[p]))
			for n := range list {
				list[n] = "`" + list[n] + "`"
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", p, strings.Join(list, ", "))
		}
	}
	b.WriteString("\n")
	return b.String()
}

func node(name string) string { return strings.NewReplacer("/", "_").Replace(path.Clean(name)) }

// follows reports whether the import of to is also reached over another import.
func follows(imports map[string][]string, name, to string) bool {
	for _, i := range imports[name] {
		if i != to && reaches(imports, i, to) {
			return true
		}
	}
	return false
}

func reaches(imports map[string][]string, from, to string) bool {
	return slices.ContainsFunc(imports[from], func(i string) bool { return i == to || reaches(imports, i, to) })
}
