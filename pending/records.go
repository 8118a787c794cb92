package pending

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"hermes/internal/chat"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// records are the records of one bucket.
type records[T any] struct {
	bucket string
	key    func(T) []byte
	fill   func(v *T, key []byte) // sets what the key alone says; nil: nothing
}

func threadsIn(bucket string) records[question.Thread] {
	return records[question.Thread]{bucket: bucket, key: func(t question.Thread) []byte { return []byte(t.ID) }}
}

var (
	openThreads    = threadsIn(bucketOpen)
	settledThreads = threadsIn(bucketSettled)

	chats       = records[chat.Chat]{bucket: bucketChats, key: func(c chat.Chat) []byte { return numberKey(c.ID) }}
	topics      = records[storage.Topic]{bucket: bucketTopics, key: topicKey}
	invitations = records[storage.Invitation]{
		bucket: bucketPairings,
		key:    func(i storage.Invitation) []byte { return i.Hash[:] },
		fill:   func(i *storage.Invitation, key []byte) { copy(i.Hash[:], key) },
	}
	guests       = records[storage.Guest]{bucket: bucketPeople, key: func(g storage.Guest) []byte { return numberKey(g.User) }}
	groups       = records[storage.GuestGroup]{bucket: bucketGroups, key: func(g storage.GuestGroup) []byte { return numberKey(g.Chat) }}
	prompts      = records[remote.QueuedPrompt]{bucket: bucketErrands, key: func(p remote.QueuedPrompt) []byte { return []byte(p.ID) }}
	turnWatches  = records[remote.TurnWatch]{bucket: bucketWatches, key: func(w remote.TurnWatch) []byte { return sessionKey(w.Session) }}
	chatSettings = records[remote.ChatSettings]{bucket: bucketSeats, key: func(s remote.ChatSettings) []byte { return numberKey(s.Chat) }}
	messageRefs  = records[remote.MessageRef]{
		bucket: bucketSaid,
		key:    func(r remote.MessageRef) []byte { return messageKey(r.Chat, r.Message) },
		fill:   func(r *remote.MessageRef, key []byte) { r.Chat, r.Message, _ = readMessageKey(key) },
	}
	toldTurns = records[remote.ToldTurn]{bucket: bucketTold, key: func(t remote.ToldTurn) []byte { return sessionKey(t.Session) }}
	links     = records[Link]{
		bucket: bucketLinks,
		key:    func(l Link) []byte { return []byte(l.Name) },
		fill:   func(l *Link, key []byte) { l.Name, l.ID = string(key), cmp.Or(l.ID, string(key)) },
	}
	linkCodes = records[storage.LinkCode]{
		bucket: bucketLinkCodes,
		key:    func(c storage.LinkCode) []byte { return c.Hash[:] },
		fill:   func(c *storage.LinkCode, key []byte) { copy(c.Hash[:], key) },
	}
)

// readers say, by bucket, why a key and value are no record of it. They leave out settled threads, which are many, and for which no start
// may wait; the journal, which [Store.Verify] checks; and what is no JSON.
func readers() map[string]func(key, value []byte) error {
	return map[string]func(key, value []byte) error{
		bucketOpen: openThreads.check, bucketChats: chats.check, bucketTopics: topics.check,
		bucketPairings: invitations.check, bucketPeople: guests.check, bucketGroups: groups.check,
		bucketErrands: prompts.check, bucketWatches: turnWatches.check, bucketSeats: chatSettings.check,
		bucketSaid: messageRefs.check, bucketTold: toldTurns.check, bucketLinks: links.check, bucketLinkCodes: linkCodes.check,
	}
}

var errOther = errors.New("its key is that of another record")

// read fails for what this hermes cannot read: the value cannot be decoded, the key is another record's, or a field of
// a closed set has a word that this hermes does not know.
func (r records[T]) read(key, value []byte) (v T, err error) {
	if err := decode(value, &v); err != nil {
		return v, err
	}
	if r.fill != nil {
		r.fill(&v, key)
	}
	if !bytes.Equal(key, r.key(v)) {
		return v, errOther
	}
	return v, knownWords(&v)
}

