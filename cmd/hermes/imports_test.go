package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rule is what a package may import beside the standard library. Packages of
// hermes are named without "hermes/", whatever the path of the module is, others by the path of their module.
type rule struct {
	code  []string // in the package itself
	tests []string // in its tests, beside code and the package itself
}

// importRules is the architecture: the domain imports itself and small tools, adapters
// import neither each other nor an engine, and internal/daemon connects them. Stand-ins
// import none of the code that they stand in for.
func importRules() map[string]rule {
	const (
		bbolt     = "go.etcd.io/bbolt"
		botAPI    = "github.com/go-telegram/bot"
		rate      = "golang.org/x/time"
		retry     = "github.com/hashicorp/go-retryablehttp"
		sse       = "github.com/tmaxmax/go-sse"
		mcp       = "github.com/modelcontextprotocol/go-sdk"
		env       = "github.com/kelseyhightower/envconfig"
		cobra     = "github.com/spf13/cobra"
		client    = "github.com/prometheus/client_golang"
		contract  = "internal/simulate/opencodesim/contract"
		contract2 = "internal/simulate/opencode2sim/contract"
		model     = "internal/simulate/opencodesim/model"
		terminal  = "golang.org/x/term"
		qrCode    = "rsc.io/qr"
		pty       = "github.com/creack/pty"
		sync      = "golang.org/x/sync"
		forms     = "golang.org/x/text"
		chromedp  = "github.com/chromedp/chromedp"
		protocol  = "github.com/chromedp/cdproto"
		toml      = "github.com/pelletier/go-toml/v2"
		goldmark  = "github.com/yuin/goldmark"
		schema    = "github.com/google/jsonschema-go"
		windows   = "golang.org/x/sys"
		yaml      = "go.yaml.in/yaml/v3"
		pgx       = "github.com/jackc/pgx/v5"
	)
	return map[string]rule{
		"bridge":                         {code: []string{"bridge/internal/forum", "internal/chat", "internal/event", "internal/inbound", "internal/letters", "internal/loop", "internal/outbound", "internal/pace", "internal/policy", "internal/question", "internal/remote", "internal/retry", "internal/session", "internal/sorting", "internal/storage"}, tests: []string{"internal/fields", "internal/intake", "internal/testlevel", "pending", bbolt}},
		"bridge/internal/forum":          {code: []string{"internal/chat", "internal/loop", "internal/outbound", "internal/question", "internal/retry", "internal/session", "internal/storage"}},
		"cmd/hermes":                     {code: []string{"hermes", "internal/api", "internal/apiclient", "internal/ask", "internal/backup", "internal/chat", "internal/clients", "internal/config", "internal/console", "internal/daemon", "internal/database", "internal/demo", "internal/doctor", "internal/fields", "internal/handbook", "internal/letters", "internal/policy", "internal/question", "internal/retry", "internal/secret", "internal/session", "internal/setup", "internal/standby", "internal/storage", "internal/systemd", "internal/version", "opencode/link", "opencode/plugin", "opencode/relay", "pending", "telegram", "telegram/words", cobra, terminal}, tests: []string{"internal/clients", "internal/fields", "internal/flock", "internal/simulate/opencode2sim", "internal/simulate/opencodesim", "internal/simulate/rig", "internal/simulate/telegramsim", "internal/simulate/testenv", "internal/testlevel", "pending/postgres/pgtest", "telegram/botapi", bbolt, botAPI, mcp, pty}},
		"deploy":                         {code: []string{"internal/config"}, tests: []string{"internal/api", "internal/daemon", "internal/database", "internal/prometheus", "internal/simulate/opencodesim", "internal/simulate/rig", "internal/simulate/telegramsim", "internal/simulate/testenv", yaml}},
		"e2e":                            {tests: []string{"e2e/lab", "internal/api", "internal/event", "internal/page", "internal/question", "internal/session", "internal/simulate/browser", "internal/simulate/opencode2sim", "internal/simulate/opencodesim", "internal/simulate/telegramsim", "internal/simulate/testenv", "internal/testlevel", "opencode", "opencode/link", "opencode/plugin", "opencode/release", "opencode/v1", "pending/postgres/pgtest", contract, contract2, model}},
		"e2e/lab":                        {code: []string{"opencode/release", model}},
		"internal/api":                   {code: []string{"internal/chat", "internal/fields", "internal/letters", "internal/pattern", "internal/question", "internal/secret", "internal/session", "internal/storage", "opencode/link", "pending"}, tests: []string{"internal/ask", "internal/fields", schema}},
		"hermes":                         {},
		"internal/apiclient":             {code: []string{"deploy", "internal/api", "internal/ask", "internal/chat", "internal/config", "internal/database", "internal/failover", "internal/letters", "internal/policy", "internal/question", "internal/retry", "internal/secret", "internal/storage", "opencode/link", "opencode/plugin", "pending"}},
		"internal/ask":                   {code: []string{"internal/broadcast", "internal/chat", "internal/event", "internal/mcp", "internal/question", "internal/session"}},
		"internal/backup":                {code: []string{"pending"}, tests: []string{"internal/storage"}},
		"internal/broadcast":             {},
		"internal/certificate":           {tests: []string{"internal/simulate/testenv"}},
		"internal/chat":                  {},
		"internal/clients":               {code: []string{"internal/chat", "internal/config", "internal/secret", "opencode", "opencode/service", "telegram/botapi", botAPI}},
		"internal/config":                {code: []string{"internal/chat", "internal/letters", "internal/policy", "internal/question", "internal/secret", "internal/voice", "opencode/link", "telegram/botapi", env}, tests: []string{"internal/simulate/rig", "internal/simulate/testenv"}},
		"internal/console":               {code: []string{"internal/letters", "internal/secret", qrCode, terminal}},
		"internal/daemon":                {code: []string{"bridge", "internal/api", "internal/ask", "internal/backup", "internal/broadcast", "internal/certificate", "internal/chat", "internal/clients", "internal/config", "internal/console", "internal/database", "internal/event", "internal/guard", "internal/inbound", "internal/intake", "internal/letters", "internal/outbound", "internal/pace", "internal/policy", "internal/prometheus", "internal/question", "internal/remote", "internal/secret", "internal/session", "internal/sessions", "internal/sorting", "internal/storage", "internal/version", "opencode", "opencode/link", "opencode/plugin", "pending", "telegram"}, tests: []string{"internal/outbound", "internal/remote", "internal/simulate/inprocess", "internal/simulate/opencode2sim", "internal/simulate/opencodesim", "internal/simulate/rig", "internal/simulate/telegramsim", "internal/simulate/testenv", "internal/testlevel", "pending/postgres/pgtest", "telegram/words", bbolt}},
		"internal/database":              {code: []string{"internal/config", "internal/letters", "internal/prometheus", "pending", "pending/kv", "pending/postgres"}, tests: []string{"internal/secret", "internal/storage", "pending/postgres/pgtest"}},
		"internal/demo":                  {code: []string{"internal/chat", "internal/config", "internal/daemon", "internal/page", "internal/question", "internal/remote", "internal/secret", "internal/simulate/opencodesim", "internal/simulate/telegramsim", "internal/storage", "opencode/plugin", "pending", model}, tests: []string{"internal/simulate/browser", "internal/simulate/closedset", "internal/simulate/rig", "internal/simulate/testenv", chromedp, protocol}},
		"internal/doctor":                {code: []string{"internal/api", "internal/apiclient", "internal/ask", "internal/backup", "internal/certificate", "internal/chat", "internal/clients", "internal/config", "internal/console", "internal/database", "internal/failover", "internal/flock", "internal/letters", "internal/retry", "internal/secret", "internal/version", "internal/voice", "opencode", "opencode/call", "opencode/link", "opencode/plugin", "opencode/release", "opencode/service", "pending", "telegram/botapi", botAPI}, tests: []string{"internal/simulate/inprocess", "internal/simulate/opencode2sim", "internal/simulate/opencodesim", "internal/simulate/rig", "internal/simulate/telegramsim", "internal/simulate/testenv"}},
		"internal/event":                 {code: []string{"internal/question", "internal/session"}},
		"internal/failover":              {code: []string{"internal/retry"}},
		"internal/fields":                {code: []string{"internal/letters"}},
		"internal/tools/figures":         {},
		"internal/flock":                 {code: []string{"internal/retry", "pending"}},
		"internal/guard":                 {},
		"internal/handbook":              {code: []string{"internal/console"}},
		"internal/inbound":               {code: []string{"internal/chat", "internal/question", "internal/session"}},
		"internal/intake":                {code: []string{"internal/chat", "internal/inbound", "internal/loop", "internal/question"}, tests: []string{"internal/simulate/closedset"}},
		"internal/letters":               {code: []string{forms}},
		"internal/loop":                  {tests: []string{"internal/retry"}},
		"internal/mcp":                   {tests: []string{mcp}},
		"internal/outbound":              {code: []string{"internal/chat", "internal/question", "internal/secret"}},
		"internal/pace":                  {},
		"internal/page":                  {},
		"internal/patch":                 {},
		"internal/pattern":               {},
		"internal/prometheus":            {code: []string{"internal/sorting"}, tests: []string{client}},
		"internal/policy":                {code: []string{"internal/chat", "internal/fields", "internal/question", "internal/session", "internal/sorting", "internal/storage", toml}, tests: []string{"internal/fields"}},
		"internal/question":              {code: []string{"internal/chat", "internal/fields", "internal/letters", "internal/retry", "internal/session"}, tests: []string{"internal/fields", "internal/simulate/closedset", "internal/storage"}},
		"internal/recent":                {},
		"internal/remote":                {code: []string{"internal/chat", "internal/question", "internal/retry", "internal/session"}},
		"internal/retry":                 {},
		"internal/secret":                {code: []string{"internal/sorting"}},
		"internal/session":               {code: []string{"internal/chat"}},
		"internal/sessions":              {code: []string{"internal/chat", "internal/event", "internal/inbound", "internal/loop", "internal/outbound", "internal/pace", "internal/patch", "internal/question", "internal/recent", "internal/remote", "internal/retry", "internal/session", "internal/sorting", "internal/storage"}, tests: []string{"internal/intake", "pending"}},
		"internal/setup":                 {code: []string{"deploy", "internal/apiclient", "internal/chat", "internal/clients", "internal/config", "internal/console", "internal/database", "internal/flock", "internal/letters", "internal/question", "internal/secret", "internal/storage", "opencode", "opencode/call", "opencode/plugin", "opencode/service", "pending", "telegram/botapi", botAPI, cobra}, tests: []string{"internal/retry", "internal/simulate/opencode2sim", "internal/simulate/rig", "internal/simulate/telegramsim"}},
		"internal/simulate/browser":      {code: []string{"internal/page"}},
		"internal/simulate/closedset":    {},
		"internal/simulate/inprocess":    {},
		"internal/simulate/opencode2sim": {code: []string{"internal/simulate/inprocess", "internal/simulate/opencodeid", model}, tests: []string{contract2}},
		"internal/simulate/openapi":      {code: []string{schema}, tests: []string{"internal/api"}},
		"internal/simulate/opencodeid":   {},
		"internal/simulate/opencodesim":  {code: []string{"internal/simulate/inprocess", "internal/simulate/opencodeid", "opencode/release", model}, tests: []string{contract}},
		"internal/simulate/probe":        {},
		"internal/simulate/rig":          {code: []string{"internal/api", "internal/apiclient", "internal/chat", "internal/config", "internal/daemon", "internal/policy", "internal/question", "internal/secret", "internal/session", "internal/simulate/openapi", "internal/simulate/opencode2sim", "internal/simulate/opencodesim", "internal/simulate/telegramsim", "internal/simulate/testenv", "internal/storage", "opencode", "opencode/link", "opencode/relay", "opencode/service", "pending", bbolt}},
		"internal/simulate/telegramsim":  {code: []string{"internal/pattern", "internal/sorting"}, tests: []string{botAPI}},
		"internal/simulate/testenv":      {code: []string{"internal/config"}},
		"internal/sorting":               {},
		"internal/standby":               {code: []string{"internal/api", "internal/config", "internal/daemon", "internal/database", "internal/failover", "internal/guard", "internal/letters", "internal/prometheus", "internal/retry", "internal/secret", "opencode/link", "pending"}, tests: []string{"internal/simulate/opencodesim", "internal/simulate/rig", "internal/simulate/testenv", "pending/kv", "pending/kv/kvtest"}},
		"internal/storage":               {code: []string{"internal/chat", "internal/question", "internal/remote", "internal/secret", "internal/session"}},
		"internal/systemd":               {},
		"internal/testlevel":             {},
		"internal/tools/image":           {},
		"internal/tools/sbom":            {},
		"internal/tools/site":            {code: []string{goldmark}, tests: []string{chromedp, protocol}},
		"internal/version":               {},
		"internal/voice":                 {code: []string{"internal/secret", retry}},
		"opencode":                       {code: []string{"internal/event", "internal/question", "internal/recent", "internal/retry", "internal/secret", "internal/session", "internal/sorting", "opencode/call", "opencode/link", "opencode/preview", "opencode/release", "opencode/service", "opencode/v1", "opencode/v2", "opencode/wire", retry, sse, sync}, tests: []string{"internal/simulate/inprocess", "internal/simulate/opencode2sim", "internal/simulate/opencodesim", "internal/simulate/testenv", "opencode/release"}},
		"opencode/call":                  {code: []string{"internal/pattern", "internal/retry", "internal/secret", "opencode/link"}},
		"opencode/link":                  {code: []string{"internal/pace", "internal/pattern", "internal/secret", sync}},
		"opencode/plugin":                {code: []string{"internal/secret", "opencode/link"}, tests: []string{"internal/failover", "internal/question", "internal/simulate/opencodesim", "internal/testlevel", "opencode/call", "opencode/preview", "opencode/v1"}},
		"opencode/preview":               {code: []string{"internal/event", "internal/question", "internal/session", "opencode/call", "opencode/release", "opencode/wire"}},
		"opencode/prompt":                {code: []string{"internal/session"}},
		"opencode/relay":                 {code: []string{"internal/failover", "internal/pattern", "internal/retry", "internal/secret", "internal/session", "opencode", "opencode/call", "opencode/link", "opencode/prompt", "opencode/service", "opencode/wire", sse}, tests: []string{"internal/simulate/inprocess", "internal/simulate/opencode2sim"}},
		"opencode/release":               {},
		"opencode/service":               {code: []string{"internal/secret"}},
		"opencode/v1":                    {code: []string{"internal/event", "internal/question", "internal/session", "internal/sorting", "opencode/call", "opencode/prompt", "opencode/release", "opencode/wire"}, tests: []string{"internal/simulate/opencodesim"}},
		"opencode/v2":                    {code: []string{"internal/event", "internal/fields", "internal/question", "internal/recent", "internal/retry", "internal/session", "internal/sorting", "opencode/call", "opencode/prompt", "opencode/release", "opencode/wire"}, tests: []string{"internal/fields", "internal/simulate/inprocess", "internal/simulate/opencode2sim", "opencode", "opencode/link", "opencode/relay", "opencode/service"}},
		"opencode/wire":                  {code: []string{"internal/event", "internal/question", "internal/session", "internal/sorting", "opencode/call"}},
		"pending":                        {code: []string{"internal/chat", "internal/fields", "internal/question", "internal/remote", "internal/retry", "internal/session", "internal/sorting", "internal/storage", "pending/kv", bbolt, windows}, tests: []string{"internal/simulate/closedset", "pending/kv/kvtest", "pending/postgres", "pending/postgres/pgtest"}},
		"pending/kv":                     {},
		"pending/kv/kvtest":              {code: []string{"pending/kv"}},
		"pending/postgres":               {code: []string{"internal/retry", "pending/kv", pgx}, tests: []string{"pending/kv/kvtest", "pending/postgres/pgtest"}},
		"pending/postgres/pgtest":        {},
		"telegram":                       {code: []string{"internal/chat", "internal/inbound", "internal/letters", "internal/outbound", "internal/question", "internal/recent", "internal/remote", "internal/secret", "telegram/botapi", "telegram/card", "telegram/markup", "telegram/outbox", "telegram/sessionview", "telegram/updates", "telegram/words", botAPI}, tests: []string{"internal/retry", "internal/session", "internal/simulate/telegramsim", "telegram/cardtest"}},
		"telegram/botapi":                {code: []string{"internal/chat", "internal/guard", "internal/outbound", "internal/pattern", "internal/secret", "internal/session", "internal/sorting", botAPI}},
		"telegram/callback":              {code: []string{"internal/chat", "internal/inbound", "internal/pattern", "internal/question", "internal/session"}},
		"telegram/card":                  {code: []string{"internal/fields", "internal/inbound", "internal/letters", "internal/outbound", "internal/question", "internal/session", "telegram/callback", "telegram/markup", "telegram/words"}, tests: []string{"internal/chat", "internal/fields", "internal/simulate/closedset", "telegram/cardtest"}},
		"telegram/cardtest":              {code: []string{"internal/chat", "internal/fields", "internal/question", "internal/session"}},
		"telegram/markup":                {code: []string{"internal/chat", "internal/letters"}},
		"telegram/outbox":                {code: []string{"internal/chat", "internal/retry", "telegram/botapi", rate}},
		"telegram/sessionview":           {code: []string{"internal/inbound", "internal/letters", "internal/patch", "internal/remote", "internal/session", "telegram/card", "telegram/markup", "telegram/words"}, tests: []string{"internal/chat", "internal/question", "internal/simulate/closedset", "telegram/cardtest"}},
		"telegram/updates":               {code: []string{"internal/chat", "internal/inbound", "internal/pattern", "internal/retry", "internal/secret", "telegram/botapi", "telegram/callback", "telegram/markup", botAPI}, tests: []string{"telegram/cardtest"}},
		"telegram/words":                 {code: []string{"internal/chat", "internal/fields", "internal/question", "internal/remote"}, tests: []string{"internal/fields", "internal/simulate/closedset"}},
		contract:                         {code: []string{"internal/simulate/probe", "opencode/release"}},
		contract2:                        {code: []string{"internal/simulate/probe", model}},
		model:                            {},
	}
}

