package pending

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
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
	release, err := lockOld(path)
	if err != nil {
		return r, err
	}
	defer release()
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

// lockOld takes the lock of the database that is there, if one is, so that no hermes has it
// open or opens it now. The lock is on the file that will be moved aside, and a hermes that
// waited for it finds that.
func lockOld(path string) (release func(), err error) {
	err = Usable(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return func() {}, nil
	case err != nil:
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := lockAt(file, path); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return func() { _ = file.Close() }, nil
}

// lockAt takes the lock of a file that must still be the one at the path: a hermes that was just starting may have rewritten it, or moved it
// aside, and then holds the lock of another one.
func lockAt(file *os.File, path string) error {
	if err := TryLock(file, true); err != nil {
		return err
	}
	if info, err := file.Stat(); err != nil || !isAt(info, path) {
		return ErrLocked
	}
	return nil
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
	return errors.Join(s.update(func(tx kv.Tx) error { return r.settleCopy(s.database, tx) }), s.Close())
}

func (r *Restored) settleCopy(d *database, tx kv.Tx) error {
	now := time.Now()
	by := question.Actor{Kind: question.Terminal}
	change := storage.Change{Entries: []storage.Entry{{
		At: now, Kind: storage.EntryRestored, By: by, Note: "as of " + r.At.UTC().Format(time.RFC3339),
	}}}
	if err := r.settleAsks(tx, now, &change); err != nil {
		return err
	}
	err := prompts.appendTo(&change.Prompts, tx)
	for i := range change.Prompts {
		change.Prompts[i].Restored = true
	}
	r.Prompts = len(change.Prompts)
	return errors.Join(err, r.drop(tx, now), applyChange(tx, change), tx.Bucket(bucketMeta).Delete([]byte(metaBot)))
}

// settleAsks ends the asks of programs, which nobody can ask whether they still wait, and
// takes back the decisions that somebody may have taken back since. All else that is open
// OpenCode can tell of.
func (r *Restored) settleAsks(tx kv.Tx, now time.Time, change *storage.Change) error {
	var open []question.Thread
	if err := threadsIn(bucketOpen).appendTo(&open, tx); err != nil {
		return err
	}
	for _, t := range open {
		if t.Settled() {
			continue
		}
		e := storage.Entry{At: now, Thread: t.ID, Request: t.Request.ID, Session: t.Request.Session, By: question.Actor{Kind: question.Terminal}}
		switch {
		case ofProgram(t):
			t.Outcome, t.Held, t.Said = &question.Outcome{Kind: question.OutcomeUnknown, At: now}, nil, ""
			t.Rev++
			e.Kind, e.Detail = storage.EntryFailed, string(question.OutcomeUnknown)
			r.Asks = append(r.Asks, t.ID)
		case t.IsHeld():
			t = t.TakenBack(question.WizardInput{})
			e.Kind = storage.EntryUndone
			r.Undone = append(r.Undone, t.ID)
		default:
			continue
		}
		change.Threads, change.Entries = append(change.Threads, t), append(change.Entries, e)
	}
	return nil
}

// ofProgram reports whether a program asks it, and no OpenCode.
func ofProgram(t question.Thread) bool {
	return slices.ContainsFunc(t.Origins, func(o session.Origin) bool { return o.Way == session.AskAPI })
}

// drop empties what may have been used since: Telegram's updates, which hermes handles as they
// come, and what lets somebody in.
func (r *Restored) drop(tx kv.Tx, now time.Time) error {
	for _, key := range keysOf(tx, bucketInbox) {
		if err := consume(tx, chat.UpdateID(readNumber(key)), now); err != nil {
			return err
		}
		r.Updates++
	}
	for _, bucket := range []string{bucketPairings, bucketLinkCodes} {
		keys := keysOf(tx, bucket)
		r.Ways += len(keys)
		if err := each(keys, tx.Bucket(bucket).Delete); err != nil {
			return err
		}
	}
	return nil
}

func keysOf(tx kv.Tx, bucket string) (keys [][]byte) {
	c := tx.Bucket(bucket).Cursor()
	for key, _ := c.First(); key != nil; key, _ = c.Next() {
		keys = append(keys, bytes.Clone(key))
	}
	return keys
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
