//go:build unix

package service

import (
	"errors"
	"io/fs"
	"syscall"
)

const noWait = syscall.O_NONBLOCK // a pipe keeps nobody waiting

// faultOf is why a file cannot be believed by this user; empty: it can.
func faultOf(info fs.FileInfo, user int) Fault {
	owner, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.Mode().IsRegular():
		return Malformed
	case !known || int(owner.Uid) != user:
		return Foreign
	case info.Mode().Perm()&0o077 != 0:
		return Exposed
	}
	return ""
}

// runs reports whether a process runs as this user. A number that another program of the user
// has got since counts too: see Transport.
func runs(pid int) bool { return syscall.Kill(pid, 0) == nil } // signal 0 only asks

// Exists reports whether a process of this machine has the number, whoever runs it.
func Exists(pid int) bool { return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
