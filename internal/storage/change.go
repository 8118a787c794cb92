package storage

import (
	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// Change is what one event, input or result of a step alters. The store keeps all
// of it or nothing, in one transaction.
type Change struct {
	Threads      []question.Thread // something is still owed to them
	Retired      []question.Thread // nothing is
	Chats        []chat.Chat
	Left         []chat.ID // chats that nothing is remembered of any more
	Topics       []Topic
	Dropped      []Topic    // topics that nothing is remembered of any more
	Paired       Pairings   // invitations, guests and groups that are new or changed
	Unpaired     Pairings   // and those that are gone
	LinkCodes    []LinkCode // codes for machines that are new, or whose owners know of the link by now
	Entries      []Entry
	Prompts      []remote.QueuedPrompt // still owed
	EndedPrompts []question.ID         // prompts that are not owed any more
	TurnWatches  []remote.TurnWatch
	EndedWatches []session.ID // those that nobody waits for any more
	ChatSettings []remote.ChatSettings
	MessageRefs  []remote.MessageRef
	ToldTurns    []remote.ToldTurn
	Consumed     []chat.UpdateID // updates whose meaning is in this change: they leave the inbox
}

// Empty reports whether nothing is in it.
func (c Change) Empty() bool {
	threads := len(c.Threads) + len(c.Retired) + len(c.Chats) + len(c.Left) + len(c.Topics) + len(c.Dropped) + len(c.LinkCodes) + len(c.Entries) + len(c.Consumed)
	driving := len(c.Prompts) + len(c.EndedPrompts) + len(c.TurnWatches) + len(c.EndedWatches) + len(c.ChatSettings) + len(c.MessageRefs) + len(c.ToldTurns)
	return threads+driving == 0 && c.Paired.Empty() && c.Unpaired.Empty()
}

// SessionRecords is what is remembered of driving sessions, but for what was said.
type SessionRecords struct {
	Prompts      []remote.QueuedPrompt // oldest first
	TurnWatches  []remote.TurnWatch
	ChatSettings []remote.ChatSettings
}

// Key names a thread in the one way that is not empty.
type Key struct {
	ID      question.ID
	Request question.RequestID
	Origin  session.Origin // together with Request: an ask of this process; zero: of whichever announced it first
	Chat    chat.ID        // together with Message: any message of its cards
	Message chat.MessageID
}
