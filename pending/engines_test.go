package pending

import (
	"errors"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"hermes/pending/kv"
	"hermes/pending/kv/kvtest"

	bolt "go.etcd.io/bbolt"
)

// engineEnv tells this test binary what the stores of its tests are over, where that is not a file alone.
const engineEnv = "HERMES_PENDING_TEST_ENGINE"

const memoryDoomed = "memory, where tries of changes fail in their middle, and are made again"

// The tests of the store pass over another engine too. Those about the file are left out there.
func TestStore_OverAnotherEngine(t *testing.T) {
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.skip=^(TestStore_OverAnotherEngine|TestCommit_SurvivesKill|TestFile_IsAnEngine)$")
	cmd.Env = append(os.Environ(), engineEnv+"="+memoryDoomed)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// isShared reports whether the engine of this process is no file.
func isShared() bool { return os.Getenv(engineEnv) == memoryDoomed }

// openEngine opens the Store of a path over the engine of this process.
func openEngine(path string, o Options) (*Store, error) {
	if !isShared() {
		return Open(path, o)
	}
	db := memoryOf(path).Open()
	if err := moveIn(db, path); err != nil {
		return nil, err
	}
	return OpenShared(doomed{named{db, path}}, o)
}

// readEngine opens the Store of a path for reading.
func readEngine(path string) (*Store, error) {
	if isShared() {
		return ReadShared(doomed{named{memoryOf(path).Open(), path}})
	}
	return Read(path)
}

// restoreEngine puts a backup in the place of what is at the path.
func restoreEngine(from, path string) (Restored, error) {
	if isShared() {
		return RestoreShared(from, doomed{named{memoryOf(path).Open(), path}}, from+".aside")
	}
	return Restore(from, path)
}

// moveIn copies a file that a test has made at the path, and removes it.
func moveIn(db kv.DB, path string) error {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	s, err := Open(path, Options{NoSync: true})
	if err != nil {
		return err
	}
	err = s.view(func(t *tx) error { return copyBuckets(t, db, bucketNames()) })
	return errors.Join(err, s.Close(), os.Remove(path))
}

// ofFile leaves a test to the run over a file alone.
func ofFile(t testing.TB) {
	t.Helper()
	if os.Getenv(engineEnv) != "" {
		t.Skip("it is about the file")
	}
}

var memories sync.Map // by path, in place of files

func memoryOf(path string) *kvtest.Memory {
	m, _ := memories.LoadOrStore(path, new(kvtest.Memory))
	return m.(*kvtest.Memory)
}

// named knows the path that a test gave.
type named struct {
	kv.DB
	path string
}

// engineOf is what the Store is over, without what tries its changes again.
func engineOf(s *Store) kv.DB {
	if db, ok := s.db.(doomed); ok {
		return db.DB
	}
	return s.db
}

// pathOf is what the Store was opened with.
func pathOf(s *Store) string {
	if db, ok := s.db.(doomed); ok {
		return db.path
	}
	return s.path
}

var errAgain = errors.New("this try is not stored")

// doomed tries each change with transactions that fail behind their first operation, their second, their fourth and so on, and then as a whole. What
// one that has failed reads is nothing, as of a connection that was lost.
type doomed struct{ named }

func (d doomed) Update(fn func(kv.Tx) error) error {
	for n, failed := 1, true; failed; n *= 2 {
		left := n
		err := d.DB.Update(func(tx kv.Tx) error {
			_ = fn(doomedTx{tx, &left})
			return errAgain
		})
		if !errors.Is(err, errAgain) {
			return err
		}
		failed = left == 0
	}
	return d.DB.Update(fn)
}

type doomedTx struct {
	kv.Tx
	left *int
}

func (t doomedTx) Bucket(name string) kv.Bucket { return doomedBucket{t.Tx.Bucket(name), t.left} }

type doomedBucket struct {
	kv.Bucket
	left *int
}

// over counts an operation, and reports whether the transaction has failed by now.
func (b doomedBucket) over() bool {
	*b.left = max(0, *b.left-1)
	return *b.left == 0
}

func (b doomedBucket) Get(key []byte) []byte {
	if b.over() {
		return nil
	}
	return b.Bucket.Get(key)
}

func (b doomedBucket) Put(key, value []byte) error {
	if b.over() {
		return errAgain
	}
	return b.Bucket.Put(key, value)
}

func (b doomedBucket) Delete(key []byte) error {
	if b.over() {
		return errAgain
	}
	return b.Bucket.Delete(key)
}

func (b doomedBucket) From(key []byte) iter.Seq2[[]byte, []byte] {
	return b.unlessOver(b.Bucket.From(key))
}

func (b doomedBucket) Backward() iter.Seq2[[]byte, []byte] { return b.unlessOver(b.Bucket.Backward()) }

func (b doomedBucket) unlessOver(all iter.Seq2[[]byte, []byte]) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		for key, value := range all {
			if b.over() || !yield(key, value) {
				return
			}
		}
	}
}

func TestFile_IsAnEngine(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.DB {
		db, err := bolt.Open(filepath.Join(t.TempDir(), "file.db"), 0o600, &bolt.Options{
			NoSync: true, InitialMmapSize: 1 << 20, // for a writer that needs a larger one waits for the readers
		})
		must(t, err)
		err = db.Update(func(tx *bolt.Tx) error {
			for _, name := range kvtest.Buckets() {
				if _, err := tx.CreateBucket([]byte(name)); err != nil {
					return err
				}
			}
			return nil
		})
		must(t, err)
		return boltDB{db}
	})
}
