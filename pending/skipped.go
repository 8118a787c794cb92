package pending

import (
	"bytes"
	"slices"

	"hermes/pending/kv"
)

// Skipped is a record that this hermes cannot read. It stays where it is, to the byte, and every method leaves it out.
type Skipped struct {
	Bucket string
	Key    []byte
	Reason string
}

// maxReason bounds what is kept of a reason, in bytes: a decoder may quote the record.
const maxReason = 300

// LacksPeople reports whether records of who may answer, or of where, are among those that cannot be read.
func (o Opened) LacksPeople() bool {
	return slices.ContainsFunc(o.Skipped, func(s Skipped) bool { return s.Bucket == bucketPeople || s.Bucket == bucketGroups })
}

// findSkipped reads the records of all [readers], and returns those that cannot be read. Schema 2 once moved such records to a bucket of
// their own; what is there counts as well.
func (d *database) findSkipped() (skipped []Skipped, err error) {
	err = d.view(func(tx kv.Tx) error {
		all := readers()
		for _, bucket := range bucketNames() {
			read, b := all[bucket], tx.Bucket(bucket)
			if read == nil || b == nil {
				continue
			}
			if err := b.ForEach(func(key, value []byte) error {
				if err := read(key, value); err != nil {
					text := err.Error()
					skipped = append(skipped, Skipped{bucket, bytes.Clone(key), text[:min(len(text), maxReason)]})
				}
				return nil
			}); err != nil {
				return err
			}
		}
		b := tx.Bucket(bucketUnreadable)
		if b == nil {
			return nil // a file of before there was such
		}
		return b.ForEach(func(key, _ []byte) error {
			bucket, rest, _ := bytes.Cut(key, []byte{0})
			skipped = append(skipped, Skipped{string(bucket), bytes.Clone(rest[:max(0, len(rest)-8)]), "an earlier hermes could not read it and moved it aside"})
			return nil
		})
	})
	return skipped, err
}
