package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ReadSmall reads a file of at most MaxFile bytes.
func ReadSmall(path string) (text string, mode fs.FileMode, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err == nil && len(b) > MaxFile {
		err = fmt.Errorf("the file is larger than %d KiB", MaxFile>>10)
	}
	return string(b), info.Mode().Perm(), err
}

// WithoutPath takes the path out of a file error and words the usual ones. A path that
// comes from a variable is not shown: it could be a secret put there by mistake.
func WithoutPath(err error) error {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("hermes may not read the file; check its owner and mode")
	case errors.Is(err, syscall.EISDIR):
		return errors.New("that is a directory, not a file")
	}
	return path.Err
}
