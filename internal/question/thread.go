package question

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/retry"
	"hermes/internal/session"
)

// PageSize is how many options are offered as buttons at once.
const PageSize = 10

// Thread is all that hermes remembers of one request, from the moment it was
// heard of until every message about it tells its end. Times are wall-clock
// times, as they must survive a restart.
type Thread struct {
	ID      ID
	Request Request
	Origins []session.Origin // where its process was seen to ask it; any of them can carry the answer
	Place   session.Place
	Owner   Owner  // whose agent asks; zero: nobody's in particular
	Project string // as shown: the directory's last part, or more of it
	Said    string // what the agent wrote last before it asked, perhaps only the end of it; empty: not known, or not to be shown
	Rule    string // name of the rule that fitted when it was last asked for; empty: none

	Away      bool      // no origin can be reached now
	AwaySince time.Time // when that began, or ended

	Asked    time.Time     // when hermes heard of it
	ShowAt   time.Time     // not shown before
	Deadline time.Time     // zero: waits for ever
	TTL      time.Duration // from Asked to Deadline, for the words about it
	OnExpiry Expiry
	Expired  bool        // the deadline was dealt with
	Prefer   bool        // with ExpireAccept: a choice that the agent recommends counts as the first
	RemindAt []time.Time // reminders still due, ascending

	Wizard  Wizard
	Offline time.Duration // how long hermes was offline, until the next input

	Rev   int // changes whenever what people should see changes
	Cards []Card

	Resolving retry.Attempts // finding the request id of a captured tool call
	CheckAt   time.Time      // when to ask OpenCode whether it still waits; zero: not now

	Needs       int           // how many people must approve; 0 or 1: one
	Votes       []Vote        // approvals so far, where Needs is more than one
	ClaimFor    time.Duration // how long a claim holds; 0: nobody can claim it
	Claim       *Claim        // nil: nobody is on it
	Escalations []Escalation  // still to come, ascending
	Escalated   bool          // further chats were asked

	Ruling   bool // a rule may still decide it: not all that rules look at is known of it
	Announce bool // a rule has decided it, and chats are to see that

	Leader ID   // the equal ask whose cards stand for this one too; empty: it has its own
	Equals []ID // the asks that this one leads

	Decision *Decision // what hermes owes to OpenCode
	Held     *Hold     // Decision is not sent before this ends; nil: it is owed at once
	Delivery Delivery
	Outcome  *Outcome // how it ended, proven
	Late     *Late    // an answer that came after that; nil: none
}

// Card is the thread as one chat shows it.
type Card struct {
	Chat     chat.ID
	Topic    int              // forum topic that the rules name; 0: none
	Room     int              // where Topic is 0: the session's own topic, which shows it; 0: the chat itself
	Messages []chat.MessageID // the messages that make it up, the last with the buttons
	Others   []chat.MessageID // reminders and replies: a reply to them counts as well
	Boxes    []ReplyBox       // what opened people's reply boxes there: a reply to them counts, too
	Unfiled  bool             // the chat took no file: of a text that is too long for messages it shows the beginning alone
	Unsure   bool             // sent, and the outcome is not known: a message may be there that Messages lacks
	Copies   []chat.Span      // where such messages may lie, until they are found or ruled out
	Search   retry.Attempts   // failed tries to look there
	Rev      int              // the thread's revision on screen
	Tries    retry.Attempts   // failed tries since it was last right
	Refused  string           // why the chat took nothing at the last try; empty: it did, or was not asked yet
	Taken    int              // the thread's revision since which its machine is no longer this chat's, which sees nothing of it from then on; 0: it is
	ShownAt  time.Time        // when it was sent, by Telegram's clock, in whole seconds; zero: not known
}

// Decision is an answer that was given and is in the store. It stands from then
// on, whatever happens to the connection.
type Decision struct {
	Reject  bool
	Note    string  // with Reject, for permissions: what the agent is told instead
	Answers Answers // when not rejected
	By      Actor
	At      time.Time

	Withdrawn bool // with Reject: the program that asked took the ask back
}

// Delivery is how far the decision has come.
type Delivery struct {
	retry.Attempts
	From   time.Time // when its hold ended; zero: it was not held
	Begun  bool      // stored before the first try: from then on OpenCode may have it
	SentAt time.Time // when OpenCode accepted it, which proves nothing yet; zero: not yet
}

