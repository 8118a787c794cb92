package updates

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/telegram/botapi"
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

// A failure that comes and goes is logged once, and its end when that has lasted.
func TestRetries_LogWhatLasts(t *testing.T) {
	const fails, again = "updates do not come in", "updates come in again"
	conflict, network := &botapi.Error{Reason: botapi.Conflict}, &botapi.Error{Reason: botapi.Network}
	for name, c := range map[string]struct {
		play func(*retries)
		want []string
	}{
		"never":          {func(r *retries) { succeed(r, 10) }, nil},
		"once":           {func(r *retries) { r.noteFailure(conflict); succeed(r, 10) }, []string{fails, again}},
		"a moment ago":   {func(r *retries) { r.noteFailure(conflict); succeed(r, 2) }, []string{fails}},
		"twice, in turn": {func(r *retries) { r.noteFailure(conflict); succeed(r, 10); r.noteFailure(conflict); succeed(r, 10) }, []string{fails, again, fails, again}},
		"every other second": {func(r *retries) {
			for range 100 {
				r.noteFailure(conflict)
				time.Sleep(time.Second)
				r.reset()
			}
			succeed(r, 10)
		}, []string{fails, again}},
		"two kinds in turn": {func(r *retries) {
			for range 10 {
				r.noteFailure(conflict)
				r.reset()
				r.noteFailure(network)
				r.reset()
			}
			succeed(r, 10)
		}, []string{fails, fails, again}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			c.play(&retries{log: slog.New(slog.NewTextHandler(&log, nil))})
			var got []string
			for line := range strings.Lines(log.String()) {
				for _, said := range []string{fails, again} {
					if strings.Contains(line, said) {
						got = append(got, said)
					}
				}
			}
			if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
				t.Errorf("%s: logged %q, want %q", name, got, c.want)
			}
		})
	}
}

// succeed makes good polls, each of which Telegram holds.
func succeed(r *retries, polls int) {
	for range polls {
		r.reset()
		time.Sleep(pollTimeout)
	}
}

func TestTokenDoubt_IsWrong(t *testing.T) {
	bad, broken := &botapi.Error{Reason: botapi.BadToken}, &botapi.Error{Reason: botapi.Network}
	type step struct {
		after time.Duration
		err   *botapi.Error // nil: the call worked
		wrong bool
	}
	for name, c := range map[string]struct {
		worked bool
		steps  []step
	}{
		"never worked":         {false, []step{{0, broken, false}, {0, bad, true}}},
		"worked here":          {false, []step{{0, nil, false}, {0, bad, false}, {believeAfter - 1, bad, false}, {1, bad, true}}},
		"worked earlier":       {true, []step{{0, bad, false}, {believeAfter, bad, true}}},
		"works again":          {true, []step{{0, bad, false}, {time.Minute, nil, false}, {believeAfter, bad, false}, {believeAfter, bad, true}}},
		"no answer in between": {true, []step{{0, bad, false}, {time.Minute, broken, false}, {time.Hour, bad, false}, {believeAfter, bad, true}}},
	} {
		d, now := tokenDoubt{worked: c.worked}, time.Now()
		for i, s := range c.steps {
			now = now.Add(s.after)
			if s.err == nil {
				d.accept()
			} else if got := d.isWrong(s.err, now); got != s.wrong {
				t.Errorf("%s, step %d: got %v", name, i, got)
			}
		}
	}
}

func TestPhoto_IsTheLargest(t *testing.T) {
	got := largestPhoto([]byte(`[{"file_id":"a","width":90,"height":90},{"file_id":"b","width":800,"height":600,"file_size":9},{"file_id":"c","width":320,"height":320}]`))
	if want := (chat.File{ID: "b", Name: "photo.jpg", Mime: "image/jpeg", Size: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := largestPhoto([]byte(`[{"width":1},"x"]`)); got != (chat.File{}) {
		t.Errorf("got %+v", got)
	}
}

func TestCommand(t *testing.T) {
	for text, want := range map[string]string{
		"/start": "start", "/Start x": "start", "/start@any_bot": "start",
		"/etc/hosts": "", "start": "", "/": "", "see /start": "", "/start,": "",
	} {
		if got := commandIn(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
