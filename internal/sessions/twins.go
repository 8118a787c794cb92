package sessions

import (
	"context"
	"strings"
	"sync"
	"time"

	"hermes/internal/remote"
	"hermes/internal/session"
)

const (
	// shortEnd is how many characters of an id are shown at least.
	shortEnd = 4
	// wordsWithin is how long a list waits for the last words of sessions.
	wordsWithin = 2 * time.Second
)

// tellApart notes of the sessions on a page how they are told from others in the whole list whose names read the same: by
// more of the directory where that is another one, else by the end of their ids.
func tellApart(page []remote.ListedSession, all []foundSession) {
	for i := range page {
		s := &page[i]
		place := session.Origin{Directory: s.Directory}
		var same []session.ID // of those that more of the directory does not tell from it
		for _, o := range all {
			other := session.Origin{Directory: o.Directory}
			if o.ID == s.ID || o.Title != s.Title || other.Project() != place.Project() {
				continue
			}
			s.Long = s.Long || o.Directory != s.Directory
			if other.LongProject() == place.LongProject() {
				same = append(same, o.ID)
			}
		}
		if len(same) > 0 {
			s.End = uniqueEnd(s.ID, same)
		}
	}
}

// uniqueEnd is the shortest end of an id that no other one has.
func uniqueEnd(id session.ID, others []session.ID) string {
	for n := shortEnd; n < len(id); n++ {
		end := string(id[len(id)-n:])
		shared := false
		for _, other := range others {
			shared = shared || strings.HasSuffix(string(other), end)
		}
		if !shared {
			return end
		}
	}
	return string(id)
}

// addWords reads the last words of those sessions on a page that only their ids tell apart, all at once. What is not there in
// time is left out. It runs beside the loop.
func addWords(ctx context.Context, page []remote.ListedSession, all []foundSession) {
	ctx, stop := context.WithTimeout(ctx, wordsWithin)
	defer stop()
	var reads sync.WaitGroup
	for i := range page {
		for _, f := range all {
			if page[i].End != "" && f.ID == page[i].ID {
				reads.Go(func() {
					if turn, err := f.route.Turn(ctx, f.ID); err == nil {
						page[i].Words = turn.Text
					}
				})
			}
		}
	}
	reads.Wait()
}
