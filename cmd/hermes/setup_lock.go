package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lockDatabase takes the lock by which one hermes at a time uses a database (a
// flock on the file, as bbolt takes it), and returns what lets go of it. busy
// means that a hermes runs. Where there is no database none ever ran, and there
// is nothing to lock.
func lockDatabase(path string) (unlock func(), busy bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, false, nil
	}
	if err != nil {
		return nil, false, plain(err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return func() {}, true, f.Close()
	}
	if err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, false, nil
}
