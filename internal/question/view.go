package question

import (
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/session"
)

// View is what a chat shows of a thread, free of language and markup. It is
// derived from the thread alone.
type View struct {
	Thread  ID
	Rev     int // of the thread: a card that shows this revision is right
	Step    int // revision of the wizard, carried by every button
	Phase   Phase
	Request Request
	Wizard  Wizard
	Origin  session.Origin
	Project string
	Place   session.Place
	Owner   Owner
	Said    string // what the agent wrote last before it asked

	Owned bool // with PhaseTaken: it belongs to somebody else, not to nobody

	Withheld bool // of a Permission: its kind alone is shown, see Withhold

	Newcomer bool // of an Admission: for the chat where the link was opened

	Deadline  time.Time     // zero: waits for ever, or the deadline is past
	TTL       time.Duration // what the deadline was counted from
	OnExpiry  Expiry        // what the deadline does, or has done
	Expired   bool          // nobody answered in time, and it waits on
	Needs     int           // how many people must approve; 0 or 1: one
	Votes     []Vote
	May       []Actor // who may answer, where not everybody may
	Claim     *Claim
	Claimable bool
	Escalated bool
	Unshown   bool          // a chat that should show it takes nothing now
	Whose     bool          // others than the owner see it: it says to its end whose agent it is
	Watches   bool          // it is in the private chat of somebody who may not answer
	Mentions  bool          // those who may are to be told by their names
	Count     int           // how many equal asks the card stands for
	Offline   time.Duration // hermes was offline this long: taps from then are gone

	Decision *Decision
	Undoable bool      // Decision can be taken back
	HeldTo   time.Time // Decision is not sent before; zero: it is not held
	Away     bool      // OpenCode cannot be reached now
	Sent     bool      // OpenCode may have got the decision
	Outcome  *Outcome
	LateTo   bool // an answer can still be sent as a prompt
	Lost     bool // and a person has given one, which the agent never got
}

// Phase is what the card as a whole says.
type Phase string

const (
	PhaseAsking  Phase = "asking"  // an item, or the review, with buttons
	PhaseHeld    Phase = "held"    // decided, and not sent before HeldTo
	PhaseSending Phase = "sending" // decided, on its way
	PhaseWaiting Phase = "waiting" // decided, and OpenCode cannot be reached
	PhaseEnded   Phase = "ended"   // settled
	PhaseTaken   Phase = "taken"   // it is another person's now: see Take
)

// View derives what people should see now.
func (t Thread) View() View {
	v := View{
		Thread: t.ID, Rev: t.Rev, Step: t.Wizard.Rev, Phase: t.phase(), Request: t.Request, Wizard: t.Wizard,
		Project: t.Project, Place: t.Place, Owner: t.Owner, Said: t.Said, TTL: t.TTL, OnExpiry: t.OnExpiry, Expired: t.Expired, Offline: t.Offline,
		Count: 1 + len(t.Equals), Needs: t.Needs, Votes: t.Votes, May: t.May, Claim: t.Claim, Claimable: t.ClaimFor > 0, Escalated: t.Escalated,
		Unshown:  slices.ContainsFunc(t.Cards, func(c Card) bool { return c.Refused != "" && len(c.Messages) == 0 && c.Taken == 0 }),
		Decision: t.Decision, Undoable: t.Undoable(), Away: t.Away, Sent: t.Delivery.Made > 0, Outcome: t.Outcome,
		LateTo: t.TakesLate(), Lost: t.LostAnswers() != nil,
	}
	if t.IsHeld() {
		v.HeldTo = t.Held.Until
	}
	if len(t.Origins) > 0 {
		v.Origin = t.Origins[len(t.Origins)-1]
	}
	if t.OnExpiry.Decides() || !t.Expired {
		v.Deadline = t.Deadline
	}
	return v
}

func (t Thread) phase() Phase {
	switch {
	case t.Outcome != nil:
		return PhaseEnded
	case t.Decision == nil:
		return PhaseAsking
	case t.IsHeld():
		return PhaseHeld
	case t.Away:
		return PhaseWaiting
	}
	return PhaseSending
}

// Take is the view for a chat that the ask was taken from: what was asked, and that it is not theirs any more. Nothing is left of what
// came after that, and of whom it belongs to only whether that is somebody.
func (v View) Take() View {
	return View{
		Thread: v.Thread, Rev: v.Rev, Step: v.Step, Phase: PhaseTaken, Request: v.Request, Origin: v.Origin, Project: v.Project, Count: 1,
		Owned: v.Owner.ID != 0,
	}
}

// ViewIn is what one of the thread's cards shows. Who is in a group is not known; a private chat has the id of its person (Bot API, Chat.id).
func (t Thread) ViewIn(card int) View {
	v, c := t.View(), t.Cards[card]
	if c.Taken > 0 {
		return v.Take()
	}
	group := func(c Card) bool { return c.Chat < 0 && c.Taken == 0 && c.Refused == "" }
	may := func(id chat.UserID) bool {
		return len(t.May) == 0 || slices.ContainsFunc(t.May, func(a Actor) bool { return a.User == id })
	}
	v.Whose = c.Chat < 0 || v.Owner.ID != 0 && chat.ID(v.Owner.ID) != c.Chat
	v.Watches = c.Chat > 0 && !may(chat.UserID(c.Chat))
	v.Mentions = (t.Needs > 1 || t.Owner.ID != 0 && !may(t.Owner.ID)) && slices.IndexFunc(t.Cards, group) == card
	return v
}

// Review reports whether the card shows the review of all items.
func (v View) Review() bool { return v.Wizard.Step >= len(v.Request.Items) }

// Item is the item on screen; only when not Review.
func (v View) Item() Item { return v.Request.Items[v.Wizard.Step] }

// Choice is what was chosen so far for an item.
func (v View) Choice(item int) Choice { return v.Wizard.choice(item) }

// Enough reports whether the item on screen has an answer that it takes, or is skipped; only when not Review.
func (v View) Enough() bool { return v.Item().answeredBy(v.Choice(v.Wizard.Step)) }

// Labels are the chosen labels and texts of an item, and of a field its values.
func (v View) Labels(item int) []string {
	return v.Wizard.choice(item).values(v.Request.Items[item])
}

// Withhold is the view without what a permission is asked for: its kind is left, and neither a
// command, a change, a pattern nor what else OpenCode tells of the call. So Always is not offered:
// nobody could know what it adds.
func (v View) Withhold() View {
	if v.Request.Permission == nil {
		return v
	}
	v.Request.Permission = &Permission{Kind: v.Request.Permission.Kind}
	v.Said, v.Withheld = "", true
	return v
}
