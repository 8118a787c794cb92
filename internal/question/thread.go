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
	ID      ID               `json:"id"`
	Request Request          `json:"request"`
	Origins []session.Origin `json:"origins,omitzero"` // where its process was seen to ask it; any of them can carry the answer
	Place   session.Place    `json:"place,omitzero"`
	Owner   Owner            `json:"owner,omitzero"`   // whose agent asks; zero: nobody's in particular
	Project string           `json:"project,omitzero"` // as shown: the directory's last part, or more of it
	Said    string           `json:"said,omitzero"`    // what the agent wrote last before it asked, perhaps only the end of it; empty: not known, or not to be shown
	Rule    string           `json:"rule,omitzero"`    // name of the rule that fitted when it was last asked for; empty: none

	Away      bool      `json:"away,omitzero"`       // no origin can be reached now
	AwaySince time.Time `json:"away_since,omitzero"` // when that began, or ended

	Asked    time.Time     `json:"asked,omitzero"`    // when hermes heard of it
	ShowAt   time.Time     `json:"show_at,omitzero"`  // not shown before
	Deadline time.Time     `json:"deadline,omitzero"` // zero: waits for ever
	TTL      time.Duration `json:"ttl,omitzero"`      // from Asked to Deadline, for the words about it
	OnExpiry Expiry        `json:"on_expiry,omitzero"`
	Expired  bool          `json:"expired,omitzero"`   // the deadline was dealt with
	Prefer   bool          `json:"prefer,omitzero"`    // with ExpireAccept: a choice that the agent recommends counts as the first
	RemindAt []time.Time   `json:"remind_at,omitzero"` // reminders still due, ascending

	Wizard  Wizard        `json:"wizard,omitzero"`
	Offline time.Duration `json:"offline,omitzero"` // how long hermes was offline, until the next input

	Rev   int    `json:"rev,omitzero"` // changes whenever what people should see changes
	Cards []Card `json:"cards,omitzero"`

	Resolving retry.Attempts `json:"resolving,omitzero"` // finding the request id of a captured tool call
	CheckAt   time.Time      `json:"check_at,omitzero"`  // when to ask OpenCode whether it still waits; zero: not now

	Needs       int           `json:"needs,omitzero"`       // how many people must approve; 0 or 1: one
	Votes       []Vote        `json:"votes,omitzero"`       // approvals so far, where Needs is more than one
	May         []Actor       `json:"may,omitzero"`         // who may answer, where the rules do not leave it to everybody; empty: they do
	ClaimFor    time.Duration `json:"claim_for,omitzero"`   // how long a claim holds; 0: nobody can claim it
	Claim       *Claim        `json:"claim,omitzero"`       // nil: nobody is on it
	Escalations []Escalation  `json:"escalations,omitzero"` // still to come, ascending
	Escalated   bool          `json:"escalated,omitzero"`   // further chats were asked

	Ruling   bool `json:"ruling,omitzero"`   // a rule may still decide it: not all that rules look at is known of it
	Announce bool `json:"announce,omitzero"` // a rule has decided it, and chats are to see that

	Leader ID   `json:"leader,omitzero"` // the equal ask whose cards stand for this one too, unless this one has ended otherwise; empty: it has its own
	Equals []ID `json:"equals,omitzero"` // the asks that this one leads

	Decision *Decision `json:"decision,omitzero"` // what hermes owes to OpenCode
	Held     *Hold     `json:"held,omitzero"`     // Decision is not sent before this ends; nil: it is owed at once
	Delivery Delivery  `json:"delivery,omitzero"`
	Outcome  *Outcome  `json:"outcome,omitzero"` // how it ended, proven
}

// Card is the thread as one chat shows it.
type Card struct {
	Chat     chat.ID          `json:"chat"`
	Topic    int              `json:"topic,omitzero"`    // forum topic that the rules name; 0: none
	Room     int              `json:"room,omitzero"`     // where Topic is 0: the session's own topic, which shows it; 0: the chat itself
	Messages []chat.MessageID `json:"messages,omitzero"` // the messages that make it up, see Buttons
	Others   []chat.MessageID `json:"others,omitzero"`   // reminders and replies: a reply to them counts as well
	Boxes    []ReplyBox       `json:"boxes,omitzero"`    // what opened people's reply boxes there: a reply to them counts, too
	Unfiled  bool             `json:"unfiled,omitzero"`  // the chat took no file: of a text that is too long for messages it shows the beginning alone
	Rev      int              `json:"rev,omitzero"`      // the thread's revision on screen
	Tries    retry.Attempts   `json:"tries,omitzero"`    // failed tries since it was last right
	Refused  string           `json:"lost,omitzero"`     // why the chat took nothing at the last try; empty: it did, or was not asked yet
	Taken    int              `json:"taken,omitzero"`    // the thread's revision since which its machine is no longer this chat's, which sees nothing of it from then on; 0: it is
	ShownAt  time.Time        `json:"shown_at,omitzero"` // when it was sent, by Telegram's clock, in whole seconds; zero: not known
}

