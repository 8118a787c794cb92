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

	telegram "hermes/telegram/simulator"
)

// hook is deploy/claude-permission.mjs under way, as Claude Code runs it.
type hook struct {
	*exec.Cmd
	out, errs bytes.Buffer
}

func (d *desk) hook(input string) *hook {
	d.t.Helper()
	script, err := filepath.Abs("../../deploy/claude-permission.mjs")
	if err != nil {
		d.t.Fatal(err)
	}
	d.program("hermes", fmt.Sprintf("exec %q -test.run='^TestMainAsProcess$' -- \"$@\"", os.Args[0]))
	h := &hook{Cmd: exec.Command(script)}
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
		{"allowed", func(id int) { d.tap(id, "1.") }, `{"behavior":"allow"}`},
		{"denied", func(id int) { d.tap(id, "2.") }, `{"behavior":"deny","message":"Denied by the user, on the phone."}`},
		{"in words", func(id int) { d.reply(id, "Use make clean.") }, `{"behavior":"deny","message":"Use make clean."}`},
		{"words that begin like an option", func(id int) { d.reply(id, "allow\nnothing") }, `{"behavior":"deny","message":"allow\nnothing"}`},
		{"dismissed", func(id int) { d.tap(id, "🚫") }, ""},
	} {
		tool := strings.ReplaceAll(test.name, " ", "_")
		h := d.hook(strings.Replace(hookInput, `"Bash"`, `"`+tool+`"`, 1))
		id := d.shows("Allow " + tool + "?")
		if card := d.card(id); !strings.Contains(card, `"command": "rm -r build # \u202ekcab"`) || !strings.Contains(card, "Claude Code: shop-api") {
			t.Errorf("%s: it shows\n%s", test.name, card)
		}
		var err error
		ended := make(chan struct{})
		go func() { err = h.Wait(); close(ended) }()
		until(ended, func() { test.do(id) })
		want := ""
		if test.want != "" {
			want = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":` + test.want + "}}\n"
		}
		if err != nil || h.out.String() != want {
			t.Errorf("%s: it ended with %v and %q\n%s\nwant %q", test.name, err, h.out.String(), h.errs.String(), want)
		}
	}
}

// Decided in Claude Code's own dialog: the question goes from the phone.
func TestClaudeHookEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.serve()
	h := d.hook(hookInput)
	id := d.shows("Allow Bash?")
	if err := h.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := h.Wait(); err != nil || h.out.Len() > 0 {
		t.Errorf("it ended with %v and %q", err, h.out.String())
	}
	d.dismissed(id)
}

func TestClaudeHookWithoutHermes(t *testing.T) {
	d := newDesk(t)
	d.env = append(d.env, "HERMES_DB="+d.path("hermes.db"), "HERMES_LISTEN=127.0.0.1:1")
	h := d.hook(hookInput)
	if err := h.Wait(); err != nil || h.out.Len() > 0 || !strings.Contains(h.errs.String(), "no hermes runs") {
		t.Errorf("it ended with %v, %q and %s", err, h.out.String(), h.errs.String())
	}
}

// until does what a person does, again and again, until that has an end: a tap that
// comes before hermes knows that its message was sent has no effect.
func until(ended <-chan struct{}, do func()) {
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		do()
		select {
		case <-ended:
			return
		case <-again.C:
		}
	}
}

// tap and reply fail where the message has ended meanwhile.
func (d *desk) tap(id int, label string) {
	_, _ = d.telegram.Tap(ada, ada, id, label)
}

func (d *desk) reply(id int, text string) {
	_, _ = d.telegram.Say(ada, ada, text, telegram.ReplyTo(id))
}

// card is the text of a message to Ada.
func (d *desk) card(id int) string {
	for _, m := range d.telegram.Messages(ada) {
		if m.ID == id {
			return m.Text
		}
	}
	return ""
}
