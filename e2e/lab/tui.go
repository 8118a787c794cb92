package lab

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// terminal is a tmux server of its own with one pane, in which OpenCode runs.
type terminal struct {
	tmux string
	dir  string // of its socket
	pid  int
	look *time.Ticker // the next look at the screen waits for it: each is a process
}

// lookEvery is how often the screen is looked at, at the most.
const lookEvery = 150 * time.Millisecond

// hangs is the version that sometimes hangs at its start, with an empty screen.
const hangs = "1.1.53"

// startTUI starts the program, and again if it hangs. Others are slow on a busy machine, and
// would be slower if they had to begin again.
func (in *Instance) startTUI() {
	in.t.Helper()
	for tries := 0; tries < 3 && in.Version == hangs; tries++ {
		in.openTUI()
		if in.prompts(20 * time.Second) {
			return
		}
		in.Kill()
	}
	in.openTUI()
	in.AwaitScreen("Ask anything")
}

// prompts reports whether the program asks for a prompt within that time.
func (in *Instance) prompts(within time.Duration) bool {
	for end := time.Now().Add(within); time.Now().Before(end); {
		if strings.Contains(in.term().log(), "Ask anything") {
			return true
		}
	}
	return false
}

func (in *Instance) openTUI() {
	in.t.Helper()
	dir, err := os.MkdirTemp("", "lab-tmux-") // short: a socket's path is
	if err != nil {
		in.t.Fatal(err)
	}
	term := &terminal{tmux: tool(in.t, "tmux"), dir: dir, look: time.NewTicker(lookEvery)}
	width, height := in.opts.Width, in.opts.Height
	if width == 0 {
		width, height = 120, 40
	}
	args := []string{
		"-f", "/dev/null", "new-session", "-d", "-s", "opencode", "-c", in.Dir,
		"-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "env", "-i",
	}
	args = append(append(args, in.env()...), in.bin)
	if out, err := term.run(args...); err != nil {
		in.t.Fatalf("tmux does not start: %v\n%s", err, out)
	}
	in.run = term
	in.findPID(term)
}

func (in *Instance) findPID(term *terminal) {
	in.t.Helper()
	out, err := term.run("list-panes", "-t", "opencode", "-F", "#{pane_pid}")
	if err == nil {
		term.pid, err = strconv.Atoi(strings.TrimSpace(out))
	}
	if err != nil {
		in.t.Fatalf("opencode ended at once in tmux: %v %s", err, out)
	}
}

func (term *terminal) run(args ...string) (string, error) {
	cmd := exec.Command(term.tmux, append([]string{"-L", "lab"}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX_TMPDIR="+term.dir)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// kill ends OpenCode before tmux: 1.1.53 survives the end of its terminal.
func (term *terminal) kill() {
	if term.pid > 0 {
		syscall.Kill(-term.pid, syscall.SIGKILL)
		syscall.Kill(term.pid, syscall.SIGKILL)
		term.pid = 0
	}
	term.run("kill-server")
	os.RemoveAll(term.dir)
}

func (term *terminal) log() string {
	<-term.look.C
	out, err := term.run("capture-pane", "-p", "-t", "opencode")
	if err != nil {
		return "(the terminal is gone)"
	}
	return out
}

// term is the terminal of a TUI; a server has none.
func (in *Instance) term() *terminal {
	in.t.Helper()
	term, ok := in.run.(*terminal)
	if !ok {
		in.t.Fatalf("an OpenCode in mode %s has no screen", in.Mode)
	}
	return term
}

// Screen is what the terminal shows now, as lines of text.
func (in *Instance) Screen() string {
	in.t.Helper()
	return in.term().log()
}

// AwaitScreen waits until the terminal shows text.
func (in *Instance) AwaitScreen(text string) {
	in.t.Helper()
	in.Eventually(fmt.Sprintf("%q on the screen", text), func() bool { return strings.Contains(in.Screen(), text) })
}

// SendKeys presses keys by tmux's names: "Enter", "Down", "Escape", "C-c".
func (in *Instance) SendKeys(keys ...string) {
	in.t.Helper()
	in.keys(append([]string{"send-keys", "-t", "opencode"}, keys...)...)
}

// Type types text as it is.
func (in *Instance) Type(text string) {
	in.t.Helper()
	in.keys("send-keys", "-t", "opencode", "-l", "--", text)
}

// awaitTyped waits until the end of a typed text is on the screen: OpenCode
// may take keys later than they come, and Enter before the text is there sends
// nothing. Frames and line breaks of the screen are ignored.
func (in *Instance) awaitTyped(text string) {
	in.t.Helper()
	want := bare(text)
	want = want[max(0, len(want)-40):]
	in.Eventually(fmt.Sprintf("%q in the prompt", text), func() bool { return strings.Contains(bare(in.Screen()), want) })
}

// bare is text without white space and box characters.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x2500 && r < 0x25a0 {
			return -1
		}
		return r
	}, text)
}

func (in *Instance) keys(args ...string) {
	in.t.Helper()
	if out, err := in.term().run(args...); err != nil {
		in.t.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
}
