package demo

import (
	"os"
	"syscall"
)

// ownGroup is for a process that a Ctrl-C at the console does not reach.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup ends the process itself. What a script on PATH has started may go on.
func killGroup(p *os.Process) { _ = p.Kill() }
