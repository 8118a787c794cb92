//go:build unix

package prometheus

import (
	"syscall"
	"time"
)

func cpuSeconds() (float64, bool) {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	took := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	return took.Seconds(), err == nil
}

func maxFiles() (float64, bool)  { return limit(syscall.RLIMIT_NOFILE) }
func maxMemory() (float64, bool) { return limit(syscall.RLIMIT_AS) }

func limit(of int) (float64, bool) {
	var l syscall.Rlimit
	err := syscall.Getrlimit(of, &l)
	return float64(l.Cur), err == nil
}
