package pending

import (
	"bytes"
	"cmp"
	"math"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
)

func FuzzKeys(f *testing.F) {
	f.Add(int64(-1001), 5, int64(7), 6, "que_1", "que_2")
	f.Add(int64(math.MinInt64), math.MaxInt, int64(math.MaxInt64), math.MinInt, "", "#")
	f.Add(int64(0), 0, int64(0), 0, strings.Repeat("x", 2000), strings.Repeat("x", 2001))
	f.Fuzz(func(t *testing.T, chat1 int64, message1 int, chat2 int64, message2 int, id1, id2 string) {
		c1, m1, c2, m2 := chat.ID(chat1), chat.MessageID(message1), chat.ID(chat2), chat.MessageID(message2)
		got := bytes.Compare(messageKey(c1, m1), messageKey(c2, m2))
		if want := cmp.Or(cmp.Compare(c1, c2), cmp.Compare(m1, m2)); got != want {
			t.Errorf("messages %d/%d and %d/%d sort as %d, want %d", c1, m1, c2, m2, got, want)
		}
		k1, k2 := requestKey(question.RequestID(id1)), requestKey(question.RequestID(id2))
		if bytes.Equal(k1, k2) != (id1 == id2) {
			t.Errorf("requests %q and %q have keys %q and %q", id1, id2, k1, k2)
		}
		if len(k1) > longestID+1 {
			t.Errorf("the key of request %q has %d bytes", id1, len(k1))
		}
	})
}

func TestKeys_EndedSortByTime(t *testing.T) {
	times := []time.Time{
		{},
		time.Unix(-1, 0),
		time.Unix(0, 0),
		time.Unix(0, 1),
		time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
		time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	for i := range times[1:] {
		if bytes.Compare(endedKey(times[i], "zzz"), endedKey(times[i+1], "aaa")) >= 0 {
			t.Errorf("%v does not sort before %v", times[i], times[i+1])
		}
	}
}
