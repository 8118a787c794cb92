package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"hermes/internal/config"
)

// checkCommandLine is what is wrong with a command line of hermes, without "hermes": a command or
// a flag that does not exist.
func checkCommandLine(args []string) error {
	root := rootCommand(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	var words []string
	for _, arg := range rest {
		name, long := strings.CutPrefix(arg, "--")
		name, _, _ = strings.Cut(name, "=")
		switch {
		case arg == "--", !strings.HasPrefix(arg, "-"), arg == "-":
			words = append(words, arg)
		case long && cmd.Flags().Lookup(name) == nil, !long && cmd.Flags().ShorthandLookup(arg[1:2]) == nil:
			return fmt.Errorf("%q has no flag %s", cmd.CommandPath(), arg)
		}
	}
	if len(words) > 0 && cmd.HasSubCommands() {
		return fmt.Errorf("%q has no command %s", cmd.CommandPath(), words[0])
	}
	return nil
}

// alternatives are the command lines of a text such as "hermes link add | list", without "hermes".
func alternatives(text string) (lines [][]string) {
	parts := strings.Split(strings.TrimPrefix(text, "hermes "), "|")
	words := splitWords(parts[0])
	lines = append(lines, words)
	for _, other := range parts[1:] {
		lines = append(lines, append(slices.Clone(words[:len(words)-1]), splitWords(other)...))
	}
	return lines
}

var shellWord = regexp.MustCompile(`"[^"]*"|\S+`)

// splitWords splits a command line at blanks that are not within double quotes.
func splitWords(line string) (words []string) {
	for _, word := range shellWord.FindAllString(line, -1) {
		words = append(words, strings.Trim(word, `"`))
	}
	return words
}

// What stands between backquotes and begins with hermes is a command that exists, with its flags, or
// a sentence that hermes says.
func TestDocuments_CommandsExist(t *testing.T) {
	said := programText(t)
	count := 0
	for _, d := range documents(t) {
		for _, span := range d.spans() {
			if !strings.HasPrefix(span, "hermes ") {
				continue
			}
			for _, line := range alternatives(span) {
				count++
				if err := checkCommandLine(line); err != nil && !quotes(said, span) {
					t.Errorf("%s has `%s`: %v", d.name, span, err)
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d commands were looked at", count)
	}
}

var flagInHelp = regexp.MustCompile(`--[\w-]+`)

// foreignFlags are flags of other programs.
var foreignFlags = map[string]string{
	"--port": "opencode", "--update": "go test", "-update": "go test",
}

// A flag that stands alone between backquotes is one of some command of hermes.
func TestDocuments_FlagsExist(t *testing.T) {
	known := map[string]bool{}
	var collect func(*cobra.Command)
	collect = func(cmd *cobra.Command) {
		for _, name := range flagInHelp.FindAllString(cmd.LocalFlags().FlagUsages(), -1) {
			known[name] = true
		}
		for _, sub := range cmd.Commands() {
			collect(sub)
		}
	}
	collect(rootCommand(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}))
	for _, d := range documents(t) {
		for _, span := range d.spans() {
			name, _, _ := strings.Cut(strings.SplitN(span, " ", 2)[0], "=")
			if strings.HasPrefix(span, "--") && !known[name] && foreignFlags[name] == "" {
				t.Errorf("%s has the flag `%s`, which no command has", d.name, span)
			}
		}
	}
}

// otherVariables are no settings of hermes: tests read the first, the plugin and hermes link run the next
// two, and the last was one.
var otherVariables = []string{"HERMES_TEST_OPENCODE2", "HERMES_URL", "HERMES_TOKEN", "HERMES_API_APPROVALS"}

// Variables that documents name exist, and docs/configuration.md has them all, with their defaults.
func TestDocuments_VariablesExist(t *testing.T) {
	known := config.Variables()
	variable := regexp.MustCompile(`\bHERMES_[A-Z0-9_]+\b`)
	for _, file := range listFiles(t) {
		if !strings.HasSuffix(file, ".md") && !strings.HasPrefix(file, "deploy/") {
			continue
		}
		for _, name := range variable.FindAllString(readFile(t, file), -1) {
			_, plain := known[name]
			_, ofFile := known[strings.TrimSuffix(name, "_FILE")]
			if !plain && !ofFile && !slices.Contains(otherVariables, name) {
				t.Errorf("%s names %s, which hermes does not read", file, name)
			}
		}
	}
	table := readFile(t, "docs/configuration.md")
	for name, byDefault := range known {
		row := regexp.MustCompile("(?m)^\\|[^|]*`" + name + "`[^|]*\\|([^|]*)\\|").FindStringSubmatch(table)
		if row == nil && !strings.HasSuffix(name, "_FILE") {
			t.Errorf("docs/configuration.md has no row for %s", name)
		} else if byDefault != "" && !strings.Contains(row[1], "`"+byDefault+"`") {
			t.Errorf("docs/configuration.md says %q of the default of %s, which is %s", row[1], name, byDefault)
		}
	}
}

// programText is the source of what the program says, without tests and stand-ins.
func programText(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, file := range listFiles(t) {
		if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(file, "internal/simulate/") {
			b.WriteString(readFile(t, file))
		}
	}
	return b.String()
}

// quotes reports whether the program says what is quoted, in which … stands for any text.
func quotes(said, quoted string) bool {
	for part := range strings.SplitSeq(strings.ReplaceAll(quoted, ": ", "…"), "…") {
		if part = strings.TrimSpace(part); part != "" && !strings.Contains(said, part) {
			return false
		}
	}
	return true
}

// What troubleshooting quotes as said by doctor, the daemon or a message is what they say.
func TestDocuments_SymptomsAreSaid(t *testing.T) {
	said, count := programText(t), 0
	for line := range strings.Lines(readFile(t, "docs/troubleshooting.md")) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.HasPrefix(line, "|---") {
			continue
		}
		for _, found := range codeSpan.FindAllStringSubmatch(cells[1], -1) {
			quoted := found[1]
			if strings.HasPrefix(quoted, "/") || strings.HasPrefix(quoted, "HERMES_") && !strings.Contains(quoted, ": ") {
				continue // a path of the interface, or a variable
			}
			if count++; !quotes(said, quoted) {
				t.Errorf("nothing in hermes says `%s`", quoted)
			}
		}
	}
	if count < 25 {
		t.Errorf("only %d quotations were looked at", count)
	}
}

// What documents say of go test and make names packages, tests and targets that exist.
func TestDocuments_TestCommandsExist(t *testing.T) {
	files, count := listFiles(t), 0
	tests, makefile := listTests(t, files), readFile(t, "Makefile")
	for _, d := range documents(t) {
		for _, span := range d.spans() {
			words := strings.Fields(strings.ReplaceAll(span, "'", ""))
			if strings.HasPrefix(span, "make ") && d.name != "docs/rules.md" { // there they are what agents ask to run
				count++
				if !strings.Contains(makefile, "\n"+words[1]+":") {
					t.Errorf("%s has `%s`, and the Makefile no such target", d.name, span)
				}
			}
			if !strings.Contains(span, "go test ") {
				continue
			}
			for i, word := range words {
				count++
				switch {
				case strings.HasPrefix(word, "./") && !slices.ContainsFunc(files, func(file string) bool { return strings.HasPrefix("./"+file, strings.TrimSuffix(word, "...")) }):
					t.Errorf("%s has `%s`, and there is no %s", d.name, span, word)
				case word == "-run" && !slices.ContainsFunc(tests, regexp.MustCompile(strings.Split(words[i+1], "/")[0]).MatchString):
					t.Errorf("%s has `%s`, and no test is named so", d.name, span)
				}
			}
		}
	}
	if count < 60 {
		t.Errorf("only %d words were looked at", count)
	}
}
