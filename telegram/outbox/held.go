package outbox

import "time"

// Reason is which of Telegram's limits holds a chat up. The words are the values of a metric's label.
type Reason string

// The reasons.
const (
	HeldByChat  Reason = "chat"  // one message a second in a chat
	HeldByGroup Reason = "group" // twenty a minute in a group
	HeldByAll   Reason = "all"   // thirty a second in all chats
	HeldByFlood Reason = "flood" // Telegram said for how long to write nothing: 429
)

// Reasons are all of them.
func Reasons() []Reason { return []Reason{HeldByChat, HeldByGroup, HeldByAll, HeldByFlood} }

// Held is what one limit does to cards: what is asked, what changes there, and how it ends.
type Held struct {
	Waiting int           // cards in chats that it holds up now
	For     time.Duration // how long chats with cards were held up by it since the start, those that still are included
}

// Held tells for each reason what it holds up. A chat is held up by one limit at a time: of several, the one that takes longest.
func (o *Outbox) Held() map[Reason]Held {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := map[Reason]Held{}
	for _, r := range Reasons() {
		list[r] = Held{For: o.heldFor[r]}
	}
	now := time.Now()
	for _, q := range o.chats {
		if n := q.count(isCard); n > 0 && q.held != "" {
			h := list[q.held]
			list[q.held] = Held{h.Waiting + n, h.For + now.Sub(q.heldSince)}
		}
	}
	return list
}

// holdOn notes that a limit holds the chat up from now on, or none. Called with Outbox.mu held.
func (q *queue) holdOn(why Reason, now time.Time) {
	if q.held != "" && q.count(isCard) > 0 {
		q.out.heldFor[q.held] += now.Sub(q.heldSince)
	}
	q.held, q.heldSince = why, now
}

// Waiting is how much waits in the queues of all chats. It names no chat.
type Waiting struct {
	Jobs    [lanes]int // in each lane
	Chats   int        // in which something waits
	Longest int        // of the queue that is longest
}

// Waiting counts what is queued and has not begun.
func (o *Outbox) Waiting() Waiting {
	o.mu.Lock()
	defer o.mu.Unlock()
	var w Waiting
	for _, q := range o.chats {
		n := q.count(func(j *job) bool {
			if !j.begun {
				w.Jobs[j.lane]++
			}
			return !j.begun
		})
		if n > 0 {
			w.Chats++
		}
		w.Longest = max(w.Longest, n)
	}
	return w
}

// count is how many of the jobs that wait are so.
func (q *queue) count(is func(*job) bool) (n int) {
	for _, j := range q.jobs {
		if is(j) {
			n++
		}
	}
	return n
}

func isCard(j *job) bool { return j.lane == Cards }
