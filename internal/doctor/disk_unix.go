//go:build unix

package doctor

import "syscall"

// mayWriteIn reports whether this user may make files in a folder; known is whether the system was asked.
func mayWriteIn(dir string) (may, known bool) {
	const mayWrite = 2 // access(2)
	return syscall.Access(dir, mayWrite) == nil, true
}
