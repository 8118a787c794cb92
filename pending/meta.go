package pending

import (
	"errors"
	"fmt"
	"time"

	"hermes/pending/kv"
)

// Beat keeps the time of the last good poll of Telegram, so that the next start
// can tell how long hermes was offline. Each call waits for the disk.
func (s *Store) Beat(at time.Time) error {
	return s.update(func(tx kv.Tx) error {
		return tx.Bucket(bucketMeta).Put([]byte(metaBeat), timeText(at))
	})
}

// LastBeat returns what Beat kept last, in UTC; the zero time if it never did.
func (s *Store) LastBeat() (at time.Time, err error) {
	err = s.view(func(tx kv.Tx) error {
		value := tx.Bucket(bucketMeta).Get([]byte(metaBeat))
		at, _ = time.Parse(time.RFC3339Nano, string(value)) // zero where it cannot be read
		return nil
	})
	return at, err
}

// KeepToken notes that Telegram took the token for which this mark stands. The mark must
// not lead back to the token.
func (s *Store) KeepToken(mark string) error {
	return s.update(func(tx kv.Tx) error {
		return tx.Bucket(bucketMeta).Put([]byte(metaToken), []byte(mark))
	})
}

// Token returns the mark that KeepToken noted last; empty if it never did.
func (s *Store) Token() (mark string, err error) {
	err = s.view(func(tx kv.Tx) error {
		mark = string(tx.Bucket(bucketMeta).Get([]byte(metaToken)))
		return nil
	})
	return mark, err
}

// ErrOtherBot means that a database is the one of another bot.
var ErrOtherBot = errors.New("it belongs to another bot")

// KeepBot makes a database the one of the bot with this public id. It fails with [ErrOtherBot] if it is another bot's, whose messages this one can
// neither change nor hear of. What [RestoreShared] put in its place is nobody's.
func (s *Store) KeepBot(id string) error {
	return s.update(func(tx kv.Tx) error {
		kept, err := checkBot(tx, id)
		if err != nil || kept {
			return err
		}
		return tx.Bucket(bucketMeta).Put([]byte(metaBot), []byte(id))
	})
}

// CheckBot fails as KeepBot does, and changes nothing.
func (s *Store) CheckBot(id string) error {
	return s.view(func(tx kv.Tx) error {
		_, err := checkBot(tx, id)
		return err
	})
}

// checkBot reports whether the database is this bot's already.
func checkBot(tx kv.Tx, id string) (kept bool, err error) {
	switch owner := string(tx.Bucket(bucketMeta).Get([]byte(metaBot))); owner {
	case "":
		return false, nil
	case id:
		return true, nil
	default:
		return false, fmt.Errorf("%w: it is of the bot %s, and HERMES_TELEGRAM_TOKEN of the bot %s; nothing was changed: "+
			"give all hermes of one database the token of one bot, or set HERMES_STORE to another database", ErrOtherBot, owner, id)
	}
}
