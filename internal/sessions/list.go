package sessions

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/ui"
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
	slices.SortStableFunc(merged, func(a, b foundSession) int { return b.Updated.Compare(a.Updated) })
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
func pageOf(all []foundSession, waiting []question.Thread, inUse session.ID, page int) ui.SessionPage {
	pages := max(1, (len(all)+pageSize-1)/pageSize)
	p := ui.SessionPage{Number: min(max(page, 0), pages-1), Pages: pages}
	for _, f := range all[p.Number*pageSize : min(len(all), (p.Number+1)*pageSize)] {
		p.Listed = append(p.Listed, remote.ListedSession{
			Session: f.Session, Chosen: f.ID == inUse,
			Waits: slices.ContainsFunc(waiting, func(w question.Thread) bool { return waitsIn(w, f.ID, f.route.Origin) }),
		})
	}
	tellApart(p.Listed, all)
	return p
}

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

// seeSession asks OpenCode about a session, and answers with what read makes of it.
func (c *Controller) seeSession(in inbound.Input, to target, read func(context.Context, route, session.Session) (ui.Text, error)) {
	c.replySeen(in, c.routes.toOpen(in, to), to, read)
}

// showLast shows what the session did last.
func (c *Controller) showLast(in inbound.Input, to target) {
	runsAt := c.routes.runsAt(to)
	c.seeSession(in, to, func(ctx context.Context, at route, s session.Session) (ui.Text, error) {
		turn, err := at.Turn(ctx, s.ID)
		c.observer.addWaits(ctx, at, &turn)
		turn.Session = s
		if isSeenByOther(turn, at, runsAt) {
			turn.Aborted = false // only there it is known
		}
		return ui.LastTurn(s, turn), err
	})
}

// showTodo shows the session's list.
func (c *Controller) showTodo(in inbound.Input, to target) {
	c.seeSession(in, to, func(ctx context.Context, at route, s session.Session) (ui.Text, error) {
		turn, err := at.Turn(ctx, s.ID)
		return ui.Todo(s, turn.Todos), err
	})
}

// showDiff shows what the session changed.
func (c *Controller) showDiff(in inbound.Input, to target) {
	c.seeSession(in, to, func(ctx context.Context, at route, s session.Session) (ui.Text, error) {
		text, err := at.Diff(ctx, s.ID)
		return ui.Diff(s, text), err
	})
}

// showCommands lists OpenCode's own commands.
func (c *Controller) showCommands(in inbound.Input, to target) {
	c.seeSession(in, to, func(ctx context.Context, at route, s session.Session) (ui.Text, error) {
		names, err := at.Commands(ctx)
		return ui.CommandList(s, names), err
	})
}

// showPending lists what waits for a person, of what this chat is shown.
func (c *Controller) showPending(in inbound.Input) {
	c.loop.Beside(func(ctx context.Context) func() {
		all, err := c.observer.asks.Open(ctx)
		if err != nil {
			return nil
		}
		return func() { c.reply(in, ui.Waiting(openIn(all, in.Chat))) }
	})
}

// openIn are the asks that wait and that the chat has on its screen.
func openIn(all []question.Thread, chat chat.ID) []question.Thread {
	var some []question.Thread
	for _, t := range all {
		if t.Open() && t.Card(chat) >= 0 && !t.TakenFrom(chat) {
			some = append(some, t)
		}
	}
	return some
}

// showStatus says how everything stands: the session in use, the chat, and the routes.
func (c *Controller) showStatus(in inbound.Input, to target) {
	t := ui.Status{
		Settings: c.chats.settings(in.Chat), Found: c.routes.directoryCount(in), Owed: c.prompts.countOf(in.Chat), After: c.chats.after,
	}
	along := c.routes.toOpen(in, to)
	c.loop.Beside(func(ctx context.Context) func() {
		all, _ := c.observer.asks.Open(ctx)
		t.Asks, t.Machines = openIn(all, in.Chat), c.machinesOf(in, all)
		about := target{}
		if to.session != "" {
			if at, s, err := findSession(ctx, along, to.session); err == nil {
				t.Session, about = s, foundAt(at, s)
				t.Turn, _ = at.Turn(ctx, s.ID) // what it does not tell is not said
			}
		}
		return func() { c.replyAbout(in, t.Text(), about) }
	})
}

// machinesOf are the machines of who asks, in their private chat alone, with how much waits on each.
func (c *Controller) machinesOf(in inbound.Input, open []question.Thread) []remote.Machine {
	if c.config.Machines == nil || !in.Private {
		return nil
	}
	list := c.config.Machines(in.User.ID)
	for i, m := range list {
		for _, t := range open {
			if t.Open() && t.LastOrigin().Token == m.Link {
				list[i].Waiting++
			}
		}
	}
	return list
}

// showList shows a page of the list of sessions.
func (c *Controller) showList(in inbound.Input, page int) {
	along, inUse, may := c.routes.openTo(in, c.routes.all()), c.chats.settings(in.Chat).Session, c.routes.owners()
	if len(along) == 0 {
		c.reply(in, ui.Offline().Text())
		return
	}
	c.loop.Beside(func(ctx context.Context) func() {
		all, err := listSessions(ctx, along, may)
		waiting, _ := c.observer.asks.Open(ctx)
		if err != nil {
			return func() { c.reply(in, ui.Failed("").Text()) }
		}
		p := pageOf(all, waiting, inUse, page)
		addWords(ctx, p.Listed, all)
		return func() { c.reply(in, p.Text()) }
	})
}
