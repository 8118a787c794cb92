package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"hermes/internal/secret"
)

// Options say where the plugin goes and what it is told.
type Options struct {
	ConfigDir string              // OpenCode's configuration folder; empty: as OpenCode finds it from the environment
	URLs      []string            // of hermes, and of those that share its store; http or https; Install only
	Token     secret.Text         // of a link; Install only
	Getenv    func(string) string // nil: os.Getenv
}

func (o Options) getenv(name string) string {
	if o.Getenv == nil {
		return os.Getenv(name)
	}
	return o.Getenv(name)
}

// installation is where the files are.
type installation struct {
	config string // OpenCode's configuration folder
	folder string // plugin/ in it
	js     string
	link   string
	found  []byte // the plugin that is there; nil: none
}

// findInstallation follows OpenCode: OPENCODE_CONFIG_DIR, else $XDG_CONFIG_HOME/opencode, else ~/.config/opencode.
func findInstallation(o Options) (installation, error) {
	config := o.ConfigDir
	if config == "" {
		config = o.getenv("OPENCODE_CONFIG_DIR")
	}
	if dir := o.getenv("XDG_CONFIG_HOME"); config == "" && dir != "" {
		config = filepath.Join(dir, "opencode")
	}
	if home := o.getenv("HOME"); config == "" && home != "" {
		config = filepath.Join(home, ".config", "opencode")
	}
	if config == "" {
		return installation{}, errors.New("OpenCode's configuration folder is not known, because HOME is not set; name it with --config-dir")
	}
	config, err := filepath.Abs(config)
	if err != nil {
		return installation{}, fmt.Errorf("find OpenCode's configuration folder: %w", err)
	}
	folder := filepath.Join(config, "plugin")
	return installation{config: config, folder: folder, js: filepath.Join(folder, "hermes.js"), link: filepath.Join(folder, "hermes.json")}, nil
}

// readPlain returns a plain file, nil if there is none. A symbolic link is refused: it leads to a file that someone keeps elsewhere, and
// that hermes must neither change nor replace by one of its own.
func readPlain(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, explainError("look at", path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s is a symbolic link; hermes writes a plain file there: remove the link and try again", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a plain file; move it away and try again", path)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, explainError("read", path, err)
	}
	return content, nil
}

// warnOfDuplicates warns of what OpenCode would load besides hermes.js.
func (p installation) warnOfDuplicates() []string {
	var warnings []string
	for _, other := range []string{"plugins/hermes.js", "plugins/hermes.ts", "plugin/hermes.ts"} {
		path := filepath.Join(p.config, filepath.FromSlash(other))
		if _, err := os.Lstat(path); err == nil {
			warnings = append(warnings, fmt.Sprintf("OpenCode also loads %s; remove it, so that the plugin does not run twice", path))
		}
	}
	return warnings
}

// explainError wraps an error of the file system in a sentence.
func explainError(doing, path string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	hint := ""
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		hint = "; make the folder writable for this user, or name another with --config-dir"
	}
	return fmt.Errorf("could not %s %s: %w%s", doing, path, err, hint)
}

// write makes path a file with this content, whole or not at all: OpenCode may be reading it. It reports whether the content is new.
func write(path string, content []byte, mode fs.FileMode) (changed bool, err error) {
	before, err := os.ReadFile(path)
	changed = err != nil || string(before) != string(content)
	info, err := os.Lstat(path)
	if !changed && err == nil && (!secret.ModesKept || info.Mode().Perm() == mode) {
		return false, nil
	}
	// No name that OpenCode would load.
	temp, err := os.CreateTemp(filepath.Dir(path), ".hermes-*.tmp")
	if err != nil {
		return false, explainError("write", path, err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(content)
	if err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return false, explainError("write", path, err)
	}
	return changed, nil
}

// keepEdited moves a plugin that hermes did not write just so to the first free name beside it, and returns that.
func (p installation) keepEdited() (kept string, err error) {
	if _, ours := versionOfSealed(p.found); ours || p.found == nil {
		return "", nil
	}
	for n := 1; ; n++ {
		kept = fmt.Sprintf("%s.kept-%d", p.js, n)
		if _, err := os.Lstat(kept); err == nil {
			continue
		}
		if err := os.Rename(p.js, kept); err != nil {
			return "", explainError("write", kept, err)
		}
		return kept, nil
	}
}
