package pending

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"hermes/pending/kv"
)

// prepare makes the directory and returns the path without links above the file, so
// that what is put beside the file stays beside it. It changes nothing of a file that
// is there.
func prepare(path string) (string, error) {
	if path == "" {
		return "", errors.New("no database file is named: set HERMES_DB")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the directory of the database (HERMES_DB): %w", err)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", fmt.Errorf("find the directory of the database (HERMES_DB): %w", err)
	}
	return filepath.Join(dir, filepath.Base(path)), nil
}

// keepPrivate takes the file's mode from everybody but its owner.
func keepPrivate(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, info.Mode().Perm()&0o700)
	}
	if err != nil {
		return fmt.Errorf("keep the database to its owner (HERMES_DB): %w", err)
	}
	return nil
}

// SyncDir makes the file's name, in its folder, as lasting as its content. Some file systems
// cannot do that, which is no reason not to work on them.
func SyncDir(path string) {
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

func isAt(info os.FileInfo, path string) bool {
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(info, there)
}

// Where bbolt's two first pages say what they are (bbolt 1.5, internal/common).
const (
	pageHeader = 16
	metaPage   = 4 // its flags
	metaMagic  = 0xED0CDAED
)

// takeAnother is what a person does about a file that is not hermes'.
const takeAnother = "set HERMES_DB to another file; this one was not touched"

// Usable reports why hermes must not use what is at the path: [ErrLink] for a symbolic
// link, whatever it leads to, [ErrForeign] for what is no file and for a file that is no
// database; fs.ErrNotExist where nothing is there. A file that is empty or all zero can
// be hermes', from a crash when it was first made. Usable changes nothing.
func Usable(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return fmt.Errorf("open the database (HERMES_DB): %w", err)
	case info.Mode()&os.ModeSymlink != 0:
		return fmt.Errorf("%s is %w: set HERMES_DB to the file itself; nothing was touched", path, ErrLink)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file, so it is %w: %s", path, ErrForeign, takeAnother)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|noFollow|noWait, 0)
	if err != nil {
		return fmt.Errorf("open the database (HERMES_DB): %w", err)
	}
	defer file.Close()
	known, err := isDatabase(file)
	switch {
	case err != nil:
		return fmt.Errorf("read the database %s (HERMES_DB): %w", path, err)
	case !known:
		return fmt.Errorf("%s: %w: %s", path, ErrForeign, takeAnother)
	}
	return nil
}

// isDatabase reports whether the file is empty, all zero, or has bbolt's magic number in
// one of its two first pages, of whatever size bbolt looks for.
func isDatabase(file *os.File) (bool, error) {
	magic := func(page int64) bool {
		b := make([]byte, 4)
		_, err := file.ReadAt(b, page+pageHeader)
		return err == nil && binary.LittleEndian.Uint32(b) == metaMagic
	}
	if magic(0) {
		return true, nil
	}
	for size := int64(1 << 10); size <= 16<<20; size *= 2 {
		if magic(size) {
			return true, nil
		}
	}
	return isAllZero(file)
}

func isAllZero(r io.Reader) (bool, error) {
	b := make([]byte, 64<<10)
	for {
		n, err := r.Read(b)
		for _, c := range b[:n] {
			if c != 0 {
				return false, nil
			}
		}
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// Lock takes the lock by which one hermes at a time uses the database that is there, as bbolt takes it, and waits for nobody: it fails with [ErrLocked] while a
// hermes has it, and with fs.ErrNotExist where there is none. What [Usable] refuses is not opened. Closing the file releases the lock.
func Lock(path string) (*os.File, error) {
	if err := Usable(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := lockAt(file, path); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return file, nil
}

// lockAt takes the lock of a file that must still be the one at the path: a hermes that was just starting may have rewritten it, or moved it
// aside, and then holds the lock of another one.
func lockAt(file *os.File, path string) error {
	if err := tryLock(file); err != nil {
		return err
	}
	if info, err := file.Stat(); err != nil || !isAt(info, path) {
		return ErrLocked
	}
	return nil
}

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
