package pending

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"hermes/internal/question"
	"hermes/internal/sorting"
	"hermes/pending/kv"
)

// Unreadable is a record that was taken out of its bucket because it could not be read.
type Unreadable struct {
	Number uint64 // names it; 0: it still stands where it was
	Bucket string
	Key    []byte
	Value  []byte // to the byte
	Reason string
	At     time.Time // when it was set aside
}

// unreadableRecord is how the file keeps one. The rule on [threadRecord] holds for it.
type unreadableRecord struct {
	Bucket text      `json:"bucket"`
	Key    []byte    `json:"key"`
	Value  []byte    `json:"value"`
	Reason text      `json:"reason"`
	At     time.Time `json:"at"`
}

// errNoSuch means that no record was set aside under that number.
var errNoSuch = errors.New("no record of that number was set aside")

// maxReason bounds what is kept of a reason, in bytes: a decoder may quote the record.
const maxReason = 300

// UnreadableRecords are the records that were taken out of their buckets, which have a bucket
// of their own, and those that stand where they were and cannot be read.
type UnreadableRecords struct{ file *database }

// Unreadable are the unreadable records of the file.
func (s *Store) Unreadable() UnreadableRecords { return UnreadableRecords{s.database} }

// All returns the records that are set aside, in the order in which they were, and
// behind them those that the next Open would set aside. It reads all records.
func (ur UnreadableRecords) All() (list []Unreadable, err error) {
	err = ur.file.view(func(tx kv.Tx) error {
		if list, err = listSetAside(tx); err != nil {
			return err
		}
		bad, _, err := findUnreadable(tx)
		list = append(list, bad...)
		return err
	})
	return list, err
}

// Count is how many records are set aside.
func (ur UnreadableRecords) Count() (n int, err error) {
	err = ur.file.view(func(tx kv.Tx) error {
		return tx.Bucket(bucketUnreadable).ForEach(func(_, _ []byte) error { n++; return nil })
	})
	return n, err
}

func listSetAside(tx kv.Tx) (list []Unreadable, err error) {
	b := tx.Bucket(bucketUnreadable)
	if b == nil {
		return nil, nil // read from a file of before there was such
	}
	err = b.ForEach(func(key, value []byte) error {
		u, err := readUnreadable(key, value)
		list = append(list, u)
		return err
	})
	sorting.By(list, func(a, b Unreadable) int { return cmp.Compare(a.Number, b.Number) })
	return list, err
}

// readUnreadable never fails for good: of a record that is spoilt as well, its bytes are
// what can be told.
func readUnreadable(key, value []byte) (Unreadable, error) {
	var r unreadableRecord
	u := Unreadable{Number: unreadableNumber(key)}
	if err := json.Unmarshal(value, &r); err != nil {
		u.Bucket, u.Key, u.Value, u.Reason = bucketUnreadable, bytes.Clone(key), bytes.Clone(value), err.Error()
		return u, nil
	}
	u.Bucket, u.Key, u.Value, u.Reason, u.At = string(r.Bucket), r.Key, r.Value, string(r.Reason), r.At
	return u, nil
}

// unreadableKey begins with where the record stood, so that one can be looked for.
func unreadableKey(bucket string, key []byte, n uint64) []byte {
	return append(unreadablePrefix(bucket, key), numberKey(n)...)
}

func unreadablePrefix(bucket string, key []byte) []byte {
	return append(append([]byte(bucket), 0), key...)
}

func unreadableNumber(key []byte) uint64 { return uint64(readNumber(key[max(0, len(key)-8):])) }

// wasThread reports whether the thread of this id is among what was set aside.
func wasThread(tx kv.Tx, id question.ID) bool {
	b := tx.Bucket(bucketUnreadable)
	if b == nil || id == "" {
		return false
	}
	for _, bucket := range []string{bucketOpen, bucketSettled} {
		prefix := unreadablePrefix(bucket, []byte(id))
		c := b.Cursor()
		for key, _ := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = c.Next() {
			if len(key) == len(prefix)+8 {
				return true
			}
		}
	}
	return false
}

// siftRecords sets aside the records that cannot be read, so that one of them never keeps
// hermes from its work. It puts back those that were set aside and can be read now, as a
// newer hermes may know what an older one did not, unless they give rights. It writes
// nothing if there is nothing to move.
func (d *database) siftRecords(found *Opened) error {
	var bad, good []Unreadable
	err := d.view(func(tx kv.Tx) (err error) {
		bad, good, err = findUnreadable(tx)
		return err
	})
	if err != nil || len(bad)+len(good) == 0 {
		return err
	}
	// Each batch has a commit point. A crash before it leaves its records where they stand, and the
	// next start finds them again.
	n, err := inBatches(d, bad, setAsideRecord)
	found.SetAside = bad[:n]
	if err != nil {
		return err
	}
	n, err = inBatches(d, good, putBack)
	found.Restored = good[:n]
	return err
}

// givesRights reports whether records of the bucket let somebody in. Only a person puts
// those back, for nobody could revoke them while they were set aside.
func givesRights(bucket string) bool {
	return slices.Contains([]string{bucketLinks, bucketLinkCodes, bucketPeople, bucketGroups, bucketPairings}, bucket)
}

// HasPeople reports whether records of who may answer, or of where, are set aside.
func (ur UnreadableRecords) HasPeople() (some bool, err error) {
	err = ur.file.view(func(tx kv.Tx) error {
		list, err := listSetAside(tx)
		some = slices.ContainsFunc(list, func(u Unreadable) bool { return u.Bucket == bucketPeople || u.Bucket == bucketGroups })
		return err
	})
	return some, err
}

