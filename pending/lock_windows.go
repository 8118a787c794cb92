package pending

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock takes the lock of the file as bbolt does, for this process alone or together with others, and does not wait: it fails with
// [ErrLocked] if another process has it. Closing the file releases it. What is locked is one byte at the far end, where no data is.
func TryLock(file *os.File, alone bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	end := &windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxUint32}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, end)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
