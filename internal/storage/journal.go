package storage

import (
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
)

// Entry is one line of the journal: what happened to a thread, when, by whom.
// The store numbers and chains the entries.
type Entry struct {
	At      time.Time          `json:"at"`
	Kind    EntryKind          `json:"kind"`
	Thread  question.ID        `json:"thread,omitzero"`
	Request question.RequestID `json:"request,omitzero"`
	Session session.ID         `json:"session,omitzero"`
	By      question.Actor     `json:"by,omitzero"`
	Answers question.Answers   `json:"answers,omitzero"`
	Detail  string             `json:"detail,omitzero"` // a closed word: the outcome's kind, a Refusal, a reason
	Rule    string             `json:"rule,omitzero"`   // name of the rule by which it was so; empty: none
	Note    string             `json:"note,omitzero"`   // with a rejected permission: what the agent is told
}

// EntryKind is the closed set of journal entries. The words are persisted.
type EntryKind string

const (
	EntryAsked     EntryKind = "asked"     // hermes heard of it
	EntryResolved  EntryKind = "resolved"  // a captured call's request id was found
	EntryShown     EntryKind = "shown"     // a chat shows it
	EntryPicked    EntryKind = "picked"    // a person moved the conversation on
	EntryRefused   EntryKind = "refused"   // a tap or text had no effect; Detail is the Refusal
	EntryApproved  EntryKind = "approved"  // one of several approvals that it needs
	EntryLapsed    EntryKind = "lapsed"    // an approval of By counts no more: they may not approve now
	EntryClaimed   EntryKind = "claimed"   // a person is on it
	EntryReleased  EntryKind = "released"  // nobody is any more
	EntryEscalated EntryKind = "escalated" // further chats get it
	EntryAnswered  EntryKind = "answered"  // decided: Answers, or none when dismissed
	EntryHeld      EntryKind = "held"      // what was decided is not sent yet, and can be taken back; Detail is how long
	EntryUndone    EntryKind = "undone"    // what was decided was taken back, and people are asked
	EntryDelivered EntryKind = "delivered" // OpenCode accepted the decision
	EntryConfirmed EntryKind = "confirmed" // and is proven to have used it
	EntryElsewhere EntryKind = "elsewhere" // settled, not by hermes' decision
	EntryExpired   EntryKind = "expired"   // the deadline came
	EntryReminded  EntryKind = "reminded"
	EntryInvited   EntryKind = "invited"   // an invitation was made: Thread is its ID, and Note names the roles
	EntryOpened    EntryKind = "opened"    // By has opened its link, and waits to be let in; likewise
	EntryPaired    EntryKind = "paired"    // By was let in by it; likewise
	EntryUnwanted  EntryKind = "unwanted"  // By was not let in: Detail says why; likewise
	EntryUnpaired  EntryKind = "unpaired"  // who or what was let in was removed; Note names it
	EntryReloaded  EntryKind = "reloaded"  // the rules file was taken over; Note says what is other in it
	EntryPrompted  EntryKind = "prompted"  // By told Session something: Note has the words, Thread is the prompt
	EntryHeard     EntryKind = "heard"     // what By said aloud in it was written down: Note has the words
	EntryCarried   EntryKind = "carried"   // and is proven to have reached it, or not: Detail says how it ended
	EntryStopping  EntryKind = "stopping"  // By wants the session's turn stopped
	EntryHalted    EntryKind = "halted"    // and it is proven to have stopped
	EntryCreated   EntryKind = "created"   // By has made Session
	EntryLinked    EntryKind = "linked"    // a token was made with which OpenCode's plugin opens links; Note names it
	EntryUnlinked  EntryKind = "unlinked"  // and revoked
	EntryOwned     EntryKind = "owned"     // a link was given to a person, whose id Detail has, or to nobody; Note names the link
	EntryRenamed   EntryKind = "renamed"   // a link got another name, which Note has; Detail is the one before
	EntryLinkCode  EntryKind = "link-code" // By got a code with which a machine of theirs makes a link; Thread is its ID, which the link's entry has as well
	EntryRestored  EntryKind = "restored"  // a copy of the database took its place: Note says of when; what was after that is not here
	EntryFailed    EntryKind = "failed"    // a chat cannot show it, or the question is gone
)

// Refusal is the closed set of reasons for which a tap or a text has no effect. The words are persisted.
type Refusal string

const (
	RefusedNot       Refusal = ""           // it is the tap that had its effect already
	RefusedStale     Refusal = "stale"      // an older step of the question
	RefusedMovedOn   Refusal = "moved-on"   // a text, for the reply box of another step
	RefusedEnded     Refusal = "ended"      // it is settled
	RefusedDecided   Refusal = "decided"    // somebody answered already
	RefusedStranger  Refusal = "stranger"   // this person is not on the list
	RefusedNoRole    Refusal = "no-role"    // they may answer nothing
	RefusedWrongRole Refusal = "wrong-role" // they may not answer this
	RefusedNotOwner  Refusal = "not-owner"  // it is for somebody else alone
	RefusedOwnAgent  Refusal = "own-agent"  // their own agent asks, and others have to answer
	RefusedTaken     Refusal = "taken"      // the machine belongs to somebody else by now
	RefusedLetIn     Refusal = "let-in"     // they lack a role that they would give
	RefusedUnknown   Refusal = "unknown"    // no such question
	RefusedNotice    Refusal = "notice"     // the step does not take it
	RefusedPartly    Refusal = "partly"     // the chat cannot show all that it is for
	RefusedVoted     Refusal = "voted"      // they have approved already
	RefusedClaimed   Refusal = "claimed"    // somebody else is on it
	RefusedSent      Refusal = "sent"       // the text went to a session already
	RefusedNoText    Refusal = "no-text"    // the text is not kept, or not any more
	RefusedNotTheirs Refusal = "not-theirs" // somebody else wrote the text
)

// EntryKinds are all of them.
func EntryKinds() []EntryKind {
	return []EntryKind{
		EntryAsked, EntryResolved, EntryShown, EntryPicked, EntryRefused, EntryApproved, EntryLapsed, EntryClaimed,
		EntryReleased, EntryEscalated, EntryAnswered, EntryHeld, EntryUndone, EntryDelivered, EntryConfirmed, EntryElsewhere,
		EntryExpired, EntryReminded, EntryInvited, EntryOpened, EntryPaired, EntryUnwanted, EntryUnpaired, EntryReloaded,
		EntryPrompted, EntryHeard, EntryCarried, EntryStopping, EntryHalted, EntryCreated, EntryLinked, EntryUnlinked, EntryOwned,
		EntryRenamed, EntryLinkCode, EntryRestored, EntryFailed,
	}
}
