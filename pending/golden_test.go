package pending

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

var update = flag.Bool("update", false, "write testdata anew; never for a schema that was released")

const golden = "testdata/v2.txt"

// goldens are the files of all schemas that this hermes opens.
func goldens() []string { return []string{"testdata/v1.txt", golden} }

// The file that this hermes writes is, byte for byte in every key and value, the
// one that was written when the schema was made.
func TestLayout_IsAsItWas(t *testing.T) {
	path := dbPath(t)
	synctest.Test(t, func(t *testing.T) { // where the time is known
		s := open(t, path)
		_, err := s.Put([]chat.Update{{ID: 1, Raw: json.RawMessage("{}")}, {ID: 2, Raw: json.RawMessage(`{"bad":"` + "\xff")}, {ID: 3, Raw: json.RawMessage(`{"update_id":3}`)}})
		err = errors.Join(err, s.SetAside(2, "no JSON"), s.Beat(time.Now()), s.Commit(sample()))
		if err != nil {
			t.Fatal(err)
		}
		got := dump(t, s)
		if *update {
			err = os.WriteFile(golden, got, 0o644)
		}
		want, readErr := os.ReadFile(golden)
		if errors.Join(err, readErr) != nil {
			t.Fatal(errors.Join(err, readErr))
		}
		if !bytes.Equal(got, want) {
			was, is := firstDifference(string(want), string(got))
			t.Errorf("the layout is not that of %s any more; it was\n%sand is\n%s", golden, was, is)
		}
	})
}

// firstDifference is the first line in which two texts differ, of each.
func firstDifference(a, b string) (string, string) {
	as, bs := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return as[i], bs[i]
		}
	}
	return "(end)\n", "(end)\n"
}

// What a hermes of this schema ever wrote can be read.
func TestLayout_GoldenFileOpens(t *testing.T) {
	for _, file := range goldens() {
		t.Run(file, func(t *testing.T) { goldenFileOpens(t, restoreFrom(t, file)) })
	}
}

func goldenFileOpens(t *testing.T, path string) {
	s := open(t, path)
	if got, err := s.Schema(); err != nil || got != schemaVersion {
		t.Errorf("the schema is %d, %v", got, err)
	}
	want := sample()
	threads, err := s.Threads()
	if err != nil || len(threads) != 2 || !reflect.DeepEqual(threads[1], want.Threads[0]) || !reflect.DeepEqual(threads[0], want.Threads[1]) {
		t.Errorf("threads: %+v, %v", threads, err)
	}
	end, found, err := s.Find(storage.Key{Chat: -100, Message: 21})
	if err != nil || !found || !reflect.DeepEqual(end, want.Retired[0]) {
		t.Errorf("settled: %+v, %v, %v", end, found, err)
	}
	chats, err := s.Chats()
	if err != nil || !reflect.DeepEqual(chats, []chat.Chat{want.Chats[1], want.Chats[0]}) {
		t.Errorf("chats: %+v, %v", chats, err)
	}
	inbox, err := s.Inbox()
	if err != nil || len(inbox) != 1 || inbox[0].ID != 3 {
		t.Errorf("inbox: %v, %v", inbox, err)
	}
	if asides := asidesOf(t, s); len(asides) != 1 || asides[0].Reason != "no JSON" {
		t.Errorf("asides: %v", asides)
	}
	at, err := s.LastBeat()
	if err := errors.Join(err, s.Verify()); err != nil || at.IsZero() {
		t.Errorf("beat %v, %v", at, err)
	}
}

// A file of schema 1 is one of schema 2 once it was opened to be written, and until then it can be read as it is. A hermes that knows less
// refuses it from then on: that one compares the number alone (TestUsable_RefusesWhatIsNotHermes).
func TestLayout_IsRaised(t *testing.T) {
	ofFile(t)
	path := restoreFrom(t, "testdata/v1.txt")
	for _, c := range []struct {
		read bool
		want int
	}{{true, 1}, {false, 2}, {true, 2}, {false, 2}} {
		var s *Store
		var err error
		if c.read {
			s, err = Read(path)
		} else {
			s, err = openEngine(path, Options{})
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Schema()
		people, err2 := s.Pairings() // of which the file has no bucket
		if err := errors.Join(err, err2, s.Close()); err != nil || got != c.want || !people.Empty() {
			t.Errorf("schema %d, %v, want %d", got, err, c.want)
		}
	}
}

// So are its marks of updates, for the two days that they count.
func TestLayout_GoldenFileKnowsItsUpdates(t *testing.T) {
	path := restore(t)
	synctest.Test(t, func(t *testing.T) { // at the time when it was written
		if fresh := put(t, open(t, path), updates(1, 2, 3)); len(fresh) != 0 {
			t.Errorf("fresh: %v", fresh)
		}
	})
}

// later are the buckets that the schema's first files do not have.
func later() []string {
	return []string{bucketPairings, bucketPeople, bucketGroups, bucketErrands, bucketWatches, bucketSeats, bucketSaid, bucketTold, bucketTopics, bucketLinks, bucketLinkCodes, bucketUnreadable}
}

// dump is a bucket's name on a line, then its keys and values, quoted as Go does.
func dump(t *testing.T, s *Store) []byte {
	t.Helper()
	var b bytes.Buffer
	raw(t, s, func(tx *tx) error {
		for _, name := range slices.Sorted(slices.Values(bucketNames())) {
			if len(tx.keys(name)) == 0 && slices.Contains(later(), name) {
				continue
			}
			counted := int64(0) // what the first hermes of the schema had as the bucket's sequence
			if name == bucketAside {
				counted = tx.lastNumber(name)
			}
			fmt.Fprintf(&b, "%s %d\n", name, counted)
			for key, value := range tx.all(name) {
				fmt.Fprintf(&b, "\t%q\t%q\n", key, value)
			}
		}
		return nil
	})
	return b.Bytes()
}

// restore makes a database of the golden file with bbolt alone.
func restore(t *testing.T) string { return restoreFrom(t, golden) }

func restoreFrom(t *testing.T, golden string) string {
	t.Helper()
	content, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/hermes.db"
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) (err error) {
		var bucket *bolt.Bucket
		for line := range strings.Lines(string(content)) {
			if bucket, err = restoreLine(tx, bucket, strings.TrimSuffix(line, "\n")); err != nil {
				return fmt.Errorf("%s: %w", line, err)
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func restoreLine(tx *bolt.Tx, bucket *bolt.Bucket, line string) (*bolt.Bucket, error) {
	parts := strings.Split(line, "\t")
	if len(parts) == 3 {
		key, err1 := strconv.Unquote(parts[1])
		value, err2 := strconv.Unquote(parts[2])
		return bucket, errors.Join(err1, err2, bucket.Put([]byte(key), []byte(value)))
	}
	name, sequence, _ := strings.Cut(line, " ")
	bucket, err := tx.CreateBucket([]byte(name))
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(sequence, 10, 64)
	return bucket, errors.Join(err, bucket.SetSequence(n))
}
