package pending

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
)

// dbPath is a file that does not exist yet, in a directory that does not either.
func dbPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "state", "hermes.db")
}

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := openEngine(path, Options{NoSync: true})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// reopen is what a restart does.
func reopen(t testing.TB, s *Store) *Store {
	t.Helper()
	must(t, s.Close())
	return open(t, pathOf(s))
}

func commit(t testing.TB, s *Store, c storage.Change) {
	t.Helper()
	if err := s.Commit(c); err != nil {
		t.Fatalf("Commit: %v", err)
	}
}

// thread is a small thread with two messages in one chat.
func thread(n int) question.Thread {
	return question.Thread{
		ID:      question.ID(fmt.Sprintf("thread%06d", n)),
		Asked:   time.Date(2026, 11, 1, 0, 0, n, 0, time.UTC),
		Request: question.Request{ID: question.RequestID(fmt.Sprintf("que_%d", n)), Protocol: session.V1, Session: "ses_1"},
		Cards:   []question.Card{{Chat: -100, Messages: []chat.MessageID{chat.MessageID(10 * n), chat.MessageID(10*n + 1)}}},
	}
}

func settled(n int, at time.Time) question.Thread {
	t := thread(n)
	t.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, At: at}
	return t
}

// raw changes the database behind the Store's back.
func raw(t testing.TB, s *Store, fn func(*tx) error) {
	t.Helper()
	must(t, engineOf(s).Update(func(k kv.Tx) error {
		t := &tx{Tx: k}
		err := fn(t)
		return errors.Join(err, t.err)
	}))
}

// rawFile changes the file as bbolt knows it.
func rawFile(t testing.TB, s *Store, fn func(*bolt.Tx) error) {
	t.Helper()
	ofFile(t)
	raw(t, s, func(tx *tx) error { return fn(tx.Tx.(boltTx).Tx) })
}

// fileOf is bbolt's file below the Store.
func fileOf(t testing.TB, s *Store) (file *bolt.DB) {
	ofFile(t)
	_ = s.db.View(func(tx kv.Tx) error { file = tx.(boltTx).DB(); return nil })
	return file
}

// keys counts the keys of a bucket.
func keys(t testing.TB, s *Store, bucket string) (n int) {
	t.Helper()
	raw(t, s, func(tx *tx) error {
		n = len(tx.keys(bucket))
		return nil
	})
	return n
}

// filler gives every field of a value a value of its own.
type filler struct{ n int }

// fill makes *p differ from its zero value in every field, at any depth.
func fill[T any]() T {
	var v T
	(&filler{}).set(reflect.ValueOf(&v).Elem())
	return v
}

func (f *filler) set(v reflect.Value) {
	f.n++
	if at, ok := v.Addr().Interface().(*time.Time); ok {
		*at = time.Date(2026, 11, 21, 12, 0, f.n, 100_000_001+f.n, time.UTC)
		return
	}
	switch v.Kind() {
	case reflect.String:
		if set, ok := closedSets()[v.Type()]; ok {
			v.SetString(set[len(set)-1])
			return
		}
		v.SetString(fmt.Sprintf("%d \x00 \xff\xfe ü 𝕏 \u2028 \ufffd <b>&amp;\" {\"base64\":\"\"}", f.n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(1)<<62 - int64(f.n))
	case reflect.Float64:
		v.SetFloat(float64(f.n) + 0.1)
	case reflect.Uint8:
		v.SetUint(uint64(f.n % 256))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.set(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			f.set(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			f.set(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.set(v.Field(i))
		}
	default:
		panic("a field of a kind that the store does not know: " + v.Type().String())
	}
}

// must ends the test with an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
