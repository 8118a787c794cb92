package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

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
