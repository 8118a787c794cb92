package question

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/session"
)

// Late is an answer to a question that waits for none any more: it goes to the session
// as a prompt. Its Thread has it from before it is sent.
type Late struct {
	Prompt  ID // the prompt
	Answers Answers
	By      Actor
	At      time.Time
	State   LateState
}

// LateState is how far a late answer has come.
type LateState string

const (
	LateOwed    LateState = ""        // hermes owes it to the session
	LateSent    LateState = "sent"    // the session is proven to have it
	LateRefused LateState = "refused" // it was not sent: another one may be
	LateDeleted LateState = "deleted" // it was not sent, and never can be: the session is gone
	LateUnsure  LateState = "unsure"  // it is not known to have arrived
)

// Why a late answer is not taken.
var (
	// ErrLate: there is one already.
	ErrLate = errors.New("the question has got a late answer already")
	// ErrNotTheirs: somebody's agent has asked, and this person may not answer it.
	ErrNotTheirs = errors.New("the question is not this person's to answer")
	// ErrNoThread: hermes does not know the question (any more).
	ErrNoThread = errors.New("there is no such question")
	// ErrUnreadable is ErrNoThread too: hermes cannot read what it kept of the question,
	// and has set that aside.
	ErrUnreadable = fmt.Errorf("what was kept of the question cannot be read: %w", ErrNoThread)
)

// TakesLate reports whether an answer to the thread can still be sent as a prompt: to a
// question that was lost with its answer, that nobody answered in time, or that a rule has answered. Nobody is offered
// that for a permission, as what was allowed has run, for a form, as no session waits for that, nor for what they have dismissed.
func (t Thread) TakesLate() bool {
	if t.Outcome == nil || t.Request.Permission != nil || t.Request.Form != nil || t.Late != nil && t.Late.State != LateRefused {
		return false
	}
	return t.drivable() && (t.Corrects() || t.TimedOut() || t.lost())
}

// Corrects reports whether a rule has answered, or dismissed, and the agent knows: a late
// answer corrects that.
func (t Thread) Corrects() bool {
	o := t.Outcome
	return o != nil && o.By.Kind == RuleActor && o.Kind.Decided()
}

// TimedOut reports whether nobody has answered in time, and the agent was given what the
// deadline decided: a late answer still reaches its session.
func (t Thread) TimedOut() bool {
	o := t.Outcome
	return o != nil && o.By.Kind == Deadline && o.Kind.Decided()
}

func (t Thread) lost() bool {
	dismissed := t.Decision != nil && t.Decision.Reject && t.Decision.By.Kind == Person
	return !dismissed && t.Outcome.Kind.Lost()
}

// Unanswered reports whether nobody and nothing has answered the question, and an answer can
// still be sent as a prompt: a reply to its card is one.
func (t Thread) Unanswered() bool { return t.TakesLate() && len(t.Outcome.Answers) == 0 }

// TakesPrompts reports whether the ask has ended, and the session that asked it is known, lives
// as far as is known, and takes prompts.
func (t Thread) TakesPrompts() bool {
	return t.Outcome != nil && t.Outcome.Kind != OutcomeDeleted && t.HasSession()
}

// drivable reports whether it is a question whose session is known, and is one that takes prompts.
func (t Thread) drivable() bool {
	return t.HasSession() && len(t.Request.Items) > 0
}

// HasSession reports whether the session that asked is known, and is one that takes prompts. What
// asks by a form is no agent.
func (t Thread) HasSession() bool {
	o := t.LastOrigin()
	return t.LateSession() != "" && t.Request.Protocol.TakesPrompts() && t.Request.Admission == nil && t.Request.Form == nil && o.Directory != "" && o.Way != session.AskAPI
}

// sayOwed is when the cards may say that the late answer is on its way.
func (t Thread) sayOwed() time.Time {
	if t.Late == nil || t.Late.State != LateOwed {
		return time.Time{}
	}
	return t.Late.At.Add(patience)
}

