package opencode

import (
	"context"
	"sync"
	"time"

	"hermes/internal/question"
	"hermes/internal/recent"
	v1 "hermes/opencode/v1"
)

// maxSessions bounds how many sessions a process is remembered for.
const maxSessions = 4096

// placeTimeout bounds the search for a name: a question without one is better
// than one that comes late.
const placeTimeout = 2 * time.Second

// places remembers the sessions of one OpenCode process, as events told them or
// as they were asked for. Safe for concurrent use; nothing survives a restart.
type places struct {
	mu       sync.Mutex
	sessions *recent.Map[question.SessionID, v1.SessionInfo] // nil: none yet
}

func (p *places) learn(s v1.SessionInfo) {
	if s.ID == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sessions == nil {
		p.sessions = recent.New[question.SessionID, v1.SessionInfo](maxSessions)
	}
	p.sessions.Put(question.SessionID(s.ID), s)
}

func (p *places) known(id question.SessionID) (v1.SessionInfo, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sessions == nil {
		return v1.SessionInfo{}, false
	}
	return p.sessions.Get(id)
}

// of walks from the session that asks to its root. What cannot be found within
// placeTimeout stays empty.
func (p *places) of(ctx context.Context, c *Client, id question.SessionID) question.Place {
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	asker, err := p.session(ctx, c, id)
	root := asker
	for depth := 0; err == nil && root.ParentID != "" && depth < 16; depth++ {
		root, err = p.session(ctx, c, question.SessionID(root.ParentID))
	}
	place := question.Place{Title: root.GivenTitle(), Root: question.SessionID(root.ID)}
	if root.ID != asker.ID {
		place.Subagent = asker.GivenTitle()
	}
	return place
}

func (p *places) session(ctx context.Context, c *Client, id question.SessionID) (v1.SessionInfo, error) {
	if s, ok := p.known(id); ok {
		return s, nil
	}
	s, err := c.Sessions.Info(ctx, id)
	if err == nil {
		p.learn(s)
	}
	return s, err
}
