package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"hermes/internal/secret"
)

// Options say where the plugin goes and what it is told.
type Options struct {
	ConfigDir string              // OpenCode's configuration folder; empty: as OpenCode finds it from the environment
	URLs      []string            // of hermes, and of those that share its store; http or https; Install only
	Token     secret.Text         // of a link; Install only
	Getenv    func(string) string // nil: os.Getenv
}

// installation is where the files are.
type installation struct {
	config string // OpenCode's configuration folder
	folder string // plugin/ in it
	js     string
	link   string
}

// findInstallation follows OpenCode: OPENCODE_CONFIG_DIR, else $XDG_CONFIG_HOME/opencode, else ~/.config/opencode.
func findInstallation(o Options) (installation, error) {
	config, err := configDir(o)
	if err != nil {
		return installation{}, err
	}
	config, err = filepath.Abs(config)
	if err != nil {
		return installation{}, fmt.Errorf("find OpenCode's configuration folder: %w", err)
	}
	folder := filepath.Join(config, "plugin")
	return installation{config, folder, filepath.Join(folder, "hermes.js"), filepath.Join(folder, "hermes.json")}, nil
}

func configDir(o Options) (string, error) {
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	if o.ConfigDir != "" {
		return o.ConfigDir, nil
	}
	if dir := getenv("OPENCODE_CONFIG_DIR"); dir != "" {
		return dir, nil
	}
	if dir := getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "opencode"), nil
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".config", "opencode"), nil
	}
	return "", errors.New("OpenCode's configuration folder is not known, because HOME is not set; name it with --config-dir")
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
	if errors.Is(err, fs.ErrPermission) || isReadOnly(err) {
		hint = "; make the folder writable for this user, or name another with --config-dir"
	}
	return fmt.Errorf("could not %s %s: %w%s", doing, path, err, hint)
}
