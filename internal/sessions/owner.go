package sessions

import (
	"cmp"
	"time"

	"hermes/internal/event"
	"hermes/internal/loop"
	"hermes/internal/recent"
	"hermes/internal/retry"
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
	if _, known := r.logged.Peek(word); known {
		return
	}
	r.logged.Add(word, true)
	r.log.Error("an OpenCode spoke of a session of another one; that goes on as it was",
		append(e.Origin.Logged(), "session", string(e.Session), "op", string(e.Kind))...)
}

// pause waits between two looks, beside the loop. It ends at once, with loop.ErrEnded, when
// the loop is told to end: what only waits for a proof needs none of its grace. What it is about
// stays in the store, and is looked for at the next start.
func (c *Controller) pause(t time.Duration) error {
	if retry.Wait(c.loop.Ending(), t) != nil {
		return loop.ErrEnded
	}
	return nil
}

// maxHeard bounds how many sessions are remembered of all that OpenCodes say.
const maxHeard = 4096

// heard is where sessions were heard of last, and which of them work there. It
// remembers a bounded number. When it is full, who has the most sessions of all sources
// (session.Origin.Source) loses the one that was heard of longest ago: nobody can make
// those of others forgotten but with the API's token, under which each process is a source.
type heard struct {
	most int
	at   map[session.ID]whereabouts
	by   map[string]*recent.Map[session.ID, uint64] // of each source, by the number of when it was heard of
	last uint64
}

type whereabouts struct {
	origin session.Origin
	works  bool // it was heard to work there, and not to rest since
}

func newHeard(most int) *heard {
	return &heard{most: most, at: map[session.ID]whereabouts{}, by: map[string]*recent.Map[session.ID, uint64]{}}
}

// put notes that a session was heard of.
func (h *heard) put(id session.ID, o session.Origin, works bool) {
	h.forget(id)
	h.at[id] = whereabouts{o, works}
	of := h.by[o.Source()]
	if of == nil {
		of = recent.New[session.ID, uint64](h.most + 1)
		h.by[o.Source()] = of
	}
	h.last++
	if of.Add(id, h.last); len(h.at) > h.most {
		h.forget(h.first())
	}
}

func (h *heard) forget(id session.ID) {
	source := h.at[id].origin.Source()
	delete(h.at, id)
	if of := h.by[source]; of != nil {
		if of.Remove(id); of.Len() == 0 {
			delete(h.by, source)
		}
	}
}

// first is the session that is forgotten first.
func (h *heard) first() (id session.ID) {
	most, since := 0, uint64(0)
	for _, of := range h.by {
		first, at, _ := of.GetOldest()
		if of.Len() > most || of.Len() == most && at < since {
			id, most, since = first, of.Len(), at
		}
	}
	return id
}

// originOf is where a session was heard of last; the zero value: nowhere.
func (h *heard) originOf(id session.ID) session.Origin { return h.at[id].origin }

// isWorking reports whether a session was heard to work, and not to rest since.
func (h *heard) isWorking(id session.ID) bool { return h.at[id].works }

// stopAt notes that nothing works at an origin any more.
func (h *heard) stopAt(o session.Origin) {
	for id, s := range h.at {
		if s.origin == o {
			s.works = false
			h.at[id] = s
		}
	}
}
