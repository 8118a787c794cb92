package sessions

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/inbound"
	"hermes/internal/recent"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// errAway says that no OpenCode which could have the session can be reached.
var errAway = errors.New("no OpenCode of the session's directory can be reached")

// errGone says that those which could have it do not.
var errGone = errors.New("there is no such session")

// route is an origin and the agent that reaches it now.
type route struct {
	session.Origin
	Agent
}

// routes knows which OpenCodes can be reached, and which of them leads to a session.
type routes struct {
	agents  func(session.Origin) (Agent, bool)
	foreign func() // Config.Foreign; may be nil
	log     *slog.Logger

	machines func(link string) (owner chat.UserID, known bool) // Config.Owner; may be nil

	origins map[session.Origin]bool // that were heard of and not lost since
	heard   *heard
	logged  *recent.Map[foreignWord, bool] // what was logged of OpenCodes that spoke of sessions of others
	records []located                      // where else sessions may be known from, the best first
}

// located is a set of records that know where sessions are.
type located interface {
	originOf(session.ID) session.Origin // the zero value: not known
	eachSession(func(session.ID))
}

func newRoutes(c Config, records ...located) *routes {
	return &routes{
		agents: c.Agents, foreign: c.Foreign, log: c.Log, machines: c.Owner, records: records,
		origins: map[session.Origin]bool{}, heard: newHeard(maxHeard), logged: recent.New[foreignWord, bool](maxLogged),
	}
}

// addOrigin notes that an OpenCode can be reached. It reports whether that is new.
func (r *routes) addOrigin(o session.Origin) bool {
	isNew := !r.origins[o]
	r.origins[o] = true
	return isNew
}

// removeOrigin notes that an OpenCode cannot be reached, and that nothing works there.
func (r *routes) removeOrigin(o session.Origin) {
	delete(r.origins, o)
	r.heard.stopAt(o)
}

// noteHeard notes where a session has begun to work, or to rest.
func (r *routes) noteHeard(e event.Event) {
	r.heard.put(e.Session, e.Origin, e.Kind == event.Worked)
}

// lastHeard is where a session was heard of last; the zero value: nowhere.
func (r *routes) lastHeard(id session.ID) session.Origin { return r.heard.originOf(id) }

// all are those that can be reached now, in an order that does not change.
func (r *routes) all() []route {
	var list []route
	for o := range r.origins {
		if a, ok := r.agents(o); ok {
			list = append(list, route{o, a})
		}
	}
	slices.SortStableFunc(list, func(x, y route) int {
		return cmp.Or(cmp.Compare(x.Way, y.Way)*-1, cmp.Compare(x.Directory, y.Directory), cmp.Compare(x.Process, y.Process))
	})
	return list
}

// directoryCount is in how many directories there is an OpenCode that is open to who asks.
func (r *routes) directoryCount(in inbound.Input) int {
	seen := map[string]bool{}
	for _, one := range r.openTo(in, r.all()) {
		seen[one.Directory] = true
	}
	return len(seen)
}

// toSession are the routes that may lead to a session, the best first: where it was heard
// of last, where it was seen before, then whatever works in its directory on the same
// machine. Sessions are kept on disk, so any OpenCode there has them; but only the one that
// runs a turn knows of it.
func (r *routes) toSession(to target) []route {
	last := r.heard.originOf(to.session)
	isHeard := last.Way != ""
	rank := func(one route) int {
		switch {
		case isHeard && one.Origin == last:
			return 0
		case one.Origin == to.origin:
			return 1
		}
		return 2
	}
	list := slices.DeleteFunc(r.all(), func(one route) bool {
		if isHeard {
			return !r.mayHave(one.Origin, last)
		}
		return !r.mayHave(one.Origin, to.origin)
	})
	if !r.origins[to.origin] { // a server needs to know of no directory before
		if a, ok := r.agents(to.origin); ok {
			list = append(list, route{to.origin, a})
		}
	}
	slices.SortStableFunc(list, func(x, y route) int { return cmp.Compare(rank(x), rank(y)) })
	return list
}

// toID are the routes that may lead to a session of which only the id is given.
func (r *routes) toID(id session.ID) []route {
	home, known := r.owner(id)
	if !known {
		return r.all()
	}
	return slices.DeleteFunc(r.all(), func(one route) bool { return !r.mayHave(one.Origin, home) })
}

// mayName reports whether the OpenCode at the target's origin may name its session, as far as
// it is known whose that is.
func (r *routes) mayName(to target) bool {
	home, known := r.owner(to.session)
	return !known || r.mayHave(to.origin, home)
}

// forPrompt are the routes for a prompt. A reply to a card, and a late answer, goes to the session
// that the ask named, perhaps with the question's own words in it: not to a session of which the
// OpenCode that asked may not speak.
func (r *routes) forPrompt(p remote.QueuedPrompt) []route {
	home, known := r.owner(p.Prompt.Session)
	if p.Asked && known && !r.mayHave(p.Origin, home) {
		return nil
	}
	return slices.DeleteFunc(r.toSession(promptTarget(p)), func(one route) bool { return !r.isOpenToAuthor(p, one.Origin) })
}

// findSession looks for a session along the routes. It runs beside the loop.
func findSession(ctx context.Context, along []route, id session.ID) (route, session.Session, error) {
	failed := errAway
	for _, one := range along {
		s, err := one.Session(ctx, id)
		switch {
		case err == nil:
			return one, s, nil
		case !errors.Is(err, session.ErrNoSession):
			failed = err
		case errors.Is(failed, errAway):
			failed = errGone
		}
	}
	return route{}, session.Session{}, failed
}

// findRunning finds the OpenCode that runs the session's turn: only that one can stop it. If
// none does it is findSession.
func findRunning(ctx context.Context, along []route, id session.ID) (route, session.Session, error) {
	best, s, err := findSession(ctx, along, id)
	for _, other := range along {
		if err == nil && s.Busy {
			break
		}
		if at, busyErr := other.Session(ctx, id); busyErr == nil && at.Busy {
			return other, at, nil
		}
	}
	return best, s, err
}

// foundAt is a session that was found, as it is known from then on.
func foundAt(r route, s session.Session) target {
	return target{session: s.ID, origin: r.Origin, title: s.Title}
}
