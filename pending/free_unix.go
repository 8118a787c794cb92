//go:build unix

package pending

import "syscall"

// FreeBytes is the space of a folder's disk that a user who is not root may fill. FreeBSD counts below zero when root has filled what is reserved.
func FreeBytes(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(max(0, s.Bavail)) * uint64(s.Bsize), nil
}