// LateSession is the session that a late answer goes to: the one that people talk to,
// as a subagent's ended with its question.
func (t Thread) LateSession() session.ID {
	if t.Place.Root != "" {
		return t.Place.Root
	}
	return t.Request.Session
}

// LastOrigin is where the thread was seen last; zero if nowhere.
func (t Thread) LastOrigin() session.Origin {
	if len(t.Origins) == 0 {
		return session.Origin{}
	}
	return t.Origins[len(t.Origins)-1]
}

// LateWizard begins the conversation about a late answer, with what a person had chosen
// and the agent never got. It is the same whenever it is made.
func (t Thread) LateWizard() Wizard {
	if t.Outcome == nil || t.Corrects() || !t.choicesAreTheirs() || !slices.ContainsFunc(t.Wizard.Choices, func(c Choice) bool { return !c.empty() }) {
		return Wizard{}
	}
	w := Wizard{Choices: t.Wizard.copyChoices(len(t.Request.Items))}
	w.Step = slices.IndexFunc(w.Choices, Choice.empty)
	if w.Step < 0 {
		w.Step = len(w.Choices) // ready to be sent
	}
	return w
}

// choicesAreTheirs reports whether what is chosen so far is what people have chosen, and not
// dismissed. A deadline that dismissed leaves it as it was.
func (t Thread) choicesAreTheirs() bool {
	d := t.Decision
	return d == nil || d.By.Kind == Person && !d.Reject || d.By.Kind == Deadline && d.Reject
}

// LatePrompt is what the session is told: what was asked and what the answer is, to the
// letter, for it may remember neither.
func (t Thread) LatePrompt(answers Answers) string {
	var parts []string
	for i, item := range t.Request.Items {
		text := item.Text
		if strings.TrimSpace(text) == "" {
			text = item.Header
		}
		switch {
		case t.Corrects():
			parts = append(parts, correction(text, t.Outcome.Answers.at(i), answers.at(i)))
		case t.TimedOut():
			parts = append(parts, lateInTime(text, t.Outcome.Answers.at(i), answers.at(i)))
		default:
			parts = append(parts, "Your question was: "+text+"\nMy answer: "+strings.Join(answers.at(i), ", "))
		}
	}
	return strings.Join(parts, "\n\n")
}

func correction(text string, ruled, answer []string) string {
	switch {
	case len(ruled) == 0:
		return "A rule dismissed your question " + inQuotes(text) + ". My answer: " + inQuotes(answer...) + "."
	case equalLists(ruled, answer):
		return "A rule answered your question " + inQuotes(text) + " with " + inQuotes(ruled...) + ". That is right."
	}
	return "A rule answered your question " + inQuotes(text) + " with " + inQuotes(ruled...) + ". Correction: " + inQuotes(answer...) + "."
}

// lateInTime is what the session is told of one item that nobody answered in time: taken is what
// the deadline chose for it, empty if it chose nothing.
func lateInTime(text string, taken, answer []string) string {
	told := "Nobody answered your question " + inQuotes(text) + " in time"
	switch {
	case len(taken) == 0:
		return told + ". My answer: " + inQuotes(answer...) + "."
	case equalLists(taken, answer):
		return told + ", so it got " + inQuotes(taken...) + ". That is right."
	}
	return told + ", so it got " + inQuotes(taken...) + ". Correction: " + inQuotes(answer...) + "."
}

func inQuotes(all ...string) string { return "“" + strings.Join(all, "”, “") + "”" }

// ReplyPrompt is what the session is told by a reply to the card of an ask that has ended: the
// text as it is. Where it names a choice of the only question, it says of which: "2" alone
// tells the agent nothing.
func (t Thread) ReplyPrompt(text string) string {
	if len(t.Request.Items) != 1 {
		return text
	}
	for i, o := range t.Request.Items[0].Options {
		if said := strings.TrimSpace(text); said == strconv.Itoa(i+1) || strings.EqualFold(said, o.Label) {
			return "About your question " + inQuotes(t.Request.Items[0].Text) + ": " + inQuotes(o.Label) + "."
		}
	}
	return text
}