// goPackage is the part of `go list -json` that the rules speak of.
type goPackage struct {
	Dir                                string
	IgnoredGoFiles                     []string // for other systems, or by tags
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// listPackages lists hermes' packages, with the files of every tag and system.
func listPackages(t *testing.T) (list []goPackage) {
	t.Helper()
	out, err := exec.Command("go", "list", "-tags", "e2e,browser", "-json=Dir,IgnoredGoFiles,ImportPath,Imports,TestImports,XTestImports", modulePath(t)+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		addIgnored(t, &p)
		p.shorten(modulePath(t))
		list = append(list, p)
	}
}

// shorten names the packages of a module as if its path were hermes.
func (p *goPackage) shorten(module string) {
	short := func(path string) string {
		if rest, ok := strings.CutPrefix(path+"/", module+"/"); ok {
			return strings.TrimSuffix("hermes/"+rest, "/")
		}
		return path
	}
	p.ImportPath = short(p.ImportPath)
	for _, list := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
		for i, path := range list {
			list[i] = short(path)
		}
	}
}

func TestImports(t *testing.T) {
	rules := importRules()
	seen := map[string]bool{}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, "hermes/")
		seen[name] = true
		for _, line := range append(breaches(p, rules), unused(p, rules[name])...) {
			t.Error(line)
		}
	}
	for name := range rules {
		if !seen[name] {
			t.Errorf("there is no package %s", name)
		}
	}
}

