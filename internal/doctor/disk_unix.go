//go:build unix

package doctor

import "syscall"

// freeBytes is the space that a user who is not root may fill. FreeBSD counts below zero when root has filled what is reserved.
func freeBytes(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(max(0, s.Bavail)) * uint64(s.Bsize), nil
}

// mayWriteIn reports whether this user may make files in a folder; known is whether the system was asked.
func mayWriteIn(dir string) (may, known bool) {
	const mayWrite = 2 // access(2)
	return syscall.Access(dir, mayWrite) == nil, true
}
