package question

import (
	"slices"
	"time"

	"hermes/internal/chat"
)

// Vote is one person's approval of a permission that several must approve. It stands
// until the ask ends.
type Vote struct {
	By      Actor
	Answers Answers // once or always
	At      time.Time
}

// Claim says that somebody is on it.
type Claim struct {
	By    Actor
	Until time.Time
}

// Escalation is a further place that gets an ask which nobody has answered by then.
type Escalation struct {
	At    time.Time
	Cards []Card // of chats and topics; nothing else of them is set
}

// Voted reports whether the person has approved already.
func (t Thread) Voted(id chat.UserID) bool {
	return slices.ContainsFunc(t.Votes, func(v Vote) bool { return v.By.User == id })
}

// Together is what all votes allow: always, if everybody said so, else once.
func Together(votes []Vote) Answers {
	always := Answers{{Always}}
	for _, v := range votes {
		if !v.Answers.Equal(always) {
			return Answers{{Once}}
		}
	}
	return always
}

// Deciders are those whose decision the outcome is: everybody who approved, where that
// took several; only when there is an outcome.
func (v View) Deciders() []Actor {
	by, d := v.Outcome.By, v.Decision
	own := d != nil && !d.Reject && d.By == by && by.Kind == Person && v.Outcome.Along == ""
	if !own || len(v.Votes) == 0 {
		return []Actor{by}
	}
	var all []Actor
	for _, vote := range v.Votes {
		all = append(all, vote.By)
	}
	return all
}

// Unvoted is the wizard after an approval that is not the last one needed: the same
// buttons as before, and if they were others, under a new revision.
func (w Wizard) Unvoted(before Wizard) Wizard {
	before.Notice = Notice{}
	if before.Step == StepGrant {
		return before
	}
	before.Choices = nil
	before.goTo(StepGrant)
	return before
}
