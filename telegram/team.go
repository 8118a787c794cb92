package telegram

import (
	"fmt"
	"strings"

	"hermes/question"
)

// teamWords are the texts about several people, in one language.
type teamWords struct {
	// Buttons.
	claim, release string

	needs     string // count needed
	approved  string // count, count needed, names
	onIt      string // name, time
	escalated string
	enough    string // count, count needed, duration
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
		onIt:      "🙋 %s is on it until %s",
		escalated: "⏫ Nobody has answered yet: further chats were asked.",
		enough:    "%d of %d approved in %s: rejected. The agent was told.",
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
		onIt:      "🙋 %s 正在处理,至 %s",
		escalated: "⏫ 尚无人回答,已询问其他聊天。",
		enough:    "%d / %d 人同意,%s内未满,已拒绝并告知智能体。",
		and:       "和",

		unsigned:     "无法确认这是谁的回答。请以自己的名义回答:关闭“匿名管理员”,也不要以频道身份发言。",
		alertVoted:   "你已经同意过:%d / %d",
		alertClaimed: "%s 正在处理,至 %s",
	}
}

// team tells who has approved so far, and who is on it.
func (p page) team() rich {
	var lines []rich
	if len(p.Votes) > 0 && p.Phase == question.PhaseAsking {
		lines = append(lines, plain(fmt.Sprintf(p.w.team.approved, len(p.Votes), p.Needs, p.approvers())))
	} else if p.Needs > 1 && p.Phase == question.PhaseAsking {
		lines = append(lines, plain(fmt.Sprintf(p.w.team.needs, p.Needs)))
	}
	if p.Claim != nil && p.Phase == question.PhaseAsking {
		lines = append(lines, phrase(p.w.team.onIt, person(p.Claim.By), clock(p.Claim.Until, p.now)))
	}
	return join("\n", lines...)
}

// approvers names those who have approved.
func (p page) approvers() string {
	var names []string
	for _, v := range p.Votes {
		names = append(names, person(v.By).plain())
	}
	return strings.Join(names, p.w.comma)
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
func (p page) deciders(by question.Actor) rich {
	if len(p.Votes) < 2 || by.Kind != question.Person {
		return person(by)
	}
	var names []rich
	for _, v := range p.Votes {
		names = append(names, person(v.By))
	}
	last := len(names) - 1
	return join(p.w.team.and, join(p.w.comma, names[:last]...), names[last])
}