// Settled reports whether the end is known.
func (t Thread) Settled() bool { return t.Outcome != nil }

// Open reports whether a person may still answer.
func (t Thread) Open() bool { return t.Outcome == nil && t.Decision == nil }

// ByRule reports whether a rule has decided it.
func (t Thread) ByRule() bool { return t.Decision != nil && t.Decision.By.Kind == RuleActor }

// Undoable reports whether the decision can be taken back: it is held, or a rule has made it, and nothing of it was
// sent. After a restart that is not known of what may have been sent before. Of equal asks the leader's decision is
// all of theirs.
func (t Thread) Undoable() bool {
	if t.IsHeld() {
		return t.Leader == ""
	}
	alone := t.Leader == "" && len(t.Equals) == 0
	return t.Outcome == nil && t.ByRule() && alone && t.Delivery.Made == 0 && t.Delivery.SentAt.IsZero()
}

// announced reports whether the end is reported to a chat that shows nothing.
func (t Thread) announced() bool {
	o := t.Outcome
	if t.Request.Admission != nil {
		return o != nil
	}
	return t.Announce && o != nil && (o.By.Kind == RuleActor || o.Kind == OutcomeUnknown)
}

// Wanted reports whether a chat that shows nothing of the thread has to show it: what was
// decided or has ended before is not told there, unless a rule did it and says so.
func (t Thread) Wanted() bool {
	if t.Settled() {
		return t.announced()
	}
	return t.Decision == nil || t.Announce
}

// Shown reports whether any chat shows the thread.
func (t Thread) Shown() bool {
	return slices.ContainsFunc(t.Cards, func(c Card) bool { return len(c.Messages) > 0 })
}

// Card returns the index of the card in this chat, or -1.
func (t Thread) Card(chat chat.ID) int {
	return slices.IndexFunc(t.Cards, func(c Card) bool { return c.Chat == chat })
}

// Place is the topic that the card is in; 0: the chat itself.
func (c Card) Place() int {
	if c.Topic != 0 {
		return c.Topic
	}
	return c.Room
}

// isStale reports whether the chat is to see something else than it does. One that the ask was taken from sees that, and nothing later.
func (c Card) isStale(t Thread) bool {
	if c.Taken > 0 {
		return len(c.Messages) > 0 && c.Rev < c.Taken
	}
	return len(c.Messages) > 0 && c.Rev < t.Rev
}

// TakenFrom reports whether the ask was taken from a chat: nothing that is done there is about it any more.
func (t Thread) TakenFrom(id chat.ID) bool {
	shows := func(c Card) bool { return c.Chat == id && c.Taken == 0 }
	return t.Card(id) >= 0 && !slices.ContainsFunc(t.Cards, shows)
}

// SamePlace reports whether both cards are for the same chat and topic.
func (c Card) SamePlace(d Card) bool { return c.Chat == d.Chat && c.Topic == d.Topic }

// Has reports whether the message is one of the card's: a tap on it, or a reply
// to it, means this thread.
func (c Card) Has(m chat.MessageID) bool {
	return slices.Contains(c.Messages, m) || slices.Contains(c.Others, m) || c.Box(m) >= 0
}

// From reports whether the thread was seen at the origin.
func (t Thread) From(o session.Origin) bool {
	return slices.ContainsFunc(t.Origins, o.Same)
}

// FromProcess reports whether the thread is an ask of the process at the origin, in
// whatever directory.
func (t Thread) FromProcess(o session.Origin) bool {
	return slices.ContainsFunc(t.Origins, o.SameProcess)
}

// WithProcessOf reports whether both are asks of one process.
func (t Thread) WithProcessOf(u Thread) bool {
	return slices.ContainsFunc(u.Origins, t.FromProcess)
}

// Clone returns a copy that shares no changeable memory with t.
func (t Thread) Clone() Thread {
	t.Origins = slices.Clone(t.Origins)
	t.RemindAt = slices.Clone(t.RemindAt)
	t.Cards = slices.Clone(t.Cards)
	t.Equals = slices.Clone(t.Equals)
	t.Votes = slices.Clone(t.Votes)
	t.Escalations = slices.Clone(t.Escalations)
	return t
}
