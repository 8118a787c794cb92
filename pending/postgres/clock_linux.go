package postgres

import "golang.org/x/sys/unix"

const sleepingToo = unix.CLOCK_BOOTTIME
