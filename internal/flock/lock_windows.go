package flock

import (
	"math"
	"os"

	"golang.org/x/sys/windows"
)

const errHeld = windows.ERROR_LOCK_VIOLATION // another process has the lock

// lock takes the lock of the file as bbolt does, and does not wait: of one byte at the far end, where no data is.
func lock(file *os.File, how Kind) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if how == Exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	end := &windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxUint32}
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, end)
}
