package pending

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// Windows has no such flags for an open. [Usable] looks for a link before; one that is made between that and the open is followed.
// To make a link there takes a right that only administrators have by default.
const (
	noFollow = 0
	noWait   = 0
)

// tryLock takes the lock of the file as bbolt does, for this process alone, and does not wait: it fails with
// [ErrLocked] if another process has it. Closing the file releases it. What is locked is one byte at the far end, where no data is.
func tryLock(file *os.File) error {
	const flags = windows.LOCKFILE_FAIL_IMMEDIATELY | windows.LOCKFILE_EXCLUSIVE_LOCK
	end := &windows.Overlapped{Offset: math.MaxUint32, OffsetHigh: math.MaxUint32}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, end)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}

// FreeBytes is the space of a folder's disk that this user may fill.
func FreeBytes(dir string) (free uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	return free, windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
}
