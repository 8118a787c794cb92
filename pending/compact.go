package pending

import (
	"os"

	bolt "go.etcd.io/bbolt"
)

const (
	compactFrom  = 8 << 20 // bytes of pages below which nothing is rewritten
	compactTimes = 2       // and how many times as many as those in use they must be
)

// compact rewrites a file that is mostly empty: bbolt never makes one smaller, and
// writes the list of its free pages in every commit. It only saves space: if it
// fails, the file is as it was, and the next start tries again. The rename is the commit
// point: a crash before it leaves the old file and a copy that nobody reads, one behind it
// the new file, which is on disk whole.
func (o *opener) compact() error {
	size, used := pageBytes(o.file)
	if size <= compactFrom || size <= compactTimes*used {
		return nil
	}
	small := o.path + ".compact"
	defer os.Remove(small) // there only after a failure
	if err := o.copyTo(small); err != nil {
		return nil
	}
	if err := os.Rename(small, o.path); err != nil {
		return nil
	}
	SyncDir(o.path)
	o.detach()
	return o.attach()
}

// pageBytes is the size of the pages, in bytes, and of those in use. The file has some that were
// never written behind them, for bbolt makes it larger by 16 MiB at once.
func pageBytes(file *bolt.DB) (size, used int64) {
	_ = file.View(func(tx *bolt.Tx) error {
		size = tx.Size()
		return nil
	})
	return size, size - int64(file.Stats().FreePageN*file.Info().PageSize)
}

func (o *opener) copyTo(path string) error {
	_ = os.Remove(path) // from a try that was cut off
	dst, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockWait, NoSync: true})
	if err != nil {
		return err
	}
	err = bolt.Compact(dst, o.file, 1<<20)
	if err == nil {
		err = dst.Sync()
	}
	if closeErr := dst.Close(); err == nil {
		err = closeErr
	}
	return err
}
