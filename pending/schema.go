package pending

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/pending/kv"

	bolt "go.etcd.io/bbolt"
)

// schemaVersion is the layout that this hermes writes. It is raised when an older
// hermes would misread or spoil the file; the package says what needs no raise.
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
	metaBot     = "bot"   // the id of the bot whose database it is, where several hermes share it
	metaHead    = "head"  // of the journal's last entry: its number and hash
	metaTail    = "tail"  // the same of the last one that was pruned
)

func bucketNames() []string {
	return []string{
		bucketMeta, bucketOpen, bucketSettled, bucketEnded, bucketByRequest, bucketByMessage,
		bucketChats, bucketInbox, bucketSeen, bucketAside, bucketJournal,
		bucketPairings, bucketPeople, bucketGroups,
		bucketErrands, bucketWatches, bucketSeats, bucketSaid, bucketTold, bucketTopics,
		bucketLinks, bucketLinkCodes, bucketUnreadable,
	}
}

// Schema is the version of the file's layout.
func (s *Store) Schema() (version int, err error) {
	err = s.view(func(tx kv.Tx) error {
		version, err = strconv.Atoi(string(tx.Bucket(bucketMeta).Get([]byte(metaSchema))))
		return err
	})
	return version, err
}

// remedy is what a person does about a database that is not hermes', and about one of a newer hermes.
type remedy struct{ foreign, newer string }

// checkSchema reports whether the schema is this hermes' own, and not an older one. unknown names what only a newer hermes
// reads.
func (r remedy) checkSchema(meta kv.Bucket, unknown string) (own bool, err error) {
	version, err := strconv.Atoi(string(meta.Get([]byte(metaSchema))))
	switch {
	case err != nil || version < 1:
		return false, fmt.Errorf("%w: it has no schema version; %s", ErrForeign, r.foreign)
	case version > schemaVersion:
		return false, fmt.Errorf("%w: schema %d, and this one knows %d%s; nothing was changed: run the newer hermes, or %s",
			ErrNewer, version, schemaVersion, unknown, r.newer)
	}
	return version == schemaVersion, nil
}

// putSchema makes the database one of this hermes' schema.
func putSchema(meta kv.Bucket) error {
	fresh := meta.Get([]byte(metaSchema)) == nil
	// The commit point: from here on no hermes that knows less opens the database. A crash before it leaves it as it was.
	if err := meta.Put([]byte(metaSchema), []byte(strconv.Itoa(schemaVersion))); err != nil || !fresh {
		return err
	}
	return meta.Put([]byte(metaCreated), timeText(time.Now()))
}

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
