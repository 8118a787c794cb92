package sessions

import (
	"cmp"

	"hermes/internal/event"
	"hermes/internal/session"
)

// A session belongs to the OpenCode where hermes knows it to be, its owner: where it was
// heard of last, else where a watch, a chat or a prompt has it from. Another OpenCode may
// become its owner, as people continue a session elsewhere, but only
//
//   - one that may have it at all: of the same machine, which is told by the token of the
//     link, and of the same directory (see session.Origin.MayHave);
//   - not while the session works at its owner and that is connected, unless it is a
//     direct server, which the configuration names.
//
// What any other says of the session is an error in the log and changes nothing: no turn
// is ended, told or shown by it, and no prompt goes there. Whoever names a session first
// that hermes has never heard of is believed: ids of sessions are random.

// believes reports whether what the OpenCode at the origin says of a session counts.
func (r *routes) believes(o session.Origin, id session.ID) bool {
	home, known := r.owner(id)
	switch {
	case !known || o.SameProcess(home):
		return true
	case !r.mayHave(o, home):
		return false
	}
	return o.Way == session.Direct || !r.heard.isWorking(id) || !r.isConnected(home)
}

// owner is where a session is known to be.
func (r *routes) owner(id session.ID) (session.Origin, bool) {
	home := r.heard.originOf(id)
	for _, known := range r.records {
		if home.Way != "" {
			break
		}
		home = known.originOf(id)
	}
	return home, home.Way != ""
}

// runsAt is where a session's turn runs, as far as that is known: only there it is known
// whether the turn continues. All others read what is on disk.
func (r *routes) runsAt(to target) session.Origin {
	return cmp.Or(r.heard.originOf(to.session), to.origin)
}

// mayHave is session.Origin.MayHave, and true also for what was last known under the
// API's token and is not connected: the plugin there may have a token of its own by now.
func (r *routes) mayHave(o, home session.Origin) bool {
	renamed := home.Way == session.Link && home.Token == "" && o.Way == session.Link && o.Directory == home.Directory
	return o.MayHave(home) || renamed && !r.isConnected(home)
}

// isConnected reports whether the process at the origin can be reached, in whatever
// directory.
func (r *routes) isConnected(home session.Origin) bool {
	for o := range r.origins {
		if o.SameProcess(home) {
			return true
		}
	}
	return false
}

// owners gives what tells, beside the loop, whether a session may be at an origin.
func (r *routes) owners() func(session.Origin, session.ID) bool {
	homes := map[session.ID]session.Origin{}
	for id, s := range r.heard.at {
		homes[id] = s.origin
	}
	for _, known := range r.records {
		known.eachSession(func(id session.ID) {
			if home, known := r.owner(id); known {
				homes[id] = home
			}
		})
	}
	may := map[[2]session.Origin]bool{}
	for o := range r.origins {
		for _, home := range homes {
			may[[2]session.Origin{o, home}] = r.mayHave(o, home)
		}
	}
	return func(o session.Origin, id session.ID) bool {
		home, known := homes[id]
		allowed, heard := may[[2]session.Origin{o, home}]
		return !known || allowed || !heard && o.MayHave(home)
	}
}

// maxLogged bounds what is remembered of what was logged.
const maxLogged = 1000

// foreignWord is an OpenCode that spoke of a session of another one.
type foreignWord struct {
	process string
	session session.ID
}

// reportForeign logs, once, that an OpenCode spoke of a session of another one. The plugin
// inside a direct server says what the server says, and is no news.
func (r *routes) reportForeign(e event.Event) {
	if home, _ := r.owner(e.Session); home.Way == session.Direct && home.Directory == e.Origin.Directory {
		return
	}
	if r.foreign != nil {
		r.foreign()
	}
	word := foreignWord{e.Origin.Process, e.Session}
	if _, known := r.logged.Get(word); known {
		return
	}
	r.logged.Put(word, true)
	r.log.Error("an OpenCode spoke of a session of another one; that goes on as it was",
		append(e.Origin.Logged(), "session", string(e.Session), "op", string(e.Kind))...)
}
