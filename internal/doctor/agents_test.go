package doctor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// OpenCode is asked in the working directory and in those of this machine's links, each once.
func TestDoctor_AsksOpenCodeWhoMayAsk(t *testing.T) {
	playDoctor(t, false, func(c *doctorRig) {
		host, err := os.Hostname()
		if err != nil {
			t.Fatal(err)
		}
		mine, mute, other := t.TempDir(), filepath.Join(t.TempDir(), "mute"), filepath.Join(t.TempDir(), "mute")
		c.here = mine
		c.linkUp(mine, host, 1)
		c.linkUp(mute, host, 1)
		c.linkUp(other, "elsewhere", 1)
		c.finds("question tool", gradeOK, mine+": build, team/reviewer may ask", "")
		c.finds("question tool", gradeWarn, mute+": build, team/reviewer may not ask", `"question": "allow"`)
		for _, d := range c.examine() {
			if strings.Contains(d.Detail, other+":") {
				t.Errorf("another machine's directory: %+v", d)
			}
		}
	})
}

// noStatus is where no hermes runs.
func noStatus() statusReply { return statusReply{} }

// A working directory that was deleted is not looked at.
func TestDoctor_AsksNothingInADirectoryThatIsGone(t *testing.T) {
	d := &Doctor{status: noStatus}
	d.world.agents = func(_ context.Context, directory string) (string, error) {
		t.Errorf("OpenCode is asked in %q", directory)
		return "", nil
	}
	if list := d.checkDirectories(t.Context()); len(list) != 0 {
		t.Errorf("it says %+v", list)
	}
}

// Where OpenCode does not say it, nothing is said of its agents, and that is no fault of hermes.
func TestDoctor_OpenCodeDoesNotSayWhoMayAsk(t *testing.T) {
	for _, c := range []struct {
		text string
		err  error
		want string // of the one line; empty: there is none
	}{
		{"", exec.ErrNotFound, "there is no opencode on the PATH"},
		{"", errors.New("exit status 1"), "/src: opencode agent list does not say which agents may ask: exit status 1"},
		{"", errSecond, ""},
		{"Usage: opencode [project]", nil, "/src: OpenCode does not say which agents may ask"},
		{"build (primary)\n  [ half", nil, "/src: OpenCode does not say which agents may ask"},
	} {
		d := &Doctor{status: noStatus, world: World{Here: "/src"}}
		d.world.agents = func(context.Context, string) (string, error) { return c.text, c.err }
		list := d.checkDirectories(t.Context())
		if c.want == "" && len(list) == 0 {
			continue
		}
		if len(list) != 1 || list[0].Status != gradeSkip || !strings.HasPrefix(list[0].Detail, c.want) {
			t.Errorf("%q, %v: %+v, want %q", c.text, c.err, list, c.want)
		}
	}
}

// OpenCode 1.x lists its agents without its plugins, as hermes' own would open a link. One that hangs ends with the check.
func TestListAgents_LoadsNoPluginAndEnds(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	opencode := func(script string) {
		if err := os.WriteFile(filepath.Join(bin, "opencode"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	opencode(`case "$1" in --version) echo 1.18.34;; *) echo "$* pure=$OPENCODE_PURE"; env | grep ^PWD=;; esac`)
	here := t.TempDir()
	if text, err := listAgents(t.Context(), here); err != nil || text != "agent list pure=1\nPWD="+here {
		t.Errorf("it answers %q, %v", text, err)
	}
	opencode("sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := listAgents(ctx, here); err == nil || err.Error() != "it takes too long" {
		t.Errorf("it fails with %v", err)
	}
}
