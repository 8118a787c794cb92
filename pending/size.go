package pending

import (
	"fmt"
	"os"
)

// Size is how long the file is, in bytes. It does not wait for those who read or write.
func (s *Store) Size() (int64, error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return 0, fmt.Errorf("look at the database: %w", err)
	}
	return info.Size(), nil
}
