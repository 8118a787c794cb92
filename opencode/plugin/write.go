package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"hermes/internal/secret"
)

// cannotSync reports that it is not the folder's fault: some network file systems, and Windows, cannot make a folder's entries
// last. The files themselves are safe by then.
func cannotSync(err error) bool {
	return runtime.GOOS == "windows" || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// write makes path a file with this content, whole or not at all: OpenCode may be reading it. It reports no change if that is what
// it was.
func write(path string, content []byte, mode fs.FileMode) (changed bool, err error) {
	if same(path, content, mode) {
		return false, nil
	}
	// No name that OpenCode would load.
	temp, err := os.CreateTemp(filepath.Dir(path), ".hermes-*.tmp")
	if err != nil {
		return false, explainError("write", path, err)
	}
	defer os.Remove(temp.Name())
	if err := fill(temp, content, mode); err != nil {
		return false, explainError("write", path, err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return false, explainError("write", path, err)
	}
	return true, syncFolder(filepath.Dir(path))
}

func same(path string, content []byte, mode fs.FileMode) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || secret.ModesKept && info.Mode().Perm() != mode {
		return false
	}
	now, err := os.ReadFile(path)
	return err == nil && string(now) == string(content)
}

// fill closes f in every case.
func fill(f *os.File, content []byte, mode fs.FileMode) error {
	_, err := f.Write(content)
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}

// syncFolder makes a rename or removal in folder last.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return explainError("open", folder, err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !cannotSync(err) {
		return explainError("write", folder, err)
	}
	return nil
}

// keepAside stores content beside path under the first free name, and returns that.
func keepAside(path string, content []byte) (string, error) {
	for n := 1; ; n++ {
		kept := fmt.Sprintf("%s.kept-%d", path, n)
		f, err := os.OpenFile(kept, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", explainError("write", kept, err)
		}
		if err := fill(f, content, 0o600); err != nil {
			return "", explainError("write", kept, err)
		}
		return kept, nil
	}
}
