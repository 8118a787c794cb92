package pending

import "testing"

// The file has a size, also while somebody writes; the disk tells what is left, on every system.
func TestStore_SizeAndFree(t *testing.T) {
	ofFile(t)
	s := open(t, dbPath(t))
	if n, err := s.Size(); err != nil || n < 4096 {
		t.Errorf("the size is %d: %v", n, err)
	}
	if free, err := s.Free(); err != nil || free == 0 {
		t.Errorf("%d bytes are left: %v", free, err)
	}
}
