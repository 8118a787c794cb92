package config

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hermes/internal/secret"
)

// HookTokenFile is where the bearer token of the API is kept if it is not
// configured: beside the database, for its owner alone.
func (c Config) HookTokenFile() string { return filepath.Join(filepath.Dir(c.DB), "hook-token") }

// HookToken returns the bearer token of the API: the configured one, else the
// kept one, else a new one, which it keeps. It may be called by several
// processes at once; all get the same token.
func HookToken(c Config) (secret.Text, error) {
	token, err := KeptHookToken(c)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	if err := keepHookToken(c.HookTokenFile()); err != nil {
		return "", fmt.Errorf("HERMES_HOOK_TOKEN is not set and a new token cannot be kept beside the database; make the directory of HERMES_DB writable: %w", err)
	}
	return KeptHookToken(c)
}

// KeptHookToken is hookToken for the commands that speak to a running hermes:
// where there is no token yet it makes none, and the error is fs.ErrNotExist.
func KeptHookToken(c Config) (secret.Text, error) {
	if c.HookToken != "" {
		return c.HookToken, nil
	}
	path := c.HookTokenFile()
	text, mode, err := ReadSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no token in %s yet, hermes serve makes it at its first start: %w", path, fs.ErrNotExist)
	}
	var wrong Mistakes
	token := Reader{Wrong: &wrong}.hookToken(path, secret.Text(strings.TrimSpace(text)))
	switch {
	case err != nil:
		return "", fmt.Errorf("the API's token in %s cannot be read: %w", path, WithoutPath(err))
	case secret.IsExposed(mode):
		return "", fmt.Errorf("the API's token in %s may be read by others (mode %04o); chmod 600 it, or delete it and start hermes serve again for a new one", path, mode)
	case token == "":
		return "", fmt.Errorf("%s holds no token; delete it and start hermes serve again for a new one", path)
	}
	return token, nil
}

// keepHookToken writes a new token: 32 random bytes in base64url. The file comes
// into being whole, and one that is there already stays.
func keepHookToken(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".hook-token-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	var b [32]byte
	rand.Read(b[:]) // never fails: crypto/rand
	_, err = f.WriteString(base64.RawURLEncoding.EncodeToString(b[:]) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	// A crash before this line leaves a stray file; after it, the token is kept.
	if err := os.Link(f.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
