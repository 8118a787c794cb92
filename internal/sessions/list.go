package sessions

import (
	"context"
	"slices"
	"sync"

	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/sorting"
)

const (
	// listLimit is how many sessions are asked for in one directory.
	listLimit = 50
	// pageSize is how many sessions a page of the list has.
	pageSize = 8
)

// foundSession is a session and the route that leads to it.
type foundSession struct {
	session.Session
	route route
}

// listSessions asks along all routes at once for their sessions and returns each once, the
// newest first, but none from where it may not be. It runs beside the loop. A route that
// fails is left out; it is an error only if all do.
func listSessions(ctx context.Context, along []route, may func(session.Origin, session.ID) bool) ([]foundSession, error) {
	lists, failed := make([][]session.Session, len(along)), make([]error, len(along))
	var all sync.WaitGroup
	for i, r := range along {
		all.Go(func() { lists[i], failed[i] = r.Sessions(ctx, listLimit) })
	}
	all.Wait()
	var merged []foundSession
	for i, one := range lists {
		for _, s := range one {
			if may(along[i].Origin, s.ID) {
				merged = mergeSession(merged, foundSession{s, along[i]})
			}
		}
	}
	sorting.By(merged, func(a, b foundSession) int { return b.Updated.Compare(a.Updated) })
	for _, err := range failed {
		if err != nil && len(merged) == 0 {
			return nil, err
		}
	}
	return merged, nil
}

// mergeSession adds a session, unless it is there already: then only the OpenCode that works
// on it knows that it is busy, and is the route to it.
func mergeSession(all []foundSession, f foundSession) []foundSession {
	at := slices.IndexFunc(all, func(o foundSession) bool { return o.ID == f.ID })
	switch {
	case at < 0:
		return append(all, f)
	case f.Busy && f.route.MayHave(all[at].route.Origin):
		all[at] = f
	}
	return all
}

// pageOf makes a page of the list; a page that is not there any more is the last.
func pageOf(all []foundSession, waiting []question.Thread, inUse session.ID, page int) remote.Message {
	pages := max(1, (len(all)+pageSize-1)/pageSize)
	page = min(max(page, 0), pages-1)
	t := remote.Message{Kind: remote.TellSessions, Page: page, Pages: pages}
	for _, f := range all[page*pageSize : min(len(all), (page+1)*pageSize)] {
		t.Listed = append(t.Listed, remote.ListedSession{
			Session: f.Session, Chosen: f.ID == inUse,
			Waits: slices.ContainsFunc(waiting, func(w question.Thread) bool { return waitsIn(w, f.ID, f.route.Origin) }),
		})
	}
	tellApart(t.Listed, all)
	return t
}
