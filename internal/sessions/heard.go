package sessions

import (
	"hermes/internal/recent"
	"hermes/internal/session"
)

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
	if of.Put(id, h.last); len(h.at) > h.most {
		h.forget(h.first())
	}
}

func (h *heard) forget(id session.ID) {
	source := h.at[id].origin.Source()
	delete(h.at, id)
	if of := h.by[source]; of != nil {
		if of.Delete(id); of.Len() == 0 {
			delete(h.by, source)
		}
	}
}

// first is the session that is forgotten first.
func (h *heard) first() (id session.ID) {
	most, since := 0, uint64(0)
	for _, of := range h.by {
		first, at := oldestOf(of)
		if of.Len() > most || of.Len() == most && at < since {
			id, most, since = first, of.Len(), at
		}
	}
	return id
}

func oldestOf(of *recent.Map[session.ID, uint64]) (session.ID, uint64) {
	for id, at := range of.All() {
		return id, at
	}
	return "", 0
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
