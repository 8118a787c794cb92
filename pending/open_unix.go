//go:build unix

package pending

import "syscall"

// What an open of the database's path asks of the system: to refuse a symbolic link, which may have come since [Usable] looked,
// and not to wait for the other end of a pipe.
const (
	noFollow = syscall.O_NOFOLLOW
	noWait   = syscall.O_NONBLOCK
)
