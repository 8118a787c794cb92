package question

// Change is what one event, input or result of a step alters. The store keeps all
// of it or nothing, in one transaction.
type Change struct {
	Threads  []Thread // something is still owed to them
	Retired  []Thread // nothing is
	Chats    []Chat
	Left     []ChatID // chats that nothing is remembered of any more
	Topics   []Topic
	Dropped  []Topic  // topics that nothing is remembered of any more
	Paired   Pairings // invitations, guests and groups that are new or changed
	Unpaired Pairings // and those that are gone
	Entries  []Entry
	Errands  []Errand // still owed
	Carried  []ID     // errands that are not owed any more
	Watches  []Watch
	Watched  []SessionID // those that nobody waits for any more
	Seats    []Seat
	Said     []Said
	Told     []Told
	Consumed []UpdateID // updates whose meaning is in this change: they leave the inbox
}

// Empty reports whether nothing is in it.
func (c Change) Empty() bool {
	threads := len(c.Threads) + len(c.Retired) + len(c.Chats) + len(c.Left) + len(c.Topics) + len(c.Dropped) + len(c.Entries) + len(c.Consumed)
	driving := len(c.Errands) + len(c.Carried) + len(c.Watches) + len(c.Watched) + len(c.Seats) + len(c.Said) + len(c.Told)
	return threads+driving == 0 && c.Paired.Empty() && c.Unpaired.Empty()
}

// StoredAnyway reports whether a commit of the change that failed was carried out all the
// same, which the journal tells of one that has entries: recorded says whether it has one.
// Any other may be made twice.
func (c Change) StoredAnyway(recorded func(Entry) (bool, error)) bool {
	if len(c.Entries) == 0 {
		return false
	}
	stored, err := recorded(c.Entries[len(c.Entries)-1])
	return err == nil && stored
}

// Driving is what is remembered of driving sessions, but for what was said.
type Driving struct {
	Errands []Errand // oldest first
	Watches []Watch
	Seats   []Seat
}

// Key names a thread in the one way that is not empty.
type Key struct {
	ID      ID
	Request RequestID
	Origin  Origin // together with Request: an ask of this process; zero: of whichever announced it first
	Chat    ChatID // together with Message: any message of its cards
	Message PostedID
}
