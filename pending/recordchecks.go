package pending

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

var (
	errKey   = errors.New("its key has not the form of its bucket's keys")
	errOther = errors.New("its key is that of another record")
)

// recordChecks are, by bucket, functions that say why a key and value are no record of it:
// the value cannot be decoded, the key is another record's, or a field of a closed set has
// a word that this hermes does not know. They leave out the journal: [Store.Verify] checks
// it.
func recordChecks() map[string]func(key, value []byte) error {
	return map[string]func(key, value []byte) error{
		bucketMeta:      metaFits,
		bucketOpen:      threadFits,
		bucketSettled:   threadFits,
		bucketEnded:     func(key, _ []byte) error { return atLeast(key, 9) },
		bucketByRequest: func(key, _ []byte) error { return atLeast(key, 1) },
		bucketByMessage: func(key, _ []byte) error { return ofLength(key, 16) },
		bucketChats:     recordFits(chatRecord.toChat, func(c chat.Chat) []byte { return numberKey(c.ID) }),
		bucketInbox:     func(key, _ []byte) error { return ofLength(key, 8) },
		bucketSeen:      func(key, value []byte) error { return errors.Join(ofLength(key, 8), isTime(value)) },
		bucketAside: func(key, value []byte) error {
			return errors.Join(ofLength(key, 8), json.Unmarshal(value, new(asideRecord)))
		},
		bucketPairings: func(key, value []byte) error {
			return errors.Join(ofLength(key, len(storage.CodeHash{})), json.Unmarshal(value, new(invitationRecord)))
		},
		bucketPeople:  recordFits(guestRecord.toGuest, func(g storage.Guest) []byte { return numberKey(g.User) }),
		bucketGroups:  recordFits(groupRecord.toGroup, func(g storage.GuestGroup) []byte { return numberKey(g.Chat) }),
		bucketErrands: recordFits(queuedPromptRecord.toQueuedPrompt, func(e remote.QueuedPrompt) []byte { return []byte(e.ID) }),
		bucketWatches: recordFits(watchRecord.toWatch, func(w remote.TurnWatch) []byte { return sessionKey(w.Session) }),
		bucketSeats:   recordFits(chatSettingsRecord.toChatSettings, func(s remote.ChatSettings) []byte { return numberKey(s.Chat) }),
		bucketSaid: func(key, value []byte) error {
			var r saidRecord
			return errors.Join(ofLength(key, 16), json.Unmarshal(value, &r), knownWords(r.Wizard.toWizard()))
		},
		bucketTold:   recordFits(toldRecord.toTold, func(t remote.ToldTurn) []byte { return sessionKey(t.Session) }),
		bucketPosted: postedFits,
		bucketTopics: recordFits(topicRecord.toTopic, topicKey),
		bucketLinks:  linkFits,
		bucketLinkCodes: func(key, value []byte) error {
			return errors.Join(ofLength(key, len(storage.CodeHash{})), json.Unmarshal(value, new(linkCodeRecord)))
		},
	}
}

func threadFits(key, value []byte) error {
	return recordFits(threadRecord.toThread, func(t question.Thread) []byte { return []byte(t.ID) })(key, value)
}

func recordFits[R, T any](from func(R) T, keyOf func(T) []byte) func(key, value []byte) error {
	return func(key, value []byte) error {
		var r R
		if err := json.Unmarshal(value, &r); err != nil {
			return err
		}
		t := from(r)
		if !bytes.Equal(key, keyOf(t)) {
			return errOther
		}
		return knownWords(t)
	}
}

// linkFits refuses a link whose hash no token can have.
func linkFits(key, value []byte) error {
	var r linkRecord
	if err := json.Unmarshal(value, &r); err != nil {
		return err
	}
	if hash, err := hex.DecodeString(r.Hash); err != nil || len(hash) != len(Link{}.Hash) {
		return errors.New("its hash is none")
	}
	return atLeast(key, 1)
}

// metaFits leaves the schema to [remedy.checkSchema], and names that it does not know alone.
func metaFits(key, value []byte) error {
	switch string(key) {
	case metaCreated, metaBeat:
		return isTime(value)
	case metaHead, metaTail:
		if len(value) != 8+len(Hash{}) {
			return errors.New("it is no number and hash")
		}
	}
	return nil
}

func ofLength(key []byte, n int) error {
	if len(key) != n {
		return errKey
	}
	return nil
}

func atLeast(key []byte, n int) error {
	if len(key) < n {
		return errKey
	}
	return nil
}

func isTime(value []byte) error {
	_, err := time.Parse(time.RFC3339Nano, string(value))
	return err
}

// allSets is closedSets, made once.
var allSets = sync.OnceValue(closedSets)

// closedSets are the types of which only these values, and the empty one, mean something.
// A test holds them against package question.
func closedSets() map[reflect.Type][]string {
	sets := map[reflect.Type][]string{}
	addSet(sets, session.Protocols()...)
	addSet(sets, session.Link, session.Direct, session.AskAPI)
	addSet(sets, question.Expiries()...)
	addSet(sets, question.Asking, question.Answered, question.Dismissed)
	addSet(sets, question.Pick, question.Drop, question.Go, question.Done, question.Page, question.Type, question.Send,
		question.Dismiss, question.Say, question.Skip, question.UseDefault, question.Take, question.Undo)
	addSet(sets, question.PickOne, question.Ambiguous, question.NotAnOption, question.NoNumber, question.OnlyOne, question.TapButton, question.TapSend,
		question.NotAccepted, question.TooFew, question.TooMany, question.NotAsked, question.Refused, question.LostRight)
	addSet(sets, question.FileAdded, question.FileChanged, question.FileDeleted, question.FileMoved)
	addSet(sets, fields.Kinds()...)
	addSet(sets, append([]fields.Format{fields.AnyText}, fields.Formats()...)...)
	addSet(sets, question.ActorKinds()...)
	addSet(sets, storage.EntryKinds()...)
	addSet(sets, question.OutcomeKinds()...)
	addSet(sets, question.LateOwed, question.LateSent, question.LateRefused, question.LateDeleted, question.LateUnsure)
	addSet(sets, remote.LevelQuestions, remote.LevelTurns, remote.LevelAll)
	addEnds(sets)
	return sets
}

func addSet[T ~string](sets map[reflect.Type][]string, values ...T) {
	for _, v := range values {
		sets[reflect.TypeFor[T]()] = append(sets[reflect.TypeFor[T]()], string(v))
	}
}

// knownWords reports the first word in v, at any depth, that its closed set does not have.
func knownWords(v any) error { return knownIn(reflect.ValueOf(v), allSets()) }

func knownIn(v reflect.Value, sets map[reflect.Type][]string) error {
	switch v.Kind() {
	case reflect.String:
		set, ok := sets[v.Type()]
		if ok && v.Len() > 0 && !slices.Contains(set, v.String()) {
			return fmt.Errorf("%.60q is no %s that this hermes knows", v.String(), v.Type().Name())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return nil
		}
		for i := range v.NumField() {
			if err := knownIn(v.Field(i), sets); err != nil {
				return err
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			if err := knownIn(v.Index(i), sets); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return knownIn(v.Elem(), sets)
		}
	}
	return nil
}
