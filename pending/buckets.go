package pending

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	bolt "go.etcd.io/bbolt"

	"hermes/pending/kv"
)

// completeBuckets refuses a schema that this hermes does not know, makes missing buckets and raises the number of an older schema.
func (o *opener) completeBuckets() error {
	complete := false
	err := o.file.View(func(tx *bolt.Tx) (err error) {
		complete, err = checkBuckets(tx)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	if complete {
		return nil
	}
	return o.update(func(tx kv.Tx) error { return makeBuckets(tx.(boltTx).Tx) })
}

func fileRemedy() remedy {
	return remedy{takeAnother, "stop it and restore a backup from before its first start (hermes restore), or set HERMES_DB to another file"}
}

// checkBuckets reports whether every bucket is there, and the schema is this hermes' own.
func checkBuckets(tx *bolt.Tx) (complete bool, err error) {
	meta := tx.Bucket([]byte(bucketMeta))
	if meta == nil {
		if first, _ := tx.Cursor().First(); first != nil {
			return false, fmt.Errorf("%w: %s", ErrForeign, takeAnother)
		}
		return false, nil
	}
	own, err := fileRemedy().checkSchema(boltBucket{meta}, unknownBuckets(tx))
	if err != nil || !own {
		return false, err
	}
	for _, name := range bucketNames() {
		if tx.Bucket([]byte(name)) == nil {
			return false, nil
		}
	}
	return true, nil
}

// unknownBuckets names what a newer hermes keeps and this one cannot read; empty: nothing of its own.
func unknownBuckets(tx *bolt.Tx) string {
	var names []string
	_ = tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
		if !slices.Contains(bucketNames(), string(name)) {
			names = append(names, strconv.QuoteToASCII(string(name[:min(len(name), 40)])))
		}
		return nil
	})
	if len(names) == 0 {
		return ""
	}
	const most = 10
	more := ""
	if len(names) > most {
		names, more = names[:most], " and more"
	}
	return ", which cannot read what is kept there as " + strings.Join(names, ", ") + more
}

func makeBuckets(tx *bolt.Tx) error {
	for _, name := range bucketNames() {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return putSchema(boltBucket{tx.Bucket([]byte(bucketMeta))})
}
