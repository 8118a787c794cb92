//go:build unix

package flock

import (
	"os"
	"syscall"
)

const errHeld = syscall.EWOULDBLOCK // another process has the lock

// lock takes the lock of the file as bbolt does, and does not wait.
func lock(file *os.File, how Kind) error {
	flags := map[Kind]int{Shared: syscall.LOCK_SH, Exclusive: syscall.LOCK_EX}
	return syscall.Flock(int(file.Fd()), flags[how]|syscall.LOCK_NB)
}
