//go:build unix

package pending

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the lock of the file as bbolt does, for this process alone or together with others, and does not wait: it fails with
// [ErrLocked] if another process has it. Closing the file releases it.
func TryLock(file *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
