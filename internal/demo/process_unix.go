//go:build unix

package demo

import (
	"os"
	"syscall"
)

// ownGroup is for a process with a group of its own: what is on PATH may be a script that starts the program, and Ctrl-C is
// hermes' to pass on.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a process of ownGroup and all that it has started.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
