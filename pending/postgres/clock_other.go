//go:build unix && !linux

package postgres

import "golang.org/x/sys/unix"

const sleepingToo = unix.CLOCK_MONOTONIC // on macOS it counts sleep
