package question

// Change is what one event, input or result of a step alters. The store keeps all
// of it or nothing, in one transaction.
type Change struct {
	Threads  []Thread // something is still owed to them
	Retired  []Thread // nothing is
	Chats    []Chat
	Paired   Pairings // invitations, guests and groups that are new or changed
	Unpaired Pairings // and those that are gone
	Entries  []Entry
	Consumed []UpdateID // updates whose meaning is in this change: they leave the inbox
}

// Key names a thread in the one way that is not empty.
type Key struct {
	ID      ID
	Request RequestID
	Chat    ChatID // together with Message: any message of its cards
	Message PostedID
}
