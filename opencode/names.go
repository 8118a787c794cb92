package opencode

import (
	"context"
	"sync"
	"time"

	"hermes/internal/recent"
	"hermes/internal/session"
)

// maxSessions bounds how many sessions a process is remembered for.
const maxSessions = 4096

// maxName bounds, in bytes, what is remembered of one session: a longer title is asked for anew.
const maxName = 16 << 10

// maxDepth bounds how far up from a subagent its root is looked for.
const maxDepth = 16

// placeTimeout bounds the search for a name: a question without one is better
// than one that comes late.
const placeTimeout = 2 * time.Second

// sessionNames caches the sessions of one OpenCode process, from events and from
// look-ups. Safe for concurrent use; nothing survives a restart.
type sessionNames struct {
	mu       sync.Mutex
	sessions *recent.Map[session.ID, session.Session] // nil: none yet; of each its names and where it is
}

func (n *sessionNames) put(s session.Session) {
	if s.ID == "" || len(s.ID)+len(s.Parent)+len(s.Title)+len(s.Directory)+len(s.Project) > maxName {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sessions == nil {
		n.sessions = recent.New[session.ID, session.Session](maxSessions)
	}
	n.sessions.Add(s.ID, s)
}

func (n *sessionNames) get(id session.ID) (session.Session, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sessions == nil {
		return session.Session{}, false
	}
	return n.sessions.Peek(id)
}

// directory is where a session is; empty: that is not known.
func (n *sessionNames) directory(id session.ID) string {
	s, _ := n.get(id)
	return s.Directory
}

// knownPlace is placeOf without asking; false: not all of it is known.
func (n *sessionNames) knownPlace(id session.ID) (session.Place, bool) {
	return placeFrom(id, n.get)
}

// placeOf walks from the session that asks to its root. What cannot be found within
// placeTimeout stays empty.
func (n *sessionNames) placeOf(ctx context.Context, c *Client, id session.ID) session.Place {
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	place, _ := placeFrom(id, func(id session.ID) (session.Session, bool) {
		s, err := n.find(ctx, c, id)
		return s, err == nil
	})
	return place
}

func placeFrom(id session.ID, find func(session.ID) (session.Session, bool)) (session.Place, bool) {
	asker, ok := find(id)
	root := asker
	for depth := 0; ok && root.Parent != "" && depth < maxDepth; depth++ {
		root, ok = find(root.Parent)
	}
	place := session.Place{Title: root.Title, Root: root.ID}
	if root.ID != asker.ID {
		place.Subagent = asker.Title
	}
	return place, ok
}

func (n *sessionNames) find(ctx context.Context, c *Client, id session.ID) (session.Session, error) {
	if s, ok := n.get(id); ok && (!c.isV2() || s.Project != "") {
		return s, nil
	}
	s, err := c.Named(ctx, id)
	if err == nil {
		n.put(s)
	}
	return s, err
}
