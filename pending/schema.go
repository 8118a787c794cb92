package pending

import (
	"errors"
	"fmt"
	"strconv"
	"time"
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

	metaRestoring = "restoring" // there while [RestoreShared] replaces the records
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
	err = s.view(func(t *tx) error {
		version, err = strconv.Atoi(t.meta(metaSchema))
		return err
	})
	return version, err
}

// remedy is what a person does about a database that is not hermes', and about one of a newer hermes.
type remedy struct{ foreign, newer string }

// checkSchema reports whether the schema is this hermes' own, and not an older one. unknown names what only a newer hermes
// reads.
func (r remedy) checkSchema(t *tx, unknown string) (own bool, err error) {
	version, err := strconv.Atoi(t.meta(metaSchema))
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
func putSchema(t *tx) {
	if t.meta(metaSchema) == "" {
		t.put(bucketMeta, []byte(metaCreated), timeText(time.Now()))
	}
	// The commit point: from here on no hermes that knows less opens the database. A crash before it leaves it as it was.
	t.put(bucketMeta, []byte(metaSchema), []byte(strconv.Itoa(schemaVersion)))
}

func (t *tx) meta(name string) string { return string(t.get(bucketMeta, []byte(name))) }

func (s *Store) putMeta(name string, value []byte) error {
	return s.update(func(t *tx) error {
		t.put(bucketMeta, []byte(name), value)
		return nil
	})
}

// Beat keeps the time of the last good poll of Telegram, so that the next start
// can tell how long hermes was offline. Each call waits for the disk.
func (s *Store) Beat(at time.Time) error { return s.putMeta(metaBeat, timeText(at)) }

// LastBeat returns what Beat kept last, in UTC; the zero time if it never did.
func (s *Store) LastBeat() (at time.Time, err error) {
	err = s.read(func(t *tx) {
		at, _ = time.Parse(time.RFC3339Nano, t.meta(metaBeat)) // zero where it cannot be read
	})
	return at, err
}

// KeepToken notes that Telegram took the token for which this mark stands. The mark must
// not lead back to the token.
func (s *Store) KeepToken(mark string) error { return s.putMeta(metaToken, []byte(mark)) }

// Token returns the mark that KeepToken noted last; empty if it never did.
func (s *Store) Token() (mark string, err error) {
	err = s.read(func(t *tx) { mark = t.meta(metaToken) })
	return mark, err
}

// ErrOtherBot means that a database is the one of another bot.
var ErrOtherBot = errors.New("it belongs to another bot")

// KeepBot makes a database the one of the bot with this public id. It fails with [ErrOtherBot] if it is another bot's, whose messages this one can
// neither change nor hear of. What [RestoreShared] put in its place is nobody's.
func (s *Store) KeepBot(id string) error {
	return s.update(func(t *tx) error {
		kept, err := checkBot(t, id)
		if err == nil && !kept {
			t.put(bucketMeta, []byte(metaBot), []byte(id))
		}
		return err
	})
}

// CheckBot fails as KeepBot does, and changes nothing.
func (s *Store) CheckBot(id string) error {
	return s.view(func(t *tx) error {
		_, err := checkBot(t, id)
		return err
	})
}

// checkBot reports whether the database is this bot's already.
func checkBot(t *tx, id string) (kept bool, err error) {
	switch owner := t.meta(metaBot); owner {
	case "":
		return false, nil
	case id:
		return true, nil
	default:
		return false, fmt.Errorf("%w: it is of the bot %s, and HERMES_TELEGRAM_TOKEN of the bot %s; nothing was changed: "+
			"give all hermes of one database the token of one bot, or set HERMES_STORE to another database", ErrOtherBot, owner, id)
	}
}
