package pending

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// schemaVersion is the layout that this hermes writes. It is raised when an older
// hermes would misread or spoil the file; see [threadRecord] for what needs no raise.
//
// Schema 2 has all records as schema 1 has them, and in them fields whose loss would do harm: owners of links, of which a hermes of schema 1
// would forget whose each is when it stores that it was seen, and show a person's asks to all; and decisions that are held,
// which it would send at once. So it must refuse the file. A file of schema 1 becomes one of schema 2 when it is opened.
const schemaVersion = 2

const (
	bucketMeta      = "meta"
	bucketOpen      = "open"
	bucketSettled   = "settled"
	bucketEnded     = "ended"
	bucketByRequest = "by_request"
	bucketByMessage = "by_message"
	bucketChats     = "chats"
	bucketInbox     = "inbox"
	bucketSeen      = "seen"
	bucketAside     = "aside"
	bucketJournal   = "journal"
	bucketPairings  = "pairings"
	bucketPeople    = "people"
	bucketGroups    = "groups"
	bucketErrands   = "errands"
	bucketWatches   = "watches"
	bucketSeats     = "seats"
	bucketSaid      = "said"
	bucketTold      = "told"
	bucketPosted    = "posted"
	bucketTopics    = "topics"
	bucketLinks     = "links"
	bucketLinkCodes = "link_codes"

	bucketUnreadable = "unreadable"
)

const (
	metaSchema  = "schema"
	metaCreated = "created"
	metaBeat    = "beat"
	metaToken   = "token" // a mark of the bot's token
	metaHead    = "head"  // of the journal's last entry: its number and hash
	metaTail    = "tail"  // the same of the last one that was pruned
)

func bucketNames() []string {
	return []string{
		bucketMeta, bucketOpen, bucketSettled, bucketEnded, bucketByRequest, bucketByMessage,
		bucketChats, bucketInbox, bucketSeen, bucketAside, bucketJournal,
		bucketPairings, bucketPeople, bucketGroups,
		bucketErrands, bucketWatches, bucketSeats, bucketSaid, bucketTold, bucketPosted, bucketTopics,
		bucketLinks, bucketLinkCodes, bucketUnreadable,
	}
}

// Schema is the version of the file's layout.
func (s *Store) Schema() (version int, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		version, err = strconv.Atoi(string(tx.Bucket([]byte(bucketMeta)).Get([]byte(metaSchema))))
		return err
	})
	return version, err
}

// checkSchema refuses a schema that this hermes does not know, makes missing buckets and raises the number of an older schema.
func (o *opener) checkSchema() error {
	complete := false
	err := o.db.View(func(tx *bolt.Tx) (err error) {
		complete, err = checkBuckets(tx)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	if complete {
		return nil
	}
	return o.update(makeBuckets)
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
	version, err := strconv.Atoi(string(meta.Get([]byte(metaSchema))))
	switch {
	case err != nil || version < 1:
		return false, fmt.Errorf("%w: it has no schema version; %s", ErrForeign, takeAnother)
	case version > schemaVersion:
		return false, fmt.Errorf("%w: schema %d, and this one knows %d%s; nothing was changed: run the newer hermes, or stop it and restore a backup from before its first start (hermes restore), or set HERMES_DB to another file",
			ErrNewer, version, schemaVersion, unknownBuckets(tx))
	case version < schemaVersion:
		return false, nil
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
	meta := tx.Bucket([]byte(bucketMeta))
	fresh := meta.Get([]byte(metaSchema)) == nil
	// The commit point: from here on no hermes that knows less opens the file. A crash before it leaves the file as it was.
	if err := meta.Put([]byte(metaSchema), []byte(strconv.Itoa(schemaVersion))); err != nil || !fresh {
		return err
	}
	return meta.Put([]byte(metaCreated), timeText(time.Now()))
}

const (
	compactFrom  = 8 << 20 // bytes of pages below which nothing is rewritten
	compactTimes = 2       // and how many times as many as those in use they must be
)

// compact rewrites a file that is mostly empty: bbolt never makes one smaller, and
// writes the list of its free pages in every commit. It only saves space: if it
// fails, the file is as it was, and the next start tries again. The rename is the commit
// point: a crash before it leaves the old file and a copy that nobody reads, one behind it
// the new file, which is on disk whole.
func (o *opener) compact() error {
	size, used := o.pageBytes()
	if size <= compactFrom || size <= compactTimes*used {
		return nil
	}
	small := o.path + ".compact"
	defer os.Remove(small) // there only after a failure
	if err := o.copyTo(small); err != nil {
		return nil
	}
	if err := os.Rename(small, o.path); err != nil {
		return nil
	}
	syncDir(o.path)
	o.detach()
	return o.attach()
}

// pageBytes is the size of the pages, in bytes, and of those in use. The file has some that were
// never written behind them, for bbolt makes it larger by 16 MiB at once.
func (d *database) pageBytes() (size, used int64) {
	_ = d.db.View(func(tx *bolt.Tx) error {
		size = tx.Size()
		return nil
	})
	return size, size - int64(d.db.Stats().FreePageN*d.db.Info().PageSize)
}

func (o *opener) copyTo(path string) error {
	_ = os.Remove(path) // from a try that was cut off
	dst, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockWait, NoSync: true})
	if err != nil {
		return err
	}
	err = bolt.Compact(dst, o.db, 1<<20)
	if err == nil {
		err = dst.Sync()
	}
	if closeErr := dst.Close(); err == nil {
		err = closeErr
	}
	return err
}
