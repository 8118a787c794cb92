package kvtest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"hermes/pending/kv"
)

// errUndo fails a change that was right.
var errUndo = errors.New("this change is not wanted")

const (
	changes  = 60
	perRound = 40 // operations of a change
)

// randomChanges makes changes of random operations, of which some fail at the end, and compares each answer.
func randomChanges(t *testing.T, db kv.DB) {
	now := newModel()
	for round := range changes {
		var next model
		undo := round%4 == 3
		err := db.Update(func(tx kv.Tx) error {
			p := &player{rand.New(rand.NewPCG(uint64(round), 1)), tx, now.clone()} // anew, should the change be tried again
			next = p.model
			for range perRound {
				if err := p.play(); err != nil {
					return err
				}
			}
			if undo {
				return errUndo
			}
			return p.model.differs(tx)
		})
		if undo != errors.Is(err, errUndo) || !undo && err != nil {
			t.Fatalf("change %d: %v", round, err)
		}
		if !undo {
			now = next
		}
		if err := db.View(now.differs); err != nil {
			t.Fatalf("after change %d (undone: %v): %v", round, undo, err)
		}
	}
}

type player struct {
	*rand.Rand
	tx    kv.Tx
	model model
}

// play makes one operation.
func (p *player) play() error {
	name := Buckets()[p.IntN(len(Buckets()))]
	in, b, key := p.tx.Bucket(name), p.model[name], p.key()
	switch p.IntN(10) {
	case 0, 1, 2, 3:
		value := p.value()
		b[key] = string(value)
		return in.Put([]byte(key), value)
	case 4, 5:
		delete(b, key)
		return in.Delete([]byte(key))
	case 6, 7:
		return b.differsFrom(in, key, p.IntN(10))
	case 8:
		return b.differs(in)
	}
	return b.differsAt(in, key)
}

// key is one of so few that operations meet, with all that sorts in a special way.
func (p *player) key() string {
	letters := []byte{0, 'a', 0x7f, 0x80, 0xff}
	key := make([]byte, 1+p.IntN(3))
	for i := range key {
		key[i] = letters[p.IntN(len(letters))]
	}
	if p.IntN(20) == 0 {
		key = append(key, bytes.Repeat([]byte{0xfe}, kv.MaxKey-len(key))...)
	}
	return string(key)
}

func (p *player) value() []byte {
	switch p.IntN(10) {
	case 0:
		return nil
	case 1:
		return []byte{}
	case 2:
		return bytes.Repeat([]byte{byte(p.IntN(256))}, 20_000)
	}
	value := make([]byte, 1+p.IntN(50))
	for i := range value {
		value[i] = byte(p.IntN(256))
	}
	return value
}
