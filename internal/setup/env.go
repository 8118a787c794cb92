package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hermes/internal/config"
	"hermes/internal/secret"
)

// envEdit is what one variable in hermes.env shall be.
type envEdit struct {
	Name   string
	Value  string
	Secret bool // its value is not shown
	Remove bool // the line goes; Value is unused
}

// envChange is a line that differs: Before is "" for a new one, After for one
// that goes. Secret values are masked.
type envChange struct{ Name, Before, After string }

// newEnv begins a file that is not there yet.
const newEnv = "# Configuration of hermes, written by hermes setup. It holds the bot's token: keep\n" +
	"# it to yourself (chmod 600). hermes config example explains every variable.\n\n"

// editEnv returns the text with the edits made, and what differs. All other lines
// stay as they are, byte for byte. A new variable goes after the line that has it
// as an example (#NAME=), else to the end.
func editEnv(text string, edits []envEdit) (string, []envChange) {
	values, _ := config.ParseEnv(text)
	if text == "" {
		text = newEnv
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var changes []envChange
	for _, e := range edits {
		before, there := values[e.Name]
		if e.Remove && !there || !e.Remove && before == e.Value {
			continue
		}
		lines = e.apply(lines)
		changes = append(changes, e.change(before))
	}
	return strings.Join(lines, "\n") + "\n", changes
}

func (e envEdit) apply(lines []string) []string {
	line := e.Name + "=" + e.Value
	at := slices.IndexFunc(lines, func(l string) bool { return setsVariable(l, e.Name) })
	example := slices.IndexFunc(lines, func(l string) bool { return setsVariable(strings.TrimPrefix(l, "#"), e.Name) })
	switch {
	case e.Remove:
		return slices.Delete(lines, at, at+1)
	case at >= 0:
		if strings.HasSuffix(lines[at], "\r") {
			line += "\r"
		}
		lines[at] = line
		return lines
	case example >= 0:
		return slices.Insert(lines, example+1, line)
	}
	return append(lines, line)
}

// setsVariable reports whether ParseEnv would read the variable from the line.
func setsVariable(line, name string) bool {
	key, _, found := strings.Cut(strings.TrimPrefix(line, "\ufeff"), "=")
	return found && strings.TrimSpace(key) == name
}

func (e envEdit) change(before string) envChange {
	shown := func(value string) string {
		if e.Secret {
			return secret.Text(value).String()
		}
		return value
	}
	c := envChange{Name: e.Name, Before: shown(before)}
	if !e.Remove {
		c.After = shown(e.Value)
	}
	return c
}

// readEnv returns the file's text and mode; both are zero where there is none. A
// symbolic link is refused: it leads to a file that is kept elsewhere, perhaps
// for others to read, and the token must not get there.
func readEnv(path string) (string, fs.FileMode, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", 0, nil
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", 0, fmt.Errorf("%s is a symbolic link, and setup does not put a secret where it leads; remove the link, or name another file with --config", path)
	}
	if err == nil && !info.Mode().IsRegular() {
		return "", 0, fmt.Errorf("%s is not a plain file; move it away, or name another file with --config", path)
	}
	text, mode, err := config.ReadSmall(path)
	if err != nil {
		return "", 0, fmt.Errorf("%s cannot be read: %w", path, config.WithoutPath(err))
	}
	return text, mode, nil
}

// replaceFile makes path a file with this content, whole or not at all, and
// makes its directory where there is none.
func replaceFile(path, content string, mode, dirMode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return writeError(path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".hermes-setup-*") // 0600
	if err != nil {
		return writeError(path, err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return writeError(path, err)
	}
	// A crash before this line leaves a stray file, after it the new content.
	if err := os.Rename(f.Name(), path); err != nil {
		return writeError(path, err)
	}
	return nil
}

func writeError(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w", path, config.WithoutPath(err))
}
