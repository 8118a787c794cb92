//go:build unix

package pgtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Shutdown ends the server as an administrator does: transactions under way are cut off, and what was committed is on the disk.
func (s *Server) Shutdown(t testing.TB) {
	t.Helper()
	s.mustRun(t, s.dir, "pg_ctl", "-D", s.data, "-w", "-m", "fast", "stop")
}

// Kill ends all processes of the server at once, as the loss of its machine does. It returns when they are gone; one that does not run is left so.
func (s *Server) Kill() {
	main := s.pid()
	if main == 0 {
		return
	}
	_ = syscall.Kill(main, syscall.SIGSTOP) // so that it starts no more
	all := append(children(main), main)
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	for _, pid := range all {
		for alive(pid) {
			time.Sleep(5 * time.Millisecond)
		}
	}
	_ = os.Remove(filepath.Join(s.data, "postmaster.pid")) // its process is still one where nobody waits for orphans
}

// Pause stops all processes where they are: connections stay open and are not answered.
func (s *Server) Pause() { s.signal(syscall.SIGSTOP) }

// Continue lets a paused server go on.
func (s *Server) Continue() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	main := s.pid()
	if main == 0 {
		return
	}
	_ = syscall.Kill(main, sig)
	for _, pid := range children(main) {
		_ = syscall.Kill(pid, sig)
	}
}

// pid is that of the server's first process; 0: it does not run.
func (s *Server) pid() int {
	text, err := os.ReadFile(filepath.Join(s.data, "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || !alive(pid) || !strings.Contains(commandLine(pid), s.data) {
		return 0
	}
	return pid
}

func commandLine(pid int) string {
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	return string(text)
}

func children(parent int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name))); parentOf(name) == parent {
			pids = append(pids, pid)
		}
	}
	return pids
}

func alive(pid int) bool {
	fields := statOf(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return len(fields) > 0 && fields[0] != "Z"
}

func parentOf(stat string) int {
	fields := statOf(stat)
	if len(fields) < 2 {
		return 0
	}
	pid, _ := strconv.Atoi(fields[1])
	return pid
}

// statOf is the fields behind the name of the process, which may itself have blanks and brackets: the state is the first.
func statOf(stat string) []string {
	text, err := os.ReadFile(stat)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}
