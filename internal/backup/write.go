package backup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hermes/pending"
)

// ErrExists means that there is a file of that name, which was left as it is.
var ErrExists = errors.New("there is a file of that name")

// Write makes a file of what fill writes, for its owner alone (0600), and checks it: that it is
// on disk, that every record can be reached and that its journal's chain holds. Until then the
// file has another name, of the same folder, and a failure leaves neither. replace lets it take the
// place of a file that is there, at once and whole; without it that is [ErrExists].
func Write(path string, replace bool, fill func(io.Writer) error) (c pending.Copied, err error) {
	if _, err := os.Lstat(path); !replace && !errors.Is(err, fs.ErrNotExist) {
		return c, errors.Join(err, fmt.Errorf("%s: %w", path, ErrExists))
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // 0600
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("there is no folder %s; make it first: %w", filepath.Dir(path), err)
	}
	if err != nil {
		return c, err
	}
	defer os.Remove(part.Name())
	if err := errors.Join(fill(part), part.Sync(), part.Close()); err != nil {
		return c, err
	}
	if c, err = pending.CheckCopy(part.Name()); err != nil {
		return c, fmt.Errorf("what was copied is no sound database, and was removed: %w", err)
	}
	if err := name(part.Name(), path, replace); err != nil {
		return c, err
	}
	pending.SyncDir(path)
	return c, nil
}

// name gives the file its name. A link refuses one that was made meanwhile; where the file
// system has no links, a rename does.
func name(part, path string, replace bool) error {
	if !replace {
		err := os.Link(part, path)
		if err == nil {
			return nil
		}
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s: %w", path, ErrExists)
		}
	}
	return os.Rename(part, path)
}
