package sessions

import (
	"context"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/patch"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// queries answers what people ask about sessions.
type queries struct {
	*services
	prompts     *promptQueue
	ownMachines func(chat.UserID) []remote.Machine // Config.Machines; may be nil
}

// seeSession asks OpenCode about a session, and answers with what read makes of it.
func (q *queries) seeSession(in inbound.Input, to target, read func(context.Context, route, session.Session) (remote.Message, error)) {
	q.respond.replySeen(in, q.routes.toOpen(in, to), to, read)
}

// showLast shows what the session did last.
func (q *queries) showLast(in inbound.Input, to target) {
	runsAt := q.routes.runsAt(to)
	q.seeSession(in, to, func(ctx context.Context, at route, s session.Session) (remote.Message, error) {
		turn, err := at.Turn(ctx, s.ID)
		turn.Session = s
		if isSeenByOther(turn, at, runsAt) {
			turn.Aborted = false // only there it is known
		}
		return remote.Message{Kind: remote.TellLast, Turn: turn}, err
	})
}

// showTodo shows the session's list.
func (q *queries) showTodo(in inbound.Input, to target) {
	q.seeSession(in, to, func(ctx context.Context, at route, s session.Session) (remote.Message, error) {
		turn, err := at.Turn(ctx, s.ID)
		return remote.Message{Kind: remote.TellTodo, Turn: turn}, err
	})
}

// showDiff shows what the session changed.
func (q *queries) showDiff(in inbound.Input, to target) {
	q.seeSession(in, to, func(ctx context.Context, at route, s session.Session) (remote.Message, error) {
		text, err := at.Diff(ctx, s.ID)
		return remote.Message{Kind: remote.TellDiff, Text: text}, err
	})
}

// showChanges shows what the session changed in one file, in a message of its own: the list stays.
func (q *queries) showChanges(in inbound.Input, o inbound.Button) {
	to := target{session: o.Session}
	q.respond.replySeen(in, q.routes.openTo(in, q.routes.toID(o.Session)), to, func(ctx context.Context, at route, s session.Session) (remote.Message, error) {
		text, err := at.Diff(ctx, s.ID)
		for _, f := range patch.Files(text, 0) {
			if f.Tag() == o.Tag {
				return remote.Message{Kind: remote.TellChanges, Text: f.Whole}, err
			}
		}
		return remote.Message{Kind: remote.TellChanges}, err
	})
}

// showCommands lists OpenCode's own commands.
func (q *queries) showCommands(in inbound.Input, to target) {
	q.seeSession(in, to, func(ctx context.Context, at route, _ session.Session) (remote.Message, error) {
		names, err := at.Commands(ctx)
		return remote.Message{Kind: remote.TellRun, Names: names}, err
	})
}

// showPending lists what waits for a person, of what this chat is shown.
func (q *queries) showPending(in inbound.Input) {
	q.loop.Beside(func(ctx context.Context) func() {
		all, err := q.observer.asks.Open(ctx)
		t := remote.Message{Kind: remote.TellPending, Asks: openIn(all, in.Chat)}
		if err != nil {
			return nil
		}
		return func() { q.respond.reply(in, t) }
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
func (q *queries) showStatus(in inbound.Input, to target) {
	t := remote.Message{
		Kind: remote.TellStatus, Settings: q.chats.settings(in.Chat), Found: q.routes.directoryCount(in), Owed: q.prompts.countOf(in.Chat), After: q.chats.after,
	}
	along := q.routes.toOpen(in, to)
	q.loop.Beside(func(ctx context.Context) func() {
		all, _ := q.observer.asks.Open(ctx)
		t.Asks, t.Machines = openIn(all, in.Chat), q.machinesOf(in, all)
		about := target{}
		if to.session != "" {
			if at, s, err := findSession(ctx, along, to.session); err == nil {
				t.Session, about = s, foundAt(at, s)
			}
		}
		return func() { q.respond.replyAbout(in, t, about) }
	})
}

// machinesOf are the machines of who asks, in their private chat alone, with how much waits on each.
func (q *queries) machinesOf(in inbound.Input, open []question.Thread) []remote.Machine {
	if q.ownMachines == nil || !in.Private {
		return nil
	}
	list := q.ownMachines(in.User.ID)
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
func (q *queries) showList(in inbound.Input, page int) {
	along, inUse, may := q.routes.openTo(in, q.routes.all()), q.chats.settings(in.Chat).Session, q.routes.owners()
	if len(along) == 0 {
		q.respond.reply(in, remote.Message{Kind: remote.TellOffline})
		return
	}
	q.loop.Beside(func(ctx context.Context) func() {
		all, err := listSessions(ctx, along, may)
		waiting, _ := q.observer.asks.Open(ctx)
		t := pageOf(all, waiting, inUse, page)
		if err != nil {
			t = remote.Message{Kind: remote.TellFailed}
		}
		addWords(ctx, t.Listed, all)
		return func() { q.respond.reply(in, t) }
	})
}
