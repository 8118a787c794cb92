package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"hermes/internal/letters"
	"hermes/internal/secret"
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

// MaxFile bounds, in bytes, the files that configuration is read from.
const MaxFile = 64 << 10

// ParseEnv reads KEY=value lines. Lines that are empty or start with # are
// skipped; nothing else is a comment. The value is everything after the first =,
// without the spaces around it and without one pair of quotes; nothing is
// expanded, because a secret may well hold a $. That is the part of the many
// dialects that systemd's EnvironmentFile= reads in the same way.
func ParseEnv(text string) (map[string]string, Mistakes) {
	values, seen := map[string]string{}, map[string]int{}
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	var wrong Mistakes
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		switch {
		case !found || !name.MatchString(key):
			wrong.Add(fmt.Sprintf("line %d", i+1), "is not KEY=value; write one variable a line, and # before a comment")
		case seen[key] != 0:
			wrong.Add(key, "is set twice, in line %d and line %d; keep one", seen[key], i+1)
		default:
			values[key], seen[key] = unquote(strings.TrimSpace(value)), i+1
		}
	}
	return values, wrong
}

// unquote takes one pair of matching quotes off.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// UsualFile is where the configuration file is if --config names none; "" without HOME. It may not be there.
func UsualFile() string {
	dir := XdgDir("XDG_CONFIG_HOME", ".config")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "hermes", "hermes.env")
}

// configFile returns the file to read: the one named by --config, else
// $XDG_CONFIG_HOME/hermes/hermes.env (~/.config/hermes/hermes.env) if it exists,
// else none, which is "".
func configFile(named string) string {
	if named != "" {
		return named
	}
	path := UsualFile()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return path
}

// XdgDir returns the directory that a variable of the XDG base directory
// specification names, else the one in the home directory, else "". As the
// specification asks, a relative path in the variable is ignored.
func XdgDir(variable, inHome string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, inHome)
}

// readSecrets replaces each secret that is given as a file (…_FILE) by what the
// file holds, without the space around it: an editor's newline at the end of a
// token breaks every request and shows the token in the error.
//
// A file that others may read is only warned of, because that is how Docker and
// Kubernetes mount secrets (0444 and 0644).
func (s *settings) readSecrets() (wrong, warnings Mistakes) {
	for _, f := range []struct {
		name string
		path string
		into *secret.Text
	}{
		{"HERMES_TELEGRAM_TOKEN", s.TelegramTokenFile, &s.TelegramToken},
		{"HERMES_TELEGRAM_WEBHOOK_SECRET", s.TelegramWebhookFile, &s.TelegramWebhookSecret},
		{"HERMES_HOOK_TOKEN", s.HookTokenFile, &s.HookToken},
		{"HERMES_STORE", s.StoreFile, &s.Store},
		{"HERMES_OPENCODE_PASSWORD", s.OpenCodePasswordFile, &s.OpenCodePassword},
		{"HERMES_STT_KEY", s.STTKeyFile, &s.STTKey},
	} {
		if f.path != "" && *f.into != "" {
			wrong.Add(f.name, "is set, and so is %s_FILE; keep one of the two", f.name)
		} else if f.path != "" {
			readSecret(f.name+"_FILE", f.path, f.into, &wrong, &warnings)
		}
	}
	return wrong, warnings
}

func readSecret(name, path string, into *secret.Text, wrong, warnings *Mistakes) {
	text, mode, err := ReadSmall(path)
	switch text = strings.TrimSpace(text); {
	case err != nil:
		wrong.Add(name, "cannot be read: %v", WithoutPath(err))
	case text == "":
		wrong.Add(name, "names a file that is empty; put the secret there, alone")
	default:
		*into = secret.Text(text)
		if secret.IsExposed(mode) {
			warnings.Add(name, "names a file that other users of this machine may read (mode %04o); chmod 600 it unless it is a container's secret", mode)
		}
	}
}

// Mistakes is what the person who starts hermes has to mend, one line each. It
// is the error of a wrong configuration or a wrong use of a command, and ends
// the program with exit code 2. No line holds the value of a variable: a token
// pasted into the wrong place must not reach a terminal or a journal.
type Mistakes []string

// Error lists the mistakes, one a line.
func (m Mistakes) Error() string { return strings.Join(m, "\n") }

// Add notes a mistake in a variable (or another place that has a name).
func (m *Mistakes) Add(name, format string, args ...any) {
	*m = append(*m, name+": "+fmt.Sprintf(format, args...))
}

// Err returns the mistakes as an error, or nil if there are none.
func (m Mistakes) Err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// EscapeLines makes lines from elsewhere harmless on a terminal.
func (m Mistakes) EscapeLines() Mistakes {
	var lines Mistakes
	for _, line := range m {
		lines = append(lines, letters.Escaped(line))
	}
	return lines
}

// Has reports whether a mistake in the variable, or in its …_FILE, is noted.
func (m Mistakes) Has(name string) bool {
	return slices.ContainsFunc(m, func(line string) bool {
		return strings.HasPrefix(line, name+":") || strings.HasPrefix(line, name+"_FILE:")
	})
}
