package telegramsim

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Flood sets Telegram's rate limits, which it does not publish exactly: about one
// message a second in a chat, with bursts tolerated, and twenty a minute in a
// group. Edits count like messages. Zero fields set no limit.
type Flood struct {
	Burst          int  // messages at once into one chat, which then regains one a second
	GroupPerMinute int  // messages a minute into a group or channel
	Strict         bool // meeting a limit at all is a violation
}

// maxUnsent is how many messages may be on their way into one chat; one more is refused
// for a minute (Client.h:73, Client.cpp:12672-12699).
const (
	maxUnsent  = 310
	unsentWait = time.Minute
)

// sending counts a message as being on its way until what it returns is called: as long as
// its answer is held back.
func (s *Server) sending(q *request, out outcome) (sent func()) {
	if out.refused != nil || !strings.HasPrefix(q.method, "send") || q.method == "sendchataction" {
		return func() {}
	}
	chat := q.params.text("chat_id")
	s.count(chat, 1)
	return func() { s.count(chat, -1) }
}

func (s *Server) count(chat string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsent[chat] += n
}

// floodState is a chat's side of the limits.
type floodState struct {
	level time.Time   // when the burst allowance is whole again
	sent  []time.Time // of the last minute
	until time.Time   // end of the retry_after that was given
}

// limitRate counts a message or an edit into a chat, or refuses it. Writing on
// before retry_after is over is a violation.
func (s *Server) limitRate(c *chat) *refusal {
	now := time.Now()
	if left := c.flood.until.Sub(now); left > 0 {
		return tooMany(left, true)
	}
	if wait := s.opts.Flood.wait(c, now); wait > 0 {
		refused := tooMany(wait, s.opts.Flood.Strict)
		c.flood.until = now.Add(time.Duration(refused.retryAfter) * time.Second)
		return refused
	}
	c.flood.count(now)
	return nil
}

// wait is how long the chat must rest before one more message. What a client loses by counting in fractions of seconds, up to a
// microsecond, is not counted against it.
func (f Flood) wait(c *chat, now time.Time) time.Duration {
	var wait time.Duration
	if f.Burst > 0 {
		wait = c.flood.level.Add(time.Second).Sub(now.Add(time.Duration(f.Burst) * time.Second))
	}
	c.flood.sent = slices.DeleteFunc(c.flood.sent, func(t time.Time) bool { return now.Sub(t) >= time.Minute })
	if n := len(c.flood.sent); f.GroupPerMinute > 0 && c.ID < 0 && n >= f.GroupPerMinute {
		wait = max(wait, c.flood.sent[n-f.GroupPerMinute].Add(time.Minute).Sub(now))
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
