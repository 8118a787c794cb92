package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"hermes/internal/simulate/rig"
)

// manFolder has the man pages, which are made from the commands and belong to no binary.
const manFolder = "../../deploy/man"

// The man pages say what the commands say of themselves; -update makes them anew.
func TestMan_PagesAreCurrent(t *testing.T) {
	pages := manPages(rootCommand(streams{}))
	if *rig.Update {
		writePages(t, pages)
	}
	there, err := filepath.Glob(filepath.Join(manFolder, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range there {
		if _, ok := pages[filepath.Base(path)]; !ok {
			t.Errorf("%s is the page of no command; remove it", path)
		}
	}
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join(manFolder, name))
		if err != nil || string(got) != want {
			t.Errorf("%s is not what the command says of itself; go test ./cmd/hermes -run TestMan -update", name)
		}
	}
}

func writePages(t *testing.T, pages map[string]string) {
	t.Helper()
	if err := os.MkdirAll(manFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(manFolder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMan_Escapes(t *testing.T) {
	for text, want := range map[string]string{
		`--a \n`: `\-\-a \en`, ".env is": `\&.env is`, "'a'": `\&'a'`, "“a” …": "“a” …",
	} {
		if got := roff(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	got := roffText("One line\nand one more.\n\n  hermes x -a\n  hermes y\n\nThe end.")
	want := ".PP\nOne line\nand one more.\n.PP\n.RS 4\n.nf\nhermes x \\-a\nhermes y\n.fi\n.RE\n.PP\nThe end.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// manPages are the pages by the names of their files: one of hermes, and one of each command with those below it.
func manPages(root *cobra.Command) map[string]string {
	pages := map[string]string{}
	var names []string
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			name := "hermes-" + cmd.Name()
			names = append(names, name)
			pages[name+".1"] = commandPage(name, cmd)
		}
	}
	pages["hermes.1"] = rootPage(root, names)
	return pages
}

func rootPage(root *cobra.Command, pages []string) string {
	var b strings.Builder
	b.WriteString(pageHead("hermes", root))
	b.WriteString(".SH DESCRIPTION\n" + roffText(root.Long))
	b.WriteString(".SH COMMANDS\n")
	for _, group := range root.Groups() {
		b.WriteString(".SS " + roff(strings.TrimSuffix(group.Title, ":")) + "\n")
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID && cmd.IsAvailableCommand() {
				b.WriteString(".TP\n.B hermes " + roff(cmd.Name()) + "\n" + roff(cmd.Short) + "\n")
			}
		}
	}
	b.WriteString(options(".SH OPTIONS\n", root))
	b.WriteString(`.SH FILES
.TP
.I ~/.config/hermes/hermes.env
The configuration ($XDG_CONFIG_HOME counts in place of ~/.config). Each line sets a variable; one that is in the environment counts instead.
.B hermes config example
prints all variables, with their defaults and what they mean.
.TP
.I ~/.local/state/hermes/hermes.db
The database ($XDG_STATE_HOME counts in place of ~/.local/state).
.SH EXIT STATUS
.TP
.B 0
Success, or a stop that was asked for.
.TP
.B 1
A failure.
.TP
.B 2
Wrong use, or a wrong configuration: trying again does not help.
.PP
Some commands have more; their pages say so.
.SH SEE ALSO
`)
	for i, page := range pages {
		pages[i] = ".BR " + roff(page) + " (1)"
	}
	return b.String() + strings.Join(pages, ",\n") + "\n"
}

func commandPage(name string, cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString(pageHead(name, cmd))
	b.WriteString(".SH DESCRIPTION\n" + roffText(saysOfItself(cmd)) + options(".SH OPTIONS\n", cmd))
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			b.WriteString(".SH " + strings.ToUpper(roff(sub.Name())) + "\n.B " + roff(sub.UseLine()) + "\n" + roffText(saysOfItself(sub)) + options(".SS Options\n", sub))
		}
	}
	return b.String() + ".SH SEE ALSO\n.BR hermes (1)\n"
}

// pageHead has no date: a page would change with the day on which it is made.
func pageHead(name string, cmd *cobra.Command) string {
	return fmt.Sprintf(".\\\" Made by TestMan_PagesAreCurrent from what the command says of itself.\n.TH %s 1 \"\" hermes \"hermes manual\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n",
		roff(strings.ToUpper(name)), roff(name), roff(cmd.Short), roff(synopsis(cmd)))
}

func synopsis(cmd *cobra.Command) string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	switch {
	case !cmd.HasParent():
		return cmd.Name() + " COMMAND [flags]"
	case len(names) > 0:
		return cmd.CommandPath() + " " + strings.Join(names, "|") + " [flags]"
	}
	return cmd.UseLine()
}

func saysOfItself(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// flagLine is a line of pflag's FlagUsages: the short form, the name, the kind of value and what it is for.
var flagLine = regexp.MustCompile(`^ +(?:-(\w), )?--([\w-]+)(?: (\S+))?  +(.*)$`)

// options are those of the command itself, under a heading, "" if it has none.
func options(heading string, cmd *cobra.Command) string {
	text := ""
	for line := range strings.Lines(cmd.LocalFlags().FlagUsages()) {
		f := flagLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if f == nil || f[2] == "help" {
			continue
		}
		name := `\fB` + roff("--"+f[2]) + `\fR`
		if f[1] != "" {
			name = `\fB` + roff("-"+f[1]) + `\fR, ` + name
		}
		if f[3] != "" {
			name += ` \fI` + roff(f[3]) + `\fR`
		}
		text += ".TP\n" + name + "\n" + roff(f[4]) + "\n"
	}
	if text == "" {
		return ""
	}
	return heading + text
}

// roffText has paragraphs for those of a help text. What is indented there stays as it is laid out.
func roffText(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		b.WriteString(".PP\n")
		laidOut := strings.HasPrefix(paragraph, "  ")
		if laidOut {
			b.WriteString(".RS 4\n.nf\n")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			b.WriteString(roff(strings.TrimPrefix(line, "  ")) + "\n")
		}
		if laidOut {
			b.WriteString(".fi\n.RE\n")
		}
	}
	return b.String()
}

// roff is one line of text as roff has it: a hyphen is a minus, which can be copied to a shell, and neither a full stop nor a quote
// begins a request.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// Every flag has what it is for, and no page lacks one of the command's.
func TestMan_HasEveryFlag(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.LocalFlags().FlagUsages()) {
			if f := flagLine.FindStringSubmatch(strings.TrimRight(line, "\n")); f == nil || f[4] == "" {
				t.Errorf("%s: the page cannot say of %q what it is for", cmd.CommandPath(), line)
			}
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand(streams{}))
}
