package card

import (
	"fmt"
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// team is what several people do together on an ask: they approve it, and one of them is on it.
type team struct {
	votes []question.Vote
	needs int             // how many approvals it takes
	claim *question.Claim // nil: nobody is on it
	w     words.Table
	now   time.Time
}

func (f frame) team() team { return team{f.Votes, f.Needs, f.Claim, f.w, f.now} }

// lines tells who has approved so far, and who is on it.
func (t team) lines() markup.Text {
	lines := t.approvals()
	if t.claim != nil {
		lines = append(lines, markup.Phrase(t.w.Team.OnIt, personName(t.claim.By), markup.Clock(t.claim.Until, t.now)))
	}
	return markup.Join("\n", lines...)
}

// approvals tells who has approved so far, and how many it needs. The rules may have
// been exchanged for some that need no more than there are.
func (t team) approvals() []markup.Text {
	switch n := len(t.votes); {
	case n == 0 && t.needs > 1:
		return []markup.Text{markup.Plain(fmt.Sprintf(t.w.Team.Needs, t.needs))}
	case n == 0:
		return nil
	case n < t.needs:
		return []markup.Text{markup.Plain(fmt.Sprintf(t.w.Team.Approved, n, t.needs, t.approvers()))}
	default:
		return []markup.Text{markup.Plain(fmt.Sprintf(t.w.Team.Approved, n, t.needs, t.approvers())), markup.Plain(t.w.Team.NextTap)}
	}
}

// approvers names those who have approved.
func (t team) approvers() string {
	var names []string
	for _, v := range t.votes {
		names = append(names, personName(v.By).String())
	}
	return strings.Join(names, t.w.Comma)
}

// escalation says that further chats were asked, and why.
func (t team) escalation() markup.Text {
	if len(t.votes) > 0 {
		return markup.Plain(t.w.Team.MoreOf)
	}
	return markup.Plain(t.w.Team.Escalated)
}

// tooFewInTime says that the deadline came before there were enough approvals, or before
// anybody tapped where the rules ask for fewer.
func (t team) tooFewInTime(ttl time.Duration, endsTurn bool) markup.Text {
	unsent, enough := t.w.Team.Unsent, t.w.Team.Enough
	if endsTurn {
		unsent, enough = t.w.Team.UnsentEnds, t.w.Team.EnoughEnds
	}
	if len(t.votes) >= t.needs {
		return markup.Plain(fmt.Sprintf(unsent, t.w.Duration(ttl)))
	}
	return markup.Plain(fmt.Sprintf(enough, len(t.votes), t.needs, t.w.Duration(ttl)))
}

// claimedBy says who is on it, and until when.
func claimedBy(c *question.Claim, w words.Table, now time.Time) string {
	if c == nil {
		return w.NoSuch
	}
	return markup.Phrase(w.Team.AlertClaimed, personName(c.By), markup.Plain(markup.TimeOfDay(c.Until, now))).String()
}
