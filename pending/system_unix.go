//go:build unix

package pending

import (
	"errors"
	"os"
	"syscall"
)

// What an open of the database's path asks of the system: to refuse a symbolic link, which may have come since [Usable] looked,
// and not to wait for the other end of a pipe.
const (
	noFollow = syscall.O_NOFOLLOW
	noWait   = syscall.O_NONBLOCK
)

// tryLock takes the lock of the file as bbolt does, for this process alone, and does not wait: it fails with
// [ErrLocked] if another process has it. Closing the file releases it.
func tryLock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// FreeBytes is the space of a folder's disk that a user who is not root may fill. FreeBSD counts below zero when root has filled what is reserved.
func FreeBytes(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(max(0, s.Bavail)) * uint64(s.Bsize), nil
}
