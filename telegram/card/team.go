package card

import (
	"fmt"
	"strings"

	"hermes/internal/question"
	"hermes/telegram/markup"
)

// team tells who has approved so far, and who is on it.
func (p page) team() markup.Text {
	var lines []markup.Text
	if p.Phase == question.PhaseAsking {
		lines = append(lines, p.approvals()...)
	}
	if p.Claim != nil && p.Phase == question.PhaseAsking {
		lines = append(lines, markup.Phrase(p.w.Team.OnIt, person(p.Claim.By), markup.Clock(p.Claim.Until, p.now)))
	}
	return markup.Join("\n", lines...)
}

// approvals tells who has approved so far, and how many it needs. The rules may have
// been exchanged for some that need no more than there are.
func (p page) approvals() []markup.Text {
	switch n := len(p.Votes); {
	case n == 0 && p.Needs > 1:
		return []markup.Text{markup.Plain(fmt.Sprintf(p.w.Team.Needs, p.Needs))}
	case n == 0:
		return nil
	case n < p.Needs:
		return []markup.Text{markup.Plain(fmt.Sprintf(p.w.Team.Approved, n, p.Needs, p.approvers()))}
	default:
		return []markup.Text{markup.Plain(fmt.Sprintf(p.w.Team.Approved, n, p.Needs, p.approvers())), markup.Plain(p.w.Team.NextTap)}
	}
}

// approvers names those who have approved.
func (p page) approvers() string {
	var names []string
	for _, v := range p.Votes {
		names = append(names, person(v.By).String())
	}
	return strings.Join(names, p.w.Comma)
}

// widened says that further chats were asked, and why.
func (p page) widened() markup.Text {
	if len(p.Votes) > 0 {
		return markup.Plain(p.w.Team.MoreOf)
	}
	return markup.Plain(p.w.Team.Escalated)
}

// fewInTime says that the deadline came before there were enough approvals, or before
// anybody tapped where the rules ask for fewer.
func (p page) fewInTime() markup.Text {
	if len(p.Votes) >= p.Needs {
		return markup.Plain(fmt.Sprintf(p.w.Team.Unsent, p.w.Duration(p.TTL)))
	}
	return markup.Plain(fmt.Sprintf(p.w.Team.Enough, len(p.Votes), p.Needs, p.w.Duration(p.TTL)))
}

// claimRow is the button that says "I am on it", in groups where a rule has one.
func (p page) claimRow() []Button {
	take := question.Move{Action: question.Take, Rev: p.Step}
	switch {
	case p.Claim != nil:
		return []Button{{Label: "✋ " + p.w.Team.Release, Move: take}}
	case p.Claimable:
		take.On = true
		return []Button{{Label: "🙋 " + p.w.Team.Claim, Move: take}}
	}
	return nil
}

// deciders names who decided: all who approved, where it took several.
func (p page) deciders() markup.Text {
	var names []markup.Text
	for _, by := range p.Deciders() {
		names = append(names, p.who(by))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return markup.Join(p.w.Team.And, markup.Join(p.w.Comma, names[:last]...), names[last])
}
