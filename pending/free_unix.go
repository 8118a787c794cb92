//go:build unix

package pending

import (
	"fmt"
	"path/filepath"
	"syscall"
)

// Free is how many bytes of the disk that has the file are left for hermes' user. False: this system does not tell.
func (s *Store) Free() (free uint64, known bool, err error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(s.path), &disk); err != nil {
		return 0, false, fmt.Errorf("look at the disk of the database: %w", err)
	}
	return uint64(max(0, disk.Bavail)) * uint64(disk.Bsize), true, nil
}
