package pending

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// Restored is what [Restore] did.
type Restored struct {
	Copied
	Aside   string        // where the database is that was there before; empty: there was none
	Asks    []question.ID // of programs, which end: whether they were answered since is not known
	Undone  []question.ID // decisions that could still be taken back: people are asked again
	Prompts int           // that waited: none is sent unless its session proves that it has it
	Updates int           // from Telegram that were not handled: dropped
	Ways    int           // invitations and codes for machines: dropped
}

// Restore puts a copy of the database in its place. The copy is checked first and not changed,
// and the database that was there is kept beside it, under its name with .before-restore-
// and the time. It fails with [ErrLocked] while a hermes has that open, and as [CheckCopy] does.
//
// What was owed when the copy was made may have been done since, and nothing in the copy tells.
// So the database that takes the place owes only what OpenCode can prove: see [Restored]. A
// crash leaves the old database or the new one in place, whole.
func Restore(from, path string) (r Restored, err error) {
	if r.Copied, err = CheckCopy(from); err != nil {
		return r, fmt.Errorf("%s: %w", from, err)
	}
	if path, err = prepare(path); err != nil {
		return r, err
	}
	old, err := Lock(path) // no hermes has it open, or opens it now
	switch {
	case err == nil:
		defer old.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return r, err
	}
	next := path + ".restoring"
	defer os.Remove(next) // there only after a failure
	if err := copyFile(from, next, r.Bytes); err != nil {
		return r, err
	}
	if err := r.disown(next); err != nil {
		return r, err
	}
	err = r.replace(next, path)
	return r, err
}

// copyFile makes a private copy of the first bytes of a file, at most so many, whatever is in its place. A database may have less in
// use than its file is long, and a file that was made longer can be of any length.
func copyFile(from, to string, bytes int64) error {
	_ = os.Remove(to) // from a try that was cut off
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, io.LimitReader(src, bytes))
	return errors.Join(err, dst.Sync(), dst.Close())
}

// disown makes a copy owe only what can be proven, and notes in its journal that it was restored.
func (r *Restored) disown(path string) error {
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	if aside := s.AtOpen().Recovered; aside != "" { // it was sound when it was checked
		return errors.Join(fmt.Errorf("%w: %s", ErrDamaged, aside), s.Close())
	}
	return errors.Join(s.update(func(t *tx) error { r.settleCopy(t); return nil }), s.Close())
}

func (r *Restored) settleCopy(t *tx) {
	now := time.Now()
	change := storage.Change{Prompts: prompts.all(t), Entries: []storage.Entry{{
		At: now, Kind: storage.EntryRestored, By: question.Actor{Kind: question.Terminal}, Note: "as of " + r.At.UTC().Format(time.RFC3339),
	}}}
	r.settleAsks(t, now, &change)
	for i := range change.Prompts {
		change.Prompts[i].Restored = true
	}
	r.Prompts = len(change.Prompts)
	r.drop(t, now)
	applyChange(t, change)
	t.delete(bucketMeta, []byte(metaBot))
}

// settleAsks ends the asks of programs, which nobody can ask whether they still wait, and
// takes back the decisions that somebody may have taken back since. All else that is open
// OpenCode can tell of.
func (r *Restored) settleAsks(t *tx, now time.Time, change *storage.Change) {
	for _, th := range openThreads.all(t) {
		if th.Settled() {
			continue
		}
		e := storage.Entry{At: now, Thread: th.ID, Request: th.Request.ID, Session: th.Request.Session, By: question.Actor{Kind: question.Terminal}}
		switch {
		case ofProgram(th):
			th.Outcome, th.Held, th.Said = &question.Outcome{Kind: question.OutcomeUnknown, At: now}, nil, ""
			th.Rev++
			e.Kind, e.Detail = storage.EntryFailed, string(question.OutcomeUnknown)
			r.Asks = append(r.Asks, th.ID)
		case th.IsHeld():
			th = th.TakenBack(question.WizardInput{})
			e.Kind = storage.EntryUndone
			r.Undone = append(r.Undone, th.ID)
		default:
			continue
		}
		change.Threads, change.Entries = append(change.Threads, th), append(change.Entries, e)
	}
}

// ofProgram reports whether a program asks it, and no OpenCode.
func ofProgram(t question.Thread) bool {
	return slices.ContainsFunc(t.Origins, func(o session.Origin) bool { return o.Way == session.AskAPI })
}

