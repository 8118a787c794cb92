//go:build unix

package daemon

import "syscall"

// maxDescriptors is RLIMIT_NOFILE, which Go has raised as far as it may be.
func maxDescriptors() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return mostConnections * 2
	}
	return uint64(limit.Cur)
}
