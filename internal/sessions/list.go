package sessions

import (
	"context"
	"slices"
	"sync"

	"hermes/internal/question"
)

const (
	// eachLists is how many sessions are asked for in one directory.
	eachLists = 50
	// pageSize is how many sessions a page of the list has.
	pageSize = 8
)

// found is a session and the way that leads to it.
type found struct {
	question.Session
	way way
}

// list asks all ways at once for their sessions and returns each once, the newest
// first, but none from where it may not be. It runs beside the loop. A way that fails is
// left out; it is an error only if all do.
func list(ctx context.Context, ways []way, may func(question.Origin, question.SessionID) bool) ([]found, error) {
	lists, failed := make([][]question.Session, len(ways)), make([]error, len(ways))
	var all sync.WaitGroup
	for i, w := range ways {
		all.Go(func() { lists[i], failed[i] = w.Sessions(ctx, eachLists) })
	}
	all.Wait()
	var merged []found
	for i, one := range lists {
		for _, s := range one {
			if may(ways[i].Origin, s.ID) {
				merged = merge(merged, found{s, ways[i]})
			}
		}
	}
	slices.SortStableFunc(merged, func(a, b found) int { return b.Updated.Compare(a.Updated) })
	for _, err := range failed {
		if err != nil && len(merged) == 0 {
			return nil, err
		}
	}
	return merged, nil
}

// merge adds a session, unless it is there already: then only the OpenCode that works
// on it knows that it is busy, and is the way to it.
func merge(all []found, f found) []found {
	at := slices.IndexFunc(all, func(o found) bool { return o.ID == f.ID })
	switch {
	case at < 0:
		return append(all, f)
	case f.Busy && f.way.MayHave(all[at].way.Origin):
		all[at] = f
	}
	return all
}

// sessions shows a page of the list.
func (d *Desk) sessions(in question.Input, page int) {
	ways, seat, may := d.ways(), d.seat(in.Chat), d.owners()
	if len(ways) == 0 {
		d.reply(in, question.Telling{Kind: question.TellOffline})
		return
	}
	d.beside(func(ctx context.Context) {
		all, err := list(ctx, ways, may)
		waiting, _ := d.config.Waiting(ctx)
		d.back(func() {
			if err != nil {
				d.reply(in, question.Telling{Kind: question.TellFailed})
				return
			}
			d.reply(in, pageOf(all, waiting, seat.Session, page))
		})
	})
}

// pageOf makes a page of the list; a page that is not there any more is the last.
func pageOf(all []found, waiting []question.Thread, chosen question.SessionID, page int) question.Telling {
	pages := max(1, (len(all)+pageSize-1)/pageSize)
	page = min(max(page, 0), pages-1)
	t := question.Telling{Kind: question.TellSessions, Page: page, Pages: pages}
	for _, f := range all[page*pageSize : min(len(all), (page+1)*pageSize)] {
		t.Listed = append(t.Listed, question.Listed{
			Session: f.Session, Chosen: f.ID == chosen,
			Waits: slices.ContainsFunc(waiting, func(w question.Thread) bool { return asks(w, f.ID, f.way.Origin) }),
		})
	}
	return t
}