// drop empties what may have been used since: Telegram's updates, which hermes handles as they
// come, and what lets somebody in.
func (r *Restored) drop(t *tx, now time.Time) {
	for _, key := range t.keys(bucketInbox) {
		consume(t, chat.UpdateID(readNumber(key)), now)
		r.Updates++
	}
	r.Ways = t.empty(bucketPairings) + t.empty(bucketLinkCodes)
}

// keys are those of a bucket.
func (t *tx) keys(bucket string) (keys [][]byte) {
	for key := range t.all(bucket) {
		keys = append(keys, bytes.Clone(key))
	}
	return keys
}

// empty removes the records of a small bucket, and returns how many.
func (t *tx) empty(bucket string) int {
	keys := t.keys(bucket)
	for _, key := range keys {
		t.delete(bucket, key)
	}
	return len(keys)
}

// replace puts the new file in the place of the old one, which gets another name first. The
// rename is the commit point: before it the old database is in place, and has two names.
func (r *Restored) replace(next, path string) error {
	aside := path + ".before-restore-" + time.Now().UTC().Format("20060102T150405.000Z")
	switch err := os.Link(path, aside); {
	case errors.Is(err, os.ErrNotExist):
		if err := os.Link(next, path); !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EPERM) {
			SyncDir(path)
			return err // also if a hermes has begun one meanwhile
		}
	case err != nil: // the file system has no such links
		if err := copyFile(path, aside, math.MaxInt64); err != nil {
			return fmt.Errorf("keep the database that is there: %w", err)
		}
		fallthrough
	default:
		r.Aside = aside
	}
	SyncDir(path)
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("put the copy in the database's place: %w", err)
	}
	SyncDir(path)
	return nil
}

// RestoreShared is [Restore] for a database that is no file, in which the caller alone writes. What the database held is kept first, as a backup in the
// file aside, which must not exist yet; where it held nothing there is none.
//
// A crash, or an error behind the first change, leaves it unfinished: [OpenShared] refuses it with [ErrUnfinished] until a restore comes to its end.
func RestoreShared(from string, db kv.DB, aside string) (r Restored, err error) {
	if r.Copied, err = CheckCopy(from); err != nil {
		return r, fmt.Errorf("%s: %w", from, err)
	}
	dir, err := os.MkdirTemp("", "hermes-restore-") // 0700
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	next := filepath.Join(dir, "hermes.db")
	err = inOrder(
		func() error { return copyFile(from, next, r.Bytes) },
		func() error { return r.disown(next) },
		func() error { return r.keepShared(db, aside) },
		func() error { return replaceShared(next, db) },
	)
	return r, err
}

// keepShared writes what the database holds to the file aside, and reads that again. What a restore left that was cut off is not worth it.
func (r *Restored) keepShared(db kv.DB, aside string) error {
	s, err := ReadShared(db)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrUnfinished):
		return nil
	case err != nil:
		return err
	}
	file, err := os.OpenFile(aside, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep the database that is there: %w", err)
	}
	err = errors.Join(s.Backup(file, func(int64) {}), file.Sync(), file.Close())
	if err == nil {
		_, err = CheckCopy(aside)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep the database that is there: %w", err), os.Remove(aside))
	}
	SyncDir(aside)
	r.Aside = aside
	return nil
}

// replaceShared has the records of the file in the place of those that are there.
func replaceShared(path string, db kv.DB) error {
	file, err := Read(path)
	if err != nil {
		return err
	}
	defer file.Close()
	s := newStore("", db, Options{})
	records := slices.DeleteFunc(bucketNames(), func(name string) bool { return name == bucketMeta })
	// From here on no hermes takes what is there for whole.
	if err := s.putMeta(metaRestoring, timeText(time.Now())); err != nil {
		return err
	}
	for _, bucket := range records {
		if err := s.emptyInBatches(bucket); err != nil {
			return err
		}
	}
	return file.view(func(from *tx) error {
		if err := copyBuckets(from, db, records); err != nil {
			return err
		}
		// The commit point: from here on it is the copy.
		return s.update(func(t *tx) error {
			t.empty(bucketMeta)
			for key, value := range from.all(bucketMeta) {
				t.put(bucketMeta, key, value)
			}
			return nil
		})
	})
}

// emptyInBatches removes all records of a bucket.
func (s *Store) emptyInBatches(bucket string) error {
	var keys [][]byte
	err := s.read(func(t *tx) { keys = t.keys(bucket) })
	if err == nil {
		_, err = s.inBatches(keys, func(t *tx, key []byte) { t.delete(bucket, key) })
	}
	return err
}