// addIgnored adds the imports of the files that are not built here.
func addIgnored(t *testing.T, p *goPackage) {
	t.Helper()
	for _, name := range p.IgnoredGoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if strings.HasSuffix(name, "_test.go") {
				p.TestImports = append(p.TestImports, path)
			} else {
				p.Imports = append(p.Imports, path)
			}
		}
	}
}

// unused returns a line for each entry of the table that the package does without.
func unused(p goPackage, r rule) []string {
	var lines []string
	name := strings.TrimPrefix(p.ImportPath, "hermes/")
	for _, of := range []struct{ allowed, imports []string }{{r.code, p.Imports}, {r.tests, slices.Concat(p.TestImports, p.XTestImports)}} {
		for _, entry := range of.allowed {
			if !slices.ContainsFunc(of.imports, func(path string) bool { return covers(entry, path) }) {
				lines = append(lines, fmt.Sprintf("package %s does not import %s; take it out of the table", name, entry))
			}
		}
	}
	return lines
}

// breaches returns a line for each import that the rules do not allow.
func breaches(p goPackage, rules map[string]rule) []string {
	name := strings.TrimPrefix(p.ImportPath, "hermes/")
	allowed, ok := rules[name]
	if !ok {
		return []string{fmt.Sprintf("package %s is not in the table of imports; add it there, or do without it", name)}
	}
	lines := refused(name, p.Imports, allowed.code)
	inTests := slices.Concat(allowed.code, allowed.tests, []string{name})
	return append(lines, refused(name+" (tests)", slices.Concat(p.TestImports, p.XTestImports), inTests)...)
}

