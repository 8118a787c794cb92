package outbox

import "time"

// How much of a group's minute the cards of one source may use, and what does not begin a card. What is left is kept for cards of other
// sources, and for what begins a card.
const (
	sourceMinute = 15
	restMinute   = 12
)

// source is where the asks come from that some of a chat's cards are about: a link to an OpenCode, a server, the programs. Sources
// take turns, so that what one of them asks never waits for more than one message of another, however much that one has.
type source struct {
	turn   uint64  // number of its last turn in the chat; 0: it had none
	minute *window // what it used of the group's minute; nil in other chats
}

// sourceNamed gives the source of this name.
func (q *queue) sourceNamed(name string) *source {
	from := q.sources[name]
	if from == nil {
		q.forgetRested(time.Now())
		from = &source{}
		if q.minute != nil {
			from.minute = newWindow(sourceMinute)
		}
		q.sources[name] = from
	}
	return from
}

// forgetRested makes room where there are many: for those that used nothing of late the next turn is as good as the first.
func (q *queue) forgetRested(now time.Time) {
	if len(q.sources) < 100 {
		return
	}
	for name, from := range q.sources {
		if from.minute == nil || from.minute.isRested(now) {
			delete(q.sources, name)
		}
	}
}
