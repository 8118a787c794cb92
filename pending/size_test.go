package pending

import (
	"runtime"
	"testing"
)

// The file has a size, also while somebody writes; on Linux and macOS the disk tells what is left.
func TestStore_SizeAndFree(t *testing.T) {
	s := open(t, dbPath(t))
	if n, err := s.Size(); err != nil || n < 4096 {
		t.Errorf("the size is %d: %v", n, err)
	}
	told := runtime.GOOS == "linux" || runtime.GOOS == "darwin"
	if free, known, err := s.Free(); err != nil || known != told || (free > 0) != told {
		t.Errorf("%d bytes are left (%v): %v", free, known, err)
	}
}
