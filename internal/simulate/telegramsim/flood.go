package telegramsim

import (
	"slices"
	"strconv"
	"time"
)

// Flood sets Telegram's rate limits, which it does not publish exactly: about one
// message a second in a chat, with bursts tolerated, and twenty a minute in a
// group. Edits count like messages (td#2592), but how many more of them Telegram takes is not known: both is played. Zero fields set
// no limit.
type Flood struct {
	Burst          int  // messages at once into one chat, which then regains one a second
	GroupPerMinute int  // messages a minute into a group or channel
	Edits          int  // edits at once into one chat, which then regains one a second; 0: they count like messages
	Strict         bool // meeting a limit at all is a violation
}

// SetFlood changes the limits.
func (s *Server) SetFlood(f Flood) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Flood = f
}

// floodState is a chat's side of the limits.
type floodState struct {
	level time.Time   // when the burst allowance is whole again
	edits time.Time   // and that of edits
	sent  []time.Time // of the last minute
	until time.Time   // end of the retry_after that was given
}

// limitRate counts a message or an edit into a chat, or refuses it. Writing on
// before retry_after is over is a violation.
func (s *Server) limitRate(c *chat, edit bool) *refusal {
	now := time.Now()
	if left := c.flood.until.Sub(now); left > 0 {
		return tooMany(left, true)
	}
	limits, st := s.opts.Flood, &c.flood
	if edit && limits.Edits > 0 {
		limits, st = Flood{Burst: limits.Edits, Strict: limits.Strict}, &floodState{level: st.edits}
		defer func() { c.flood.edits = st.level }()
	}
	if wait := limits.wait(c, st, now); wait > 0 {
		refused := tooMany(wait, limits.Strict)
		c.flood.until = now.Add(time.Duration(refused.retryAfter) * time.Second)
		return refused
	}
	st.count(now)
	return nil
}

// wait is how long the chat must rest before one more message. What a client loses by counting in fractions of seconds, up to a
// microsecond, is not counted against it.
func (f Flood) wait(c *chat, st *floodState, now time.Time) time.Duration {
	var wait time.Duration
	if f.Burst > 0 {
		wait = st.level.Add(time.Second).Sub(now.Add(time.Duration(f.Burst) * time.Second))
	}
	st.sent = slices.DeleteFunc(st.sent, func(t time.Time) bool { return now.Sub(t) >= time.Minute })
	if n := len(st.sent); f.GroupPerMinute > 0 && c.ID < 0 && n >= f.GroupPerMinute {
		wait = max(wait, st.sent[n-f.GroupPerMinute].Add(time.Minute).Sub(now))
	}
	return wait.Truncate(time.Microsecond)
}

func (st *floodState) count(now time.Time) {
	if st.level.Before(now) {
		st.level = now
	}
	st.level = st.level.Add(time.Second)
	st.sent = append(st.sent, now)
}

// tooMany is a 429 with the wait in whole seconds, rounded up.
func tooMany(wait time.Duration, misuse bool) *refusal {
	seconds := int((wait + time.Second - 1) / time.Second)
	return &refusal{
		code: 429, text: "Too Many Requests: retry after " + strconv.Itoa(seconds),
		retryAfter: seconds, misuse: misuse,
	}
}
