package opencode

import (
	"bytes"
	"testing"
	"testing/synctest"
)

// However large the events of a link are, a bounded size of them waits to be read; all are read in order, and the
// end frees who writes.
func TestFrames_SizeOfWhatWaitsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, written := newFrames(), 0
		frame := bytes.Repeat([]byte("x"), 4<<20)
		go func() {
			for range 20 {
				f.write(frame)
				written++
			}
			f.write(bytes.Repeat([]byte("y"), maxFramesSize+1))
			f.close()
		}()
		synctest.Wait()
		if size := written * len(frame); written == 0 || size > maxFramesSize {
			t.Errorf("%d bytes wait", size)
		}
		for n := range 20 {
			if got := f.next(t.Context()); len(got) != len(frame) {
				t.Errorf("frame %d has %d bytes", n, len(got))
			}
		}
		if got := f.next(t.Context()); len(got) != maxFramesSize+1 || f.next(t.Context()) != nil {
			t.Errorf("the last has %d bytes", len(got))
		}
		g := newFrames()
		go func() {
			for range 20 {
				g.write(frame)
			}
		}()
		synctest.Wait()
		g.close()
	})
}
