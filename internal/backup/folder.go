package backup

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hermes/pending"
)

// Every is how far apart the copies of a folder are.
const Every = 24 * time.Hour

// Folder keeps the newest copies of the database: HERMES_BACKUP_DIR. Files whose names it did not
// give it neither counts nor removes.
type Folder struct {
	Path string
	Keep int // so many
}

// stamp is the time in a copy's name, in UTC. Names sort as the times do.
const stamp = "20060102T150405Z"

func nameAt(at time.Time) string { return "hermes-" + at.UTC().Format(stamp) + ".db" }

func timeIn(name string) (time.Time, bool) {
	text, is := strings.CutPrefix(name, "hermes-")
	text, ends := strings.CutSuffix(text, ".db")
	at, err := time.Parse(stamp, text)
	return at, is && ends && err == nil
}

// Newest is when the newest copy was made; zero: there is none, or no folder yet.
func (f Folder) Newest() (time.Time, error) {
	names, err := f.names()
	if len(names) == 0 {
		return time.Time{}, err
	}
	at, _ := timeIn(names[len(names)-1])
	return at, err
}

// Due reports whether the newest copy is as old as a day, or from the future, as after the
// clock was put right.
func (f Folder) Due(now time.Time) (bool, error) {
	at, err := f.Newest()
	return err == nil && (now.Sub(at) >= Every || at.After(now.Add(time.Minute))), err
}

// Make adds a copy, and removes the oldest ones beyond those that are kept. It makes the folder
// (0700) where it does not exist.
func (f Folder) Make(now time.Time, fill func(io.Writer) error) (pending.Copied, error) {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return pending.Copied{}, err
	}
	c, err := Write(filepath.Join(f.Path, nameAt(now)), false, fill)
	if err != nil {
		return c, err
	}
	return c, f.prune()
}

func (f Folder) prune() error {
	names, err := f.names()
	for _, name := range names[:max(0, len(names)-f.Keep)] {
		err = errors.Join(err, os.Remove(filepath.Join(f.Path, name)))
	}
	return err
}

// names are those of the copies, the oldest first.
func (f Folder) names() (names []string, err error) {
	entries, err := os.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if _, ok := timeIn(e.Name()); ok && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}
