package pending

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// mark is an index entry that leads to a thread.
type mark struct {
	bucket string
	key    []byte
}

// indexMarks are the index entries that a thread may have. They follow from the record alone,
// so that whoever removes it knows them.
func indexMarks(t question.Thread) []mark {
	var all []mark
	if t.Request.ID != "" {
		all = append(all, mark{bucketByRequest, requestKey(t.Request.ID)})
		for _, o := range t.Origins {
			all = append(all, mark{bucketByRequest, processKey(o, t.Request.ID)})
		}
	}
	for _, c := range t.Cards {
		for _, list := range [][]chat.MessageID{c.Messages, c.Others} {
			for _, m := range list {
				all = append(all, mark{bucketByMessage, messageKey(c.Chat, m)})
			}
		}
		for _, box := range c.Boxes {
			if box.Message != 0 {
				all = append(all, mark{bucketByMessage, messageKey(c.Chat, box.Message)})
			}
		}
	}
	return all
}

// longestID is far above what OpenCode mints and far below what bbolt takes.
const longestID = 1024

// requestKey is the id itself. One of absurd length, which only a stranger can
// have made, is kept by its hash: a refusal would hold up all that is committed
// along with it. The first byte keeps the two apart.
func requestKey(id question.RequestID) []byte {
	if len(id) > longestID {
		sum := sha256.Sum256([]byte(id))
		return append([]byte{'#'}, sum[:]...)
	}
	return append([]byte{'='}, id...)
}

// sessionKey and topicKey guard likewise against what OpenCode calls a session.
func sessionKey(id session.ID) []byte { return requestKey(question.RequestID(id)) }

func topicKey(t storage.Topic) []byte { return append(numberKey(t.Chat), sessionKey(t.Root)...) }

// processKey is a request id together with the process that announced it.
func processKey(o session.Origin, id question.RequestID) []byte {
	h := sha256.New()
	for _, part := range []string{string(o.Way), o.Process, string(id)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return h.Sum([]byte{'@'})
}

func messageKey(chat chat.ID, message chat.MessageID) []byte {
	return append(numberKey(chat), numberKey(message)...)
}

func readMessageKey(key []byte) (chat.ID, chat.MessageID, bool) {
	if len(key) != 16 {
		return 0, 0, false
	}
	return chat.ID(readNumber(key[:8])), chat.MessageID(readNumber(key[8:])), true
}

// endedKey sorts by time. Times that nanoseconds since 1970 cannot count are
// brought to the nearest that they can.
func endedKey(at time.Time, id question.ID) []byte {
	return append(numberKey(clampedNanos(at)), id...)
}

// endedID is the thread that an ended key is of.
func endedID(key []byte) question.ID { return question.ID(key[min(len(key), len(numberKey(0))):]) }

func clampedNanos(at time.Time) int64 {
	switch year := at.UTC().Year(); {
	case year < 1700:
		return math.MinInt64
	case year > 2250:
		return math.MaxInt64
	}
	return at.UnixNano()
}

// numberKey is eight bytes that sort as the numbers do.
func numberKey[T ~int | ~int64 | ~uint64](n T) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(n)^1<<63)
}

// readNumber is 0 for what is no number.
func readNumber(b []byte) int64 {
	if len(b) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b) ^ 1<<63)
}

// timeText is how a time is written outside records.
func timeText(at time.Time) []byte {
	return []byte(at.UTC().Format(time.RFC3339Nano))
}