func (r records[T]) check(key, value []byte) error {
	_, err := r.read(key, value)
	return err
}

// get reports false for a record that is not there, and fails for one that cannot be read.
func (r records[T]) get(t *tx, key []byte) (v T, found bool, err error) {
	value := t.get(r.bucket, key)
	if value == nil {
		return v, false, nil
	}
	v, err = r.read(key, value)
	return v, err == nil, err
}

// all are those that can be read, in the order of their keys.
func (r records[T]) all(t *tx) (list []T) {
	for key, value := range t.all(r.bucket) {
		if v, err := r.read(key, value); err == nil {
			list = append(list, v)
		}
	}
	return list
}

func (r records[T]) put(t *tx, list ...T) {
	for _, v := range list {
		value, err := encode(v)
		if err != nil {
			t.fail(fmt.Errorf("%s %q: %w", r.bucket, r.key(v), err))
			return
		}
		t.put(r.bucket, r.key(v), value)
	}
}

func (r records[T]) remove(t *tx, list ...T) {
	for _, v := range list {
		t.delete(r.bucket, r.key(v))
	}
}

// closedSets are the types of which only these values, and the empty one, mean something. They leave out words that
// only say what messages tell.
var closedSets = sync.OnceValue(func() map[reflect.Type][]string {
	sets := map[reflect.Type][]string{}
	addSet(sets, session.Protocols()...)
	addSet(sets, session.Link, session.Direct, session.AskAPI)
	addSet(sets, question.Expiries()...)
	addSet(sets, question.Asking, question.Answered, question.Dismissed)
	addSet(sets, question.Pick, question.Drop, question.Go, question.Done, question.Page, question.Type, question.Send,
		question.Dismiss, question.Say, question.Skip, question.UseDefault, question.Take, question.Undo)
	addSet(sets, question.FileAdded, question.FileChanged, question.FileDeleted, question.FileMoved)
	addSet(sets, fields.Kinds()...)
	addSet(sets, append([]fields.Format{fields.AnyText}, fields.Formats()...)...)
	addSet(sets, question.ActorKinds()...)
	addSet(sets, question.OutcomeKinds()...)
	addSet(sets, remote.LevelQuestions, remote.LevelTurns, remote.LevelAll)
	return sets
})

func addSet[T ~string](sets map[reflect.Type][]string, values ...T) {
	for _, v := range values {
		sets[reflect.TypeFor[T]()] = append(sets[reflect.TypeFor[T]()], string(v))
	}
}

// knownWords reports a word in a record, at any depth, that its closed set does not have.
func knownWords(record any) (err error) {
	sets := closedSets()
	walk(reflect.ValueOf(record).Elem(), false, func(v reflect.Value) {
		set, ok := sets[v.Type()]
		if ok && v.Len() > 0 && !slices.Contains(set, v.String()) {
			err = fmt.Errorf("%.60q is no %s that this hermes knows", v.String(), v.Type().Name())
		}
	})
	return err
}

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
func (s *Store) findSkipped() (skipped []Skipped, err error) {
	readers := readers()
	err = s.read(func(t *tx) {
		for _, bucket := range slices.Sorted(maps.Keys(readers)) {
			for key, value := range t.all(bucket) {
				if err := readers[bucket](key, value); err != nil {
					text := err.Error()
					skipped = append(skipped, Skipped{bucket, bytes.Clone(key), text[:min(len(text), maxReason)]})
				}
			}
		}
		for key := range t.all(bucketUnreadable) {
			bucket, rest, _ := bytes.Cut(key, []byte{0})
			skipped = append(skipped, Skipped{string(bucket), bytes.Clone(rest[:max(0, len(rest)-8)]), "an earlier hermes could not read it and moved it aside"})
		}
	})
	return skipped, err
}
