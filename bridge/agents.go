package bridge

import (
	"hermes/internal/question"
	"hermes/internal/session"
)

// agents are the OpenCodes that can be reached now.
type agents struct {
	of func(session.Origin) (Agent, bool) // the agent that reaches an origin
}

// reaching gives the agent that can answer the thread, by whichever way is alive.
func (ag *agents) reaching(t question.Thread) (Agent, bool) {
	for _, o := range t.Origins {
		if a, ok := ag.of(o); ok {
			return a, true
		}
	}
	return nil, false
}

func (ag *agents) reachable(t question.Thread) bool {
	if t.Request.Admission != nil {
		return true // hermes itself carries it out
	}
	_, ok := ag.reaching(t)
	return ok
}
