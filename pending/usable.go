package pending

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

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