// findUnreadable returns the records to be set aside, and of those that were, the ones
// that can be put back.
func findUnreadable(tx kv.Tx) (bad, good []Unreadable, err error) {
	all := recordChecks()
	for _, bucket := range bucketNames() {
		fit, b := all[bucket], tx.Bucket(bucket)
		if fit == nil || b == nil {
			continue
		}
		err := b.ForEach(func(key, value []byte) error {
			if err := fit(key, value); err != nil {
				bad = append(bad, Unreadable{Bucket: bucket, Key: bytes.Clone(key), Value: bytes.Clone(value), Reason: reasonOf(err)})
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	list, err := listSetAside(tx)
	for _, u := range list {
		if !givesRights(u.Bucket) && checkRestorable(tx, u) == nil {
			good = append(good, u)
		}
	}
	return bad, good, err
}

func reasonOf(err error) string {
	text := err.Error()
	return text[:min(len(text), maxReason)]
}

// setAsideRecord moves a record out of its bucket.
func setAsideRecord(tx kv.Tx, u Unreadable) error {
	b := tx.Bucket(bucketUnreadable)
	n, err := b.NextSequence()
	if err != nil {
		return err
	}
	r := unreadableRecord{Bucket: text(u.Bucket), Key: u.Key, Value: u.Value, Reason: text(u.Reason), At: utc(time.Now())}
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := b.Put(unreadableKey(u.Bucket, u.Key, n), value); err != nil {
		return err
	}
	return tx.Bucket(u.Bucket).Delete(u.Key)
}

// checkRestorable says why a record cannot be put back; nil: it can.
func checkRestorable(tx kv.Tx, u Unreadable) error {
	fit := recordChecks()[u.Bucket]
	if fit == nil {
		return fmt.Errorf("this hermes has no bucket %q", u.Bucket)
	}
	b := tx.Bucket(u.Bucket)
	if b == nil {
		return fmt.Errorf("this database has no bucket %q", u.Bucket)
	}
	if err := fit(u.Key, u.Value); err != nil {
		return err
	}
	if b.Get(u.Key) != nil {
		return errors.New("there is another record in its place by now")
	}
	if u.Bucket != bucketOpen && u.Bucket != bucketSettled {
		return nil
	}
	t, err := readThread(u.Key, u.Value)
	if err != nil {
		return err
	}
	if _, twin, err := getThread(tx, t.ID); err != nil || twin {
		return errors.Join(err, errors.New("there is another record in its place by now"))
	}
	return askedAgain(tx, t)
}

// askedAgain reports whether a process of the thread has got another thread for its
// request since.
func askedAgain(tx kv.Tx, t question.Thread) error {
	for _, m := range indexMarks(t) {
		if m.bucket != bucketByRequest {
			continue
		}
		other, found, err := getThread(tx, question.ID(tx.Bucket(bucketByRequest).Get(m.key)))
		if err != nil || found && (len(t.Origins) == 0 || other.WithProcessOf(t)) {
			return errors.Join(err, errors.New("the same request was asked again since, and has a record of its own"))
		}
	}
	return nil
}

// putBack returns a record to where it stood, to the byte, and a thread's index entries
// with it.
func putBack(tx kv.Tx, u Unreadable) error {
	if u.Bucket == bucketOpen || u.Bucket == bucketSettled {
		if err := restoreIndex(tx, u); err != nil {
			return err
		}
	}
	if err := tx.Bucket(u.Bucket).Put(u.Key, u.Value); err != nil {
		return err
	}
	return forgetRecord(tx, u.Number)
}

func restoreIndex(tx kv.Tx, u Unreadable) error {
	t, err := readThread(u.Key, u.Value)
	if err != nil {
		return err
	}
	if err := indexThread(tx, t); err != nil {
		return err
	}
	if u.Bucket == bucketSettled {
		return tx.Bucket(bucketEnded).Put(endedKey(endTime(t), t.ID), []byte{1})
	}
	return nil
}

func forgetRecord(tx kv.Tx, n uint64) error {
	b := tx.Bucket(bucketUnreadable)
	var at []byte
	err := b.ForEach(func(key, _ []byte) error {
		if unreadableNumber(key) == n {
			at = bytes.Clone(key)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case at == nil:
		return errNoSuch
	}
	return b.Delete(at)
}

// Restore puts the record of that number back where it stood, as it is or, where value
// is not nil, with that value. It fails if this hermes cannot read it, or if another
// record has taken its place; then nothing is changed.
func (ur UnreadableRecords) Restore(n uint64, value []byte) error {
	return ur.change(n, func(tx kv.Tx) error {
		list, err := listSetAside(tx)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(list, func(u Unreadable) bool { return u.Number == n })
		if at < 0 {
			return errNoSuch
		}
		u := list[at]
		if value != nil {
			u.Value = value
		}
		if err := checkRestorable(tx, u); err != nil {
			return err
		}
		return putBack(tx, u)
	})
}

// Delete removes the record of that number for good.
func (ur UnreadableRecords) Delete(n uint64) error {
	return ur.change(n, func(tx kv.Tx) error { return forgetRecord(tx, n) })
}

func (ur UnreadableRecords) change(n uint64, change func(kv.Tx) error) error {
	if err := ur.file.db.Update(change); err != nil {
		return fmt.Errorf("record %d was left as it was: %w", n, err)
	}
	return nil
}
