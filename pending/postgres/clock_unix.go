//go:build unix

package postgres

import (
	"time"

	"golang.org/x/sys/unix"
)

// awake is a clock that nobody sets, and that runs on while the machine sleeps: Go's own monotonic clock stands still meanwhile.
func awake() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(sleepingToo, &t); err != nil {
		panic("read the clock of the system: " + err.Error())
	}
	return time.Duration(t.Nano())
}
