package updates

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/telegram/botapi"
)

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
