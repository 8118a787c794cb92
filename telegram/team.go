package telegram

import (
	"fmt"
	"strings"

	"hermes/internal/question"
)

// teamWords are the texts about several people, in one language.
type teamWords struct {
	// Buttons.
	claim, release string

	needs     string // count needed
	approved  string // count, count needed, names
	nextTap   string
	onIt      string // name, time
	escalated string
	moreOf    string
	enough    string // count, count needed, duration
	unsent    string // duration
	and       string

	unsigned     string
	alertVoted   string // count, count needed
	alertClaimed string // name, time
}

func englishTeam() teamWords {
	return teamWords{
		claim: "Claim", release: "Release",

		needs:     "👥 Needs %d approvals",
		approved:  "✅ %d of %d · %s",
		nextTap:   "The rules ask for no more now: the next tap decides.",
		onIt:      "🙋 %s is on it until %s",
		escalated: "⏫ Nobody has answered yet: further chats were asked.",
		moreOf:    "⏫ It waits for more approvals: further chats were asked.",
		enough:    "%d of %d approved in %s: rejected. The agent was told.",
		unsent:    "Enough had approved since the rules changed, and nobody decided in %s: rejected. The agent was told.",
		and:       " and ",

		unsigned:     "Nobody can tell whose answer this is. Answer in your own name: turn off “Remain anonymous”, and do not write as a channel.",
		alertVoted:   "You have approved already: %d of %d",
		alertClaimed: "%s is on it until %s",
	}
}

func chineseTeam() teamWords {
	return teamWords{
		claim: "认领", release: "放弃认领",

		needs:     "👥 需要 %d 人同意",
		approved:  "✅ %d / %d · %s",
		nextTap:   "规则已变更,人数已够:再点一次即生效。",
		onIt:      "🙋 %s 正在处理,至 %s",
		escalated: "⏫ 尚无人回答,已询问其他聊天。",
		moreOf:    "⏫ 仍待更多人同意,已询问其他聊天。",
		enough:    "%d / %d 人同意,%s内未满,已拒绝并告知智能体。",
		unsent:    "规则变更后人数已够,但 %s内无人作出决定,已拒绝并告知智能体。",
		and:       "和",

		unsigned:     "无法确认这是谁的回答。请以自己的名义回答:关闭“匿名管理员”,也不要以频道身份发言。",
		alertVoted:   "你已经同意过:%d / %d",
		alertClaimed: "%s 正在处理,至 %s",
	}
}

// team tells who has approved so far, and who is on it.
func (p page) team() rich {
	var lines []rich
	if p.Phase == question.PhaseAsking {
		lines = append(lines, p.approvals()...)
	}
	if p.Claim != nil && p.Phase == question.PhaseAsking {
		lines = append(lines, phrase(p.w.team.onIt, person(p.Claim.By), clock(p.Claim.Until, p.now)))
	}
	return join("\n", lines...)
}

// approvals tells who has approved so far, and how many it needs. The rules may have
// been exchanged for some that need no more than there are.
func (p page) approvals() []rich {
	switch n := len(p.Votes); {
	case n == 0 && p.Needs > 1:
		return []rich{plain(fmt.Sprintf(p.w.team.needs, p.Needs))}
	case n == 0:
		return nil
	case n < p.Needs:
		return []rich{plain(fmt.Sprintf(p.w.team.approved, n, p.Needs, p.approvers()))}
	default:
		return []rich{plain(fmt.Sprintf(p.w.team.approved, n, p.Needs, p.approvers())), plain(p.w.team.nextTap)}
	}
}

// approvers names those who have approved.
func (p page) approvers() string {
	var names []string
	for _, v := range p.Votes {
		names = append(names, person(v.By).plain())
	}
	return strings.Join(names, p.w.comma)
}

// widened says that further chats were asked, and why.
func (p page) widened() rich {
	if len(p.Votes) > 0 {
		return plain(p.w.team.moreOf)
	}
	return plain(p.w.team.escalated)
}

// fewInTime says that the deadline came before there were enough approvals, or before
// anybody tapped where the rules ask for fewer.
func (p page) fewInTime() rich {
	if len(p.Votes) >= p.Needs {
		return plain(fmt.Sprintf(p.w.team.unsent, p.w.span(p.TTL)))
	}
	return plain(fmt.Sprintf(p.w.team.enough, len(p.Votes), p.Needs, p.w.span(p.TTL)))
}

// claimRow is the button that says "I am on it", in groups where a rule has one.
func (p page) claimRow() []button {
	take := question.Move{Action: question.Take, Rev: p.Step}
	switch {
	case p.Claim != nil:
		return []button{{label: "✋ " + p.w.team.release, move: take}}
	case p.Claimable:
		take.On = true
		return []button{{label: "🙋 " + p.w.team.claim, move: take}}
	}
	return nil
}

// deciders names who decided: all who approved, where it took several.
func (p page) deciders() rich {
	var names []rich
	for _, by := range p.Deciders() {
		names = append(names, p.who(by))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return join(p.w.team.and, join(p.w.comma, names[:last]...), names[last])
}
