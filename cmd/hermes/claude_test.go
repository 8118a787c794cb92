package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
)

// hook is deploy/claude-permission.mjs under way, as Claude Code runs it.
type hook struct {
	*exec.Cmd
	t         *testing.T
	out, errs bytes.Buffer
}

func (d *desk) hook(input string) *hook {
	d.t.Helper()
	d.program("hermes", fmt.Sprintf("exec %q -test.run='^TestMainAsProcess$' -- \"$@\"", os.Args[0]))
	return d.hookBeside(input)
}

// hookBeside is the hook beside the hermes that is on PATH.
func (d *desk) hookBeside(input string) *hook {
	d.t.Helper()
	script, err := filepath.Abs("../../deploy/claude-permission.mjs")
	if err != nil {
		d.t.Fatal(err)
	}
	h := &hook{Cmd: exec.Command(script), t: d.t}
	h.Env, h.Dir, h.Stdin, h.Stdout, h.Stderr = d.env, d.home, strings.NewReader(input), &h.out, &h.errs
	if err := h.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = h.Process.Signal(syscall.SIGTERM) })
	return h
}

const hookInput = `{"session_id":"s","cwd":"/home/ada/src/shop-api","hook_event_name":"PermissionRequest","tool_name":"Bash",
	"tool_input":{"command":"rm -r build # \u202ekcab","description":"clean"}}`

func TestClaudeHook(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.serve()
	for _, test := range []struct {
		name string
		do   func(id int)
		want string
	}{
		{"allowed", func(id int) { d.tap(id, "✅ Allow once") }, `{"behavior":"allow"}`},
		{"rejected", func(id int) { d.tap(id, "🚫 Reject") }, `{"behavior":"deny","message":"Denied by the user, on the phone."}`},
		{"in words", func(id int) { d.note(id, "Use make clean.") }, `{"behavior":"deny","message":"Use make clean."}`},
		{"words that allow nothing", func(id int) { d.note(id, "Allow once") }, `{"behavior":"deny","message":"Allow once"}`},
	} {
		h := d.hook(strings.Replace(hookInput, `"clean"`, `"`+test.name+`"`, 1))
		id := d.shows("description: " + test.name)
		if card := d.card(id); !strings.HasPrefix(card, "🔐 Run a command · shop-api\nrm -r build # [U+202E]kcab\n") || !strings.Contains(card, "in /home/ada/src/shop-api · Claude Code: shop-api") {
			t.Errorf("%s: it shows\n%s", test.name, card)
		}
		h.ends(test.name, test.want, func() { test.do(id) })
	}
}

// ends waits for the end of the hook, which decides so; empty: it decides nothing.
func (h *hook) ends(name, want string, do func()) {
	h.t.Helper()
	var err error
	ended := make(chan struct{})
	go func() { err = h.Wait(); close(ended) }()
	if !until(ended, do) {
		h.t.Fatalf("%s: it does not end", name)
	}
	if want != "" {
		want = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":` + want + "}}\n"
	}
	if err != nil || h.out.String() != want {
		h.t.Errorf("%s: it ended with %v and %q\n%s\nwant %q", name, err, h.out.String(), h.errs.String(), want)
	}
}

// The documented rule that answers questions at night allows nothing: a person sees it.
func TestClaudeHook_AtNight(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.rules = testenv.WriteFile(t, "rules.toml", atNight)
	d.serve()
	h := d.hook(strings.Replace(hookInput, `rm -r build # \u202ekcab`, "rm -rf /srv", 1))
	id := d.shows("rm -rf /srv")
	h.ends("at night", `{"behavior":"deny","message":"Denied by the user, on the phone."}`, func() { d.tap(id, "🚫 Reject") })
}

// What rules see of Claude Code's tools is what they see of OpenCode's.
func TestClaudeHook_ForRules(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.rules = testenv.WriteFile(t, "rules.toml", rulesOfPrograms+`
[[rule]]
name       = "notes"
permission = "edit"
pattern    = "docs/*"
directory  = "/home/ada/src"
decide     = "reject"
[[rule]]
name       = "pages"
permission = "webfetch"
pattern    = "https://*.example.org/*"
decide     = "reject"
`)
	d.serve()
	input := func(tool, given string) string {
		return `{"cwd":"/home/ada/src/shop-api","tool_name":"` + tool + `","tool_input":` + given + `}`
	}
	const deny = `{"behavior":"deny","message":"Denied by the user, on the phone."}`
	for _, test := range []struct{ tool, given, shows, want string }{
		{"Bash", `{"command":"git status"}`, "git status", deny},
		{"Bash", `{"command":"rm x"}`, "", `{"behavior":"deny","message":"Denied by the user's rule \"no deleting\"."}`},
		{"Edit", `{"file_path":"/home/ada/src/shop-api/docs/a.md","old_string":"a","new_string":"b"}`, "", `{"behavior":"deny","message":"Denied by the user's rule \"notes\"."}`},
		{"Edit", `{"file_path":"/home/ada/src/shop-api/docs/../b.md","old_string":"a","new_string":"b","replace_all":true}`, "b.md\n-a\n+b\nreplace_all: true", deny},
		{"Write", `{"file_path":"/etc/hosts","content":"x\ny"}`, "/etc/hosts\n+x\n+y", deny},
		{"WebFetch", `{"url":"https://www.example.org/x","prompt":"p"}`, "", `{"behavior":"deny","message":"Denied by the user's rule \"pages\"."}`},
		{"WebFetch", `{"url":"https://example.com/x"}`, "https://example.com/x", deny},
		{"mcp__db__drop table", `{"name":"orders","more":{"a":[1]}}`, "🔐 Use mcp__db__drop_table", deny},
	} {
		h := d.hook(input(test.tool, test.given))
		do := func() {}
		if test.shows != "" {
			id := d.shows(test.shows)
			do = func() { d.tap(id, "🚫 Reject") }
		}
		h.ends(test.tool+" "+test.given, test.want, do)
	}
}

