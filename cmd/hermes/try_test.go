package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// Ctrl-C ends the command with 0 and leaves no folder behind.
func TestTry_CtrlC(t *testing.T) {
	testenv.Isolate(t)
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	var out, errs testenv.LockedBuffer
	code := make(chan int, 1)
	go func() {
		code <- run([]string{"try", "--no-browser"}, streams{in: strings.NewReader(""), out: &out, err: &errs})
	}()
	rig.PrintedAddress(t, &out, nil)
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != 0 || errs.String() != "" {
		t.Errorf("it exits with %d: %s", got, errs.String())
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %q, %v", left, err)
	}
}

func TestTry_Listen(t *testing.T) {
	testenv.Isolate(t)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for _, test := range []struct {
		address, want string
		code          int
	}{
		{busy.Addr().String(), "hermes: --listen: another program uses " + busy.Addr().String() + "; choose another port", exitFailure},
		{"0.0.0.0:8080", "hermes: --listen: is not a loopback address with a port", exitUsage},
		{"8080", "hermes: --listen: is not a loopback address with a port", exitUsage},
	} {
		var out, errs strings.Builder
		code := run([]string{"try", "--no-browser", "--listen", test.address}, streams{in: strings.NewReader(""), out: &out, err: &errs})
		if code != test.code || !strings.Contains(errs.String(), test.want) {
			t.Errorf("%s: got %d, %s", test.address, code, errs.String())
		}
	}
}
