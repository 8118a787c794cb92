package pending

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"hermes/internal/chat"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending/kv"
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
		bucketOpen: threadsIn(bucketOpen).check, bucketChats: chats.check, bucketTopics: topics.check,
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
func (r records[T]) get(tx kv.Tx, key []byte) (v T, found bool, err error) {
	value := tx.Bucket(r.bucket).Get(key)
	if value == nil {
		return v, false, nil
	}
	v, err = r.read(key, value)
	return v, err == nil, err
}

// appendTo appends those that can be read to a list.
func (r records[T]) appendTo(list *[]T, tx kv.Tx) error {
	b := tx.Bucket(r.bucket)
	if b == nil {
		return nil // read from a file of before there were such
	}
	return b.ForEach(func(key, value []byte) error {
		if v, err := r.read(key, value); err == nil {
			*list = append(*list, v)
		}
		return nil
	})
}

func (r records[T]) put(tx kv.Tx, list ...T) error {
	return each(list, func(v T) error {
		value, err := encode(v)
		if err != nil {
			return err
		}
		return tx.Bucket(r.bucket).Put(r.key(v), value)
	})
}

func (r records[T]) remove(tx kv.Tx, list ...T) error {
	return each(list, func(v T) error { return tx.Bucket(r.bucket).Delete(r.key(v)) })
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
