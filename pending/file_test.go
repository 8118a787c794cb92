package pending

import (
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"hermes/pending/kv"
	"hermes/pending/kv/kvtest"
)

func TestFile_IsAnEngine(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.DB {
		db, err := bolt.Open(filepath.Join(t.TempDir(), "file.db"), 0o600, &bolt.Options{
			NoSync: true, InitialMmapSize: 1 << 20, // for a writer that needs a larger one waits for the readers
		})
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bolt.Tx) error {
			return each(kvtest.Buckets(), func(name string) error { _, err := tx.CreateBucket([]byte(name)); return err })
		})
		if err != nil {
			t.Fatal(err)
		}
		return boltDB{db}
	})
}