func refused(name string, imports, allowed []string) []string {
	var lines []string
	for _, path := range imports {
		if !standard(path) && !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, path) }) {
			lines = append(lines, fmt.Sprintf("package %s may not import %s", name, path))
		}
	}
	return lines
}

// covers reports whether an entry of the table allows the import: a package of
// hermes exactly, a module with all its packages.
func covers(entry, path string) bool {
	if own, ok := strings.CutPrefix(path, "hermes/"); ok {
		return own == entry
	}
	return path == entry || strings.HasPrefix(path, entry+"/")
}

// standard reports whether the path is of the standard library: its first part
// is then no domain name and not hermes.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return first != "hermes" && !strings.Contains(first, ".")
}

func TestImports_Breaches(t *testing.T) {
	rules := map[string]rule{"a": {code: []string{"b", "example.org/m"}, tests: []string{"c"}}}
	for _, test := range []struct {
		p    goPackage
		want string
	}{
		{goPackage{ImportPath: "hermes/a", Imports: []string{"fmt", "net/http", "hermes/b", "example.org/m/sub"}}, ""},
		{goPackage{ImportPath: "hermes/a", XTestImports: []string{"hermes/a", "hermes/b", "hermes/c"}}, ""},
		{goPackage{ImportPath: "hermes/a", Imports: []string{"hermes/c"}}, "package a may not import hermes/c"},
		{goPackage{ImportPath: "hermes/a", Imports: []string{"hermes/b/sub"}}, "package a may not import hermes/b/sub"},
		{goPackage{ImportPath: "hermes/a", Imports: []string{"example.org/more"}}, "package a may not import example.org/more"},
		{goPackage{ImportPath: "hermes/a", TestImports: []string{"hermes/d"}}, "package a (tests) may not import hermes/d"},
		{goPackage{ImportPath: "hermes/new"}, "package new is not in the table of imports; add it there, or do without it"},
	} {
		if got := strings.Join(breaches(test.p, rules), "\n"); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.p, got, test.want)
		}
	}
}
