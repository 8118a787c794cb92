package opencode

import (
	"context"
	"sync"
	"time"

	"hermes/internal/recent"
	"hermes/internal/session"
	"hermes/opencode/v1"
)

// maxSessions bounds how many sessions a process is remembered for.
const maxSessions = 4096

// placeTimeout bounds the search for a name: a question without one is better
// than one that comes late.
const placeTimeout = 2 * time.Second

// sessionNames caches the sessions of one OpenCode process, from events and from
// look-ups. Safe for concurrent use; nothing survives a restart.
type sessionNames struct {
	mu       sync.Mutex
	sessions *recent.Map[session.ID, v1.SessionInfo] // nil: none yet
}

func (n *sessionNames) put(s v1.SessionInfo) {
	if s.ID == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sessions == nil {
		n.sessions = recent.New[session.ID, v1.SessionInfo](maxSessions)
	}
	n.sessions.Put(session.ID(s.ID), s)
}

func (n *sessionNames) get(id session.ID) (v1.SessionInfo, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sessions == nil {
		return v1.SessionInfo{}, false
	}
	return n.sessions.Get(id)
}

// placeOf walks from the session that asks to its root. What cannot be found within
// placeTimeout stays empty.
func (n *sessionNames) placeOf(ctx context.Context, c *Client, id session.ID) session.Place {
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	asker, err := n.find(ctx, c, id)
	root := asker
	for depth := 0; err == nil && root.ParentID != "" && depth < 16; depth++ {
		root, err = n.find(ctx, c, session.ID(root.ParentID))
	}
	place := session.Place{Title: root.GivenTitle(), Root: session.ID(root.ID)}
	if root.ID != asker.ID {
		place.Subagent = asker.GivenTitle()
	}
	return place
}

func (n *sessionNames) find(ctx context.Context, c *Client, id session.ID) (v1.SessionInfo, error) {
	if s, ok := n.get(id); ok {
		return s, nil
	}
	s, err := c.Sessions.Info(ctx, id)
	if err == nil {
		n.put(s)
	}
	return s, err
}
