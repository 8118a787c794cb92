package config

import (
	"os"
	"path/filepath"
	"slices"

	"hermes/internal/secret"
)

// WarnWritable says what is wrong where other users of this machine may change the rules
// file, or put another one into its place: then they say who may allow what.
func WarnWritable(path string) Mistakes {
	var wrong Mistakes
	info, err := os.Stat(path)
	if err != nil {
		return nil // whoever reads it says so
	}
	if mode := info.Mode().Perm(); secret.IsWritable(mode) {
		wrong.Add("HERMES_RULES", "other users of this machine may change the file (mode %04o); chmod go-w it, it says who may allow what", mode)
	}
	folders := []string{filepath.Dir(path)}
	if real, err := filepath.EvalSymlinks(path); err == nil && !slices.Contains(folders, filepath.Dir(real)) {
		folders = append(folders, filepath.Dir(real))
	}
	for _, folder := range folders {
		info, err := os.Stat(folder)
		if err != nil || info.Mode()&os.ModeSticky != 0 { // there, nobody replaces what is another's
			continue
		}
		if mode := info.Mode().Perm(); secret.IsWritable(mode) {
			wrong.Add("HERMES_RULES", "other users of this machine may put another file into its place, as its folder is open to them (mode %04o); chmod go-w the folder", mode)
		}
	}
	return wrong
}
