package pending

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"hermes/pending/kv"
)

// errNoFile is about a database of which no file is known here.
var errNoFile = fmt.Errorf("the database of HERMES_STORE is no file: %w", errors.ErrUnsupported)

// Size is how long the file is, in bytes. It does not wait for those who read or write. A database that is no file may
// tell what it takes; else Size fails with [errors.ErrUnsupported].
func (s *Store) Size() (int64, error) {
	if s.path == "" {
		if db, ok := s.db.(kv.Sizer); ok {
			return db.Size()
		}
		return 0, errNoFile
	}
	info, err := os.Stat(s.path)
	if err != nil {
		return 0, fmt.Errorf("look at the database: %w", err)
	}
	return info.Size(), nil
}

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
