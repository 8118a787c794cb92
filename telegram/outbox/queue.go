package outbox

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
	for _, c := range o.chats {
		n := 0
		for lane, jobs := range c.jobs {
			w.Jobs[lane] += len(jobs)
			n += len(jobs)
		}
		if n > 0 {
			w.Chats++
		}
		w.Longest = max(w.Longest, n)
	}
	return w
}