// Decision is an answer that was given and is in the store. It stands from then
// on, whatever happens to the connection.
type Decision struct {
	Reject  bool      `json:"reject,omitzero"`
	Note    string    `json:"note,omitzero"`    // with Reject, for permissions: what the agent is told instead
	Answers Answers   `json:"answers,omitzero"` // when not rejected
	By      Actor     `json:"by"`
	At      time.Time `json:"at,omitzero"`

	Withdrawn bool `json:"withdrawn,omitzero"` // with Reject: the program that asked took the ask back
}

// Delivery is how far the decision has come.
type Delivery struct {
	retry.Attempts `json:"attempts,omitzero"`
	From           time.Time `json:"from,omitzero"`    // when its hold ended; zero: it was not held
	Begun          bool      `json:"begun,omitzero"`   // stored before the first try: from then on OpenCode may have it
	SentAt         time.Time `json:"sent_at,omitzero"` // when OpenCode accepted it, which proves nothing yet; zero: not yet
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

// announced reports whether the end is reported to a chat that shows nothing. What follows another ask has cards
// only to report an end of its own: the leader's card has asked it.
func (t Thread) announced() bool {
	if t.Request.Admission != nil || t.Leader != "" {
		return true
	}
	return t.Announce && (t.Outcome.By.Kind == RuleActor || t.Outcome.Kind == OutcomeUnknown)
}

// Wanted reports whether a chat that shows nothing of the thread has to show it: what was
// decided or has ended before is not told there, unless a rule did it and says so.
func (t Thread) Wanted() bool {
	if t.Settled() {
		return t.announced()
	}
	return t.Decision == nil || t.Announce
}

// IsCopy reports whether a card is a further message in the place of another card: a message that was sent twice. It is
// edited like the card, and never sent.
func (t Thread) IsCopy(card int) bool {
	return slices.IndexFunc(t.Cards, t.Cards[card].SamePlace) < card
}

// lacks reports whether a card is to be sent.
func (t Thread) lacks(card int) bool {
	c := t.Cards[card]
	return len(c.Messages) == 0 && c.Taken == 0 && t.Wanted() && !t.IsCopy(card)
}

// Shown reports whether any chat shows the thread.
func (t Thread) Shown() bool {
	return slices.ContainsFunc(t.Cards, func(c Card) bool { return len(c.Messages) > 0 })
}

// Card returns the index of the card in this chat, or -1.
func (t Thread) Card(chat chat.ID) int {
	return slices.IndexFunc(t.Cards, func(c Card) bool { return c.Chat == chat })
}

// Buttons is the message of a card that has the buttons, as far as that is known; 0: none is. Of a permission they come with the
// first message, which may stand below a file, of all else with the last.
func (t Thread) Buttons(card int) chat.MessageID {
	c := t.Cards[card]
	switch {
	case len(c.Messages) == 0:
		return 0
	case t.Request.Permission != nil && c.Unfiled:
		return c.Messages[0]
	}
	return c.Messages[len(c.Messages)-1]
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

// MaxHold bounds how long a decision may be held.
const MaxHold = 10 * time.Minute

// Hold keeps a decision from being sent until a time, so that it can be taken back. Its Thread has it from the commit
// that stores the decision to the one that ends the hold, so a restart neither shortens nor forgets it: nothing is sent
// before that second commit, and nothing is taken back behind it.
type Hold struct {
	Until  time.Time `json:"until,omitzero"`
	Wizard Wizard    `json:"wizard,omitzero"` // the conversation before the decision
	Votes  []Vote    `json:"votes,omitzero"`  // the approvals before it
}

// IsHeld reports whether there is a decision that is not sent yet because it may be taken back.
func (t Thread) IsHeld() bool { return t.Held != nil && t.Decision != nil && t.Outcome == nil }

// HoldAs keeps the decision of t until then; before is the thread that a taken-back decision leaves.
func (t *Thread) HoldAs(before Thread, until time.Time) {
	t.Held = &Hold{Until: until, Wizard: before.Wizard, Votes: slices.Clone(before.Votes)}
}

// Released is the thread whose hold has ended: from now on its decision is owed to OpenCode.
func (t Thread) Released(now time.Time) Thread {
	t = t.Clone()
	t.Held, t.Delivery.From = nil, now
	t.Rev++
	return t
}

// TakenBack is the thread as it was before the decision that is held, for people who see it: with what was chosen and
// approved then, and with buttons of a new revision. m took it back.
func (t Thread) TakenBack(m WizardInput) Thread {
	t = t.Clone()
	rev := t.Wizard.Rev
	t.Wizard, t.Votes = t.Held.Wizard, slices.Clone(t.Held.Votes)
	t.Wizard.Rev, t.Wizard.Last = rev+1, m
	t.Decision, t.Held, t.Delivery, t.Announce = nil, nil, Delivery{}, false
	t.Rev++
	return t
}

// PostponeHold holds what is held at least until then.
func (t *Thread) PostponeHold(until time.Time) {
	if t.IsHeld() {
		held := *t.Held
		held.Until = retry.Later(held.Until, until)
		t.Held = &held
	}
}
