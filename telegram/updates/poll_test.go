package updates

import (
	"testing"

	"hermes/internal/chat"
)

// A batch that holds both sides of a jump is none of the Bot API server's. Should there be one, the highest id confirms both.
func TestOffsetAfter(t *testing.T) {
	for _, c := range []struct {
		batch []chat.UpdateID
		want  chat.UpdateID
	}{
		{nil, 0},
		{[]chat.UpdateID{5, 6, 7}, 8},
		{[]chat.UpdateID{117_314_199, 117_314_200}, 117_314_201},
		{[]chat.UpdateID{727_334_708, 117_314_199}, 727_334_709},
	} {
		var batch []chat.Update
		for _, id := range c.batch {
			batch = append(batch, chat.Update{ID: id})
		}
		if got := offsetAfter(batch); got != c.want {
			t.Errorf("after %v: got %d, want %d", c.batch, got, c.want)
		}
	}
}
