package sessions

import (
	"context"

	"hermes/internal/question"
)

// queries answers what people ask about sessions.
type queries struct {
	*common
	prompts *promptQueue
}

// seeSession asks OpenCode about a session, and answers with what read makes of it.
func (q *queries) seeSession(in question.Input, to target, read func(context.Context, route, question.Session) (question.Telling, error)) {
	q.respond.replySeen(in, q.routes.toSession(to), to, read)
}

// showLast shows what the session did last.
func (q *queries) showLast(in question.Input, to target) {
	runsAt := q.routes.runsAt(to)
	q.seeSession(in, to, func(ctx context.Context, at route, s question.Session) (question.Telling, error) {
		turn, err := at.Turn(ctx, s.ID)
		turn.Session = s
		if isSeenByOther(turn, at, runsAt) {
			turn.Aborted = false // only there it is known
		}
		return question.Telling{Kind: question.TellLast, Turn: turn}, err
	})
}

// showTodo shows the session's list.
func (q *queries) showTodo(in question.Input, to target) {
	q.seeSession(in, to, func(ctx context.Context, at route, s question.Session) (question.Telling, error) {
		turn, err := at.Turn(ctx, s.ID)
		return question.Telling{Kind: question.TellTodo, Turn: turn}, err
	})
}

// showDiff shows what the session changed.
func (q *queries) showDiff(in question.Input, to target) {
	q.seeSession(in, to, func(ctx context.Context, at route, s question.Session) (question.Telling, error) {
		text, err := at.Diff(ctx, s.ID)
		return question.Telling{Kind: question.TellDiff, Text: text}, err
	})
}

// showCommands lists OpenCode's own commands.
func (q *queries) showCommands(in question.Input, to target) {
	q.seeSession(in, to, func(ctx context.Context, at route, _ question.Session) (question.Telling, error) {
		names, err := at.Commands(ctx)
		return question.Telling{Kind: question.TellRun, Names: names}, err
	})
}

// showPending lists what waits for a person, of what this chat is shown.
func (q *queries) showPending(in question.Input) {
	q.loop.Beside(func(ctx context.Context) func() {
		all, err := q.observer.waiting(ctx)
		t := question.Telling{Kind: question.TellPending, Asks: openIn(all, in.Chat)}
		if err != nil {
			return nil
		}
		return func() { q.respond.reply(in, t) }
	})
}

// openIn are the asks that wait and that the chat has on its screen.
func openIn(all []question.Thread, chat question.ChatID) []question.Thread {
	var some []question.Thread
	for _, t := range all {
		if t.Open() && t.Card(chat) >= 0 {
			some = append(some, t)
		}
	}
	return some
}

// showStatus says how everything stands: the session in use, the chat, and the routes.
func (q *queries) showStatus(in question.Input, to target) {
	t := question.Telling{
		Kind: question.TellStatus, Seat: q.chats.settings(in.Chat), Found: q.routes.directoryCount(), Owed: q.prompts.countOf(in.Chat),
	}
	along := q.routes.toSession(to)
	q.loop.Beside(func(ctx context.Context) func() {
		all, _ := q.observer.waiting(ctx)
		t.Asks = openIn(all, in.Chat)
		about := target{}
		if to.session != "" {
			if at, s, err := findSession(ctx, along, to.session); err == nil {
				t.Session, about = s, foundAt(at, s)
			}
		}
		return func() { q.respond.replyAbout(in, t, about) }
	})
}

// showList shows a page of the list of sessions.
func (q *queries) showList(in question.Input, page int) {
	along, inUse, may := q.routes.all(), q.chats.settings(in.Chat).Session, q.routes.owners()
	if len(along) == 0 {
		q.respond.reply(in, question.Telling{Kind: question.TellOffline})
		return
	}
	q.loop.Beside(func(ctx context.Context) func() {
		all, err := listSessions(ctx, along, may)
		waiting, _ := q.observer.waiting(ctx)
		return func() {
			if err != nil {
				q.respond.reply(in, question.Telling{Kind: question.TellFailed})
				return
			}
			q.respond.reply(in, pageOf(all, waiting, inUse, page))
		}
	})
}
