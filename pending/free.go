package pending

import (
	"fmt"
	"path/filepath"
)

// Free is how many bytes of the disk that has the file are left for hermes' user. It fails with [errors.ErrUnsupported] where the database is no file.
func (s *Store) Free() (uint64, error) {
	if s.path == "" {
		return 0, errNoFile
	}
	free, err := FreeBytes(filepath.Dir(s.path))
	if err != nil {
		return 0, fmt.Errorf("look at the disk of the database: %w", err)
	}
	return free, nil
}
