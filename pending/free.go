package pending

import (
	"fmt"
	"path/filepath"
)

// Free is how many bytes of the disk that has the file are left for hermes' user.
func (s *Store) Free() (uint64, error) {
	free, err := FreeBytes(filepath.Dir(s.path))
	if err != nil {
		return 0, fmt.Errorf("look at the disk of the database: %w", err)
	}
	return free, nil
}
