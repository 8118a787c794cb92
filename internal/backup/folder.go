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

// Folder keeps the newest copies of a database: HERMES_BACKUP_DIR. Files whose names it did not
// give it neither counts nor removes, so several may share a path, each of another database.
type Folder struct {
	Path string
	Of   string // whose database it is: the bot's id, as two databases are of two bots
	Keep int    // so many
}

// stamp is the time in a copy's name, in UTC. Names sort as the times do.
const stamp = "20060102T150405Z"

func (f Folder) prefix() string { return "hermes-" + f.Of + "-" }

func (f Folder) nameAt(at time.Time) string { return f.prefix() + at.UTC().Format(stamp) + ".db" }

func (f Folder) timeIn(name string) (time.Time, bool) {
	text, is := strings.CutPrefix(name, f.prefix())
	text, ends := strings.CutSuffix(text, ".db")
	at, err := time.Parse(stamp, text)
	return at, is && ends && err == nil
}

// Newest is when the newest copy was made, of those whose time is not still to come; zero: there is none, or no folder yet.
func (f Folder) Newest(now time.Time) (time.Time, error) {
	names, err := f.names(now)
	if len(names) == 0 || f.isToCome(names[len(names)-1], now) {
		return time.Time{}, err
	}
	at, _ := f.timeIn(names[len(names)-1])
	return at, err
}

// Due reports whether the newest copy is as old as a day.
func Due(newest, now time.Time) bool { return now.Sub(newest) >= Every }

// Make adds a copy, and removes the oldest ones beyond those that are kept, and what a kill left of one. It makes the folder
// (0700) where it does not exist.
func (f Folder) Make(now time.Time, fill func(io.Writer) error) (pending.Copied, error) {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return pending.Copied{}, err
	}
	f.removeParts(now)
	c, err := Write(filepath.Join(f.Path, f.nameAt(now)), false, fill)
	if err != nil {
		return c, err
	}
	return c, f.prune(now)
}

func (f Folder) prune(now time.Time) error {
	names, err := f.names(now)
	for _, name := range names[:max(0, len(names)-f.Keep)] {
		err = errors.Join(err, os.Remove(filepath.Join(f.Path, name)))
	}
	return err
}

// removeParts removes what [Write] had begun when it was killed, once it is as old as a day. What cannot be removed stays for the next copy.
func (f Folder) removeParts(now time.Time) {
	parts, _ := filepath.Glob(filepath.Join(f.Path, "."+f.prefix()+"*.db.*"))
	for _, part := range parts {
		name := strings.TrimPrefix(filepath.Base(part), ".")
		if at, is := f.timeIn(name[:strings.Index(name, ".db.")+len(".db")]); is && now.Sub(at) >= Every {
			_ = os.Remove(part)
		}
	}
}

// isToCome reports whether a copy has a time that is still to come: it was made before the clock was put back.
func (f Folder) isToCome(name string, now time.Time) bool {
	at, _ := f.timeIn(name)
	return at.After(now.Add(time.Minute))
}

// names are those of the copies, the oldest first. Those whose time is still to come are older than what was made since.
func (f Folder) names(now time.Time) (names []string, err error) {
	entries, err := os.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if _, ok := f.timeIn(e.Name()); ok && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	from := slices.IndexFunc(names, func(name string) bool { return f.isToCome(name, now) })
	if from > 0 {
		names = slices.Concat(names[from:], names[:from])
	}
	return names, err
}