// Decided in Claude Code's own dialog: the question goes from the phone.
func TestClaudeHook_Ends(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.serve()
	h := d.hook(hookInput)
	d.shows("rm -r build")
	if err := h.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := h.Wait(); err != nil || h.out.Len() > 0 {
		t.Errorf("it ended with %v and %q", err, h.out.String())
	}
	d.shows("Withdrawn by the program that asked")
}

// A hermes that says of an answer that it failed is not believed, and a program of the project is not asked at all.
func TestClaudeHook_WhomItBelieves(t *testing.T) {
	t.Parallel()
	const once = `{"status":"answered","answers":[{"question_id":"permission","selected_option_ids":["once"]}]}`
	for _, test := range []struct{ name, path, script, want, says string }{
		{"answered", "bin", "exit 0", `{"behavior":"allow"}`, ""},
		{"failed", "bin", "exit 1", "", ""},
		{"cancelled", "bin", "exit 3", "", ""},
		{"killed", "bin", "kill -9 $$", "", ""},
		{"of the project, by a dot", ".", "exit 0", "", "hermes is not in PATH"},
		{"of the project, by nothing", "", "exit 0", "", "hermes is not in PATH"},
		{"of the project, by a folder in it", "bin", "exit 0", "", "hermes is not in PATH"},
	} {
		d := newDesk(t)
		d.program("hermes", "cat >/dev/null; echo '"+once+"'; "+test.script)
		if test.says != "" {
			if err := os.Link(d.path("bin", "hermes"), d.path("hermes")); err != nil {
				t.Fatal(err)
			}
			d.env = append(d.env, "PATH="+test.path+":/usr/bin:/bin")
		}
		h := d.hookBeside(hookInput)
		h.ends(test.name, test.want, func() {})
		if !strings.Contains(h.errs.String(), test.says) {
			t.Errorf("%s: it says %q", test.name, h.errs.String())
		}
	}
}

func TestClaudeHook_WithoutHermes(t *testing.T) {
	d := newDesk(t)
	d.env = append(d.env, "HERMES_DB="+d.path("hermes.db"), "HERMES_LISTEN=127.0.0.1:1")
	h := d.hook(hookInput)
	if err := h.Wait(); err != nil || h.out.Len() > 0 || !strings.Contains(h.errs.String(), "no hermes runs") {
		t.Errorf("it ended with %v, %q and %s", err, h.out.String(), h.errs.String())
	}
}

// until does what a person does, again and again, until that has an end, or for half a
// minute: a tap that comes before hermes knows that its message was sent has no effect.
func until(ended <-chan struct{}, do func()) bool {
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for range 30 {
		do()
		select {
		case <-ended:
			return true
		case <-again.C:
		}
	}
	return false
}

// tap and reply fail where the message has ended meanwhile.
func (d *desk) tap(id int, label string) {
	_, _ = d.telegram.Tap(rig.Ada, rig.Ada, id, label)
}

func (d *desk) reply(id int, text string) {
	_, _ = d.telegram.Say(rig.Ada, rig.Ada, text, telegram.ReplyTo(id))
}

// note types words, and confirms them when hermes asks about them.
func (d *desk) note(id int, text string) {
	if strings.Contains(d.card(id), "Reject it, and tell the agent") {
		d.tap(id, "💬 Reject, say why")
		return
	}
	d.reply(id, text)
}

// card is the text of a message to Ada.
func (d *desk) card(id int) string {
	for _, m := range d.telegram.Messages(rig.Ada) {
		if m.ID == id {
			return m.Text
		}
	}
	return ""
}

// What the hook does not show as what changes it shows beside.
func TestClaudeHook_HidesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.serve()
	h := d.hook(`{"tool_name":"Write","cwd":"/home/ada/src/shop-api","hook_event_name":"PermissionRequest","tool_input":{"file_path":"/home/ada/src/shop-api/a.sh","content":"echo written","new_string":"echo shown"}}`)
	id := d.shows("echo shown")
	if card := d.card(id); !strings.Contains(card, "echo written") {
		t.Errorf("it shows\n%s", card)
	}
	h.ends("reject", `{"behavior":"deny","message":"Denied by the user, on the phone."}`, func() { d.tap(id, "🚫 Reject") })
}
