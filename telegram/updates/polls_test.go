package updates

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/telegram/botapi"
)

func TestHookErrors_IsUnreachable(t *testing.T) {
	type look struct{ at, pending, date, came int } // seconds; came: when an update came in since the look before
	for name, c := range map[string]struct {
		before int // last_error_date when the webhook is set
		looks  []look
		want   bool
	}{
		"none":                           {0, []look{{30, 1, 0, 0}}, false},
		"from before":                    {900, []look{{30, 1, 900, 0}}, false},
		"new":                            {900, []look{{30, 1, 1020, 0}}, true},
		"the clocks differ by a year":    {900, []look{{30, 1, -31_000_000, 0}}, true},
		"new, and nothing waits":         {900, []look{{30, 0, 1020, 0}}, false},
		"new, and one came since":        {900, []look{{30, 1, 1020, 25}}, false},
		"new, and one came before":       {900, []look{{30, 1, 900, 25}, {60, 1, 1050, 0}}, true},
		"it lasts":                       {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 0}, {90, 2, 1080, 0}}, true},
		"it is over":                     {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 40}}, false},
		"it is over, and later":          {0, []look{{30, 1, 1020, 0}, {60, 1, 1020, 40}, {900, 3, 1020, 0}}, false},
		"the webhook was set anew there": {1020, []look{{30, 1, 0, 0}}, false},
	} {
		zero := time.Now()
		at := func(s int) time.Time { return zero.Add(time.Duration(s) * time.Second) }
		var h hookErrors
		h.webhookSet(c.before, zero)
		got := false
		for _, l := range c.looks {
			if l.came > 0 {
				h.updateArrived(at(l.came))
			}
			got = h.isUnreachable(l.pending, l.date, at(l.at))
		}
		if got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestSequence_Order(t *testing.T) {
	type arrival struct {
		at int // milliseconds
		id chat.UpdateID
	}
	type handled struct {
		at int
		id chat.UpdateID
	}
	first, gap := int(firstWait/time.Millisecond), int(gapWait/time.Millisecond)
	for name, c := range map[string]struct {
		arrivals []arrival
		want     []handled
	}{
		"in order":              {[]arrival{{0, 5}, {10_000, 6}, {10_001, 7}}, []handled{{first, 5}, {10_000, 6}, {10_001, 7}}},
		"the first two swapped": {[]arrival{{0, 6}, {100, 5}}, []handled{{first, 5}, {first, 6}}},
		"swapped":               {[]arrival{{0, 5}, {10_000, 7}, {10_500, 6}, {10_600, 8}}, []handled{{first, 5}, {10_500, 6}, {10_500, 7}, {10_600, 8}}},
		"one never comes":       {[]arrival{{0, 5}, {10_000, 7}, {10_500, 8}, {30_000, 9}}, []handled{{first, 5}, {10_000 + gap, 7}, {10_000 + gap, 8}, {30_000, 9}}},
		"one comes too late":    {[]arrival{{0, 5}, {10_000, 7}, {20_000, 6}, {20_100, 8}}, []handled{{first, 5}, {10_000 + gap, 7}, {20_000, 6}, {20_100, 8}}},
		"ids jump down":         {[]arrival{{0, 700_000_000}, {10_000, 3_000_001}, {10_001, 3_000_002}}, []handled{{first, 700_000_000}, {10_000 + first, 3_000_001}, {10_000 + first, 3_000_002}}},
		"ids jump up":           {[]arrival{{0, 5}, {10_000, 700_000_000}, {20_000, 700_000_001}}, []handled{{first, 5}, {10_000 + first, 700_000_000}, {20_000, 700_000_001}}},
	} {
		var s sequence
		var got []handled
		zero := time.Now()
		for ms := 0; ms < 60_000; ms++ {
			now := zero.Add(time.Duration(ms) * time.Millisecond)
			for _, a := range c.arrivals {
				if a.at == ms {
					s.add(chat.Update{ID: a.id}, now)
				}
			}
			for _, u := range s.takeReady(now) {
				got = append(got, handled{ms, u.ID})
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %v\nwant %v", name, got, c.want)
		}
	}
}

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

func TestSilence_AfterPoll(t *testing.T) {
	type poll struct{ brought, waiting int }
	for name, c := range map[string]struct {
		polls  []poll
		proven bool
	}{
		"nothing waits":                     {[]poll{{0, 0}, {0, 0}, {0, 0}}, false},
		"one came between":                  {[]poll{{0, 1}, {1, 0}, {0, 0}}, false},
		"another program took it":           {[]poll{{0, 1}, {0, 0}, {0, 1}, {0, 0}}, false},
		"another took it, and one came":     {[]poll{{0, 1}, {0, 1}, {1, 0}}, false},
		"two polls that should have had":    {[]poll{{0, 1}, {0, 1}, {0, 1}}, true},
		"it stays so":                       {[]poll{{0, 1}, {0, 1}, {0, 1}, {0, 2}}, true},
		"it comes at last":                  {[]poll{{0, 1}, {0, 1}, {0, 1}, {1, 0}}, false},
		"it expires":                        {[]poll{{0, 1}, {0, 1}, {0, 1}, {0, 0}}, false},
		"a hundred come, and more waits":    {[]poll{{100, 0}, {100, 0}, {0, 0}}, false},
		"nothing waits but at the very end": {[]poll{{0, 0}, {0, 0}, {0, 9}}, false},
	} {
		var s silence
		got := false
		for _, p := range c.polls {
			got = s.afterPoll(p.brought, p.waiting)
		}
		if got != c.proven {
			t.Errorf("%s: got %v", name, got)
		}
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
