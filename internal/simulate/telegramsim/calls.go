package telegramsim

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxCalls bounds the log of calls; older ones are forgotten.
const maxCalls = 10000

// Call is one request of the bot. It never holds the token.
type Call struct {
	Seq         int // 1 for the first call
	Method      string
	Params      map[string]string // a webhook's secret is replaced by ***
	Chat        int64             // chat_id, if it is a number
	Message     int               // message_id
	At          time.Time
	Fault       FaultKind // what [Server.SetFault] decided
	Code        int       // 200, an error code, or 0 without an effect so far
	Description string    // of a refusal
}

// record logs a call and asks for its fault.
func (s *Server) record(method string, p params) (*Call, Fault) {
	c := &Call{
		Method: strings.Clone(method), Params: maps.Clone(p.values), At: time.Now(),
		Chat: p.integer("chat_id"), Message: int(p.integer("message_id")),
	}
	if c.Params["secret_token"] != "" {
		c.Params["secret_token"] = "***"
	}
	s.mu.Lock()
	s.counts[strings.ToLower(method)]++
	s.counts[""]++
	c.Seq = s.counts[""]
	s.calls = append(s.calls[max(0, len(s.calls)-maxCalls+1):], c)
	asked := *c
	s.mu.Unlock()
	f := s.decide(asked)
	defer s.acting()()
	c.Fault = f.Kind
	return c, f
}

// settle logs what a call led to.
func (s *Server) settle(c *Call, out outcome) {
	defer s.acting()()
	c.Code = 200
	if r := out.refused; r != nil {
		c.Code, c.Description = r.code, r.text
		if r.misuse {
			s.violations = append(s.violations, c.Method+": "+r.text)
		}
	}
}

func (s *Server) violate(method, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, method+": "+what)
}

// Calls returns the log of calls, oldest first.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := make([]Call, len(s.calls))
	for i, c := range s.calls {
		calls[i] = *c
		calls[i].Params = maps.Clone(c.Params)
	}
	return calls
}

// Count returns how often a method was called, with any outcome.
func (s *Server) Count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[strings.ToLower(method)]
}

// Violations returns what the bot did that the protocol forbids and that it could
// have known: malformed texts and keyboards, exceeded limits, two pollers,
// writing on during retry_after, and callbacks that got no answer in time.
// Refusals that any bot meets, such as a block or a message that is gone, and
// injected faults are none.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Clone(s.violations)
	for _, id := range slices.Sorted(maps.Keys(s.callbacks)) {
		if cb := s.callbacks[id]; !cb.answered && s.tooLate(cb) {
			all = append(all, fmt.Sprintf("answerCallbackQuery: the tap on %s in chat %d got no answer in %v",
				strconv.Quote(cmp.Or(cb.label, cb.data)), cb.chat, answerWindow))
		}
	}
	return all
}
