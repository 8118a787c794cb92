package telegram

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/letters"
	"hermes/internal/question"
)

// admissionWords are the texts about who is let in, in one language.
type admissionWords struct {
	// Buttons.
	letIn, refuse string

	// For those who decide.
	wants      string // name
	wantsGroup string // name
	wanted     string // name
	wantedGrp  string // name
	id         string // the person's id
	may        string
	mayAs      string // roles
	invited    string // name
	group      string // title, id
	made       string // time
	letInBy    string // name, time
	refusedBy  string // name, time
	nobody     string
	withdrawn  string // time
	letInTakes string // roles
	tapButton  string

	// For those who wait.
	waiting, waitingGroup   string
	admitted, admittedGroup string // time
	unwanted, unwantedGroup string

	// Of those who were removed.
	removed      string // name
	removedGroup string // id
	noMore       string // time
	noMoreGroup  string // time
}

func englishAdmission() admissionWords {
	return admissionWords{
		letIn: "Let in", refuse: "Refuse",

		wants:      "“%s” asks to be let in",
		wantsGroup: "“%s” asks to add a group",
		wanted:     "“%s” asked to be let in",
		wantedGrp:  "“%s” asked to add a group",
		id:         "id %s",
		may:        "They could then answer what your agents ask, and would get it.",
		mayAs:      "They could then answer what your agents ask, as %s.",
		invited:    "The link was made for “%s”.",
		group:      "What your agents ask would go to the group “%s” (%s).",
		made:       "The link was made at %s, over the API or with hermes pair. Let in only whom you expect.",
		letInBy:    "Let in by %s · %s",
		refusedBy:  "Refused by %s · %s",
		nobody:     "Nobody let them in in time. The link works no more.",
		withdrawn:  "The link was taken back over the API · %s",
		letInTakes: "To let them in takes these roles: %s",
		tapButton:  "Words let nobody in. Tap a button.",

		waiting: "Waiting for somebody to let you in", waitingGroup: "Waiting for somebody to let this group in",
		admitted: "You were let in · %s", admittedGroup: "This group was let in · %s",
		unwanted: "You were not let in.", unwantedGroup: "This group was not let in.",

		removed:      "“%s” was removed",
		removedGroup: "The group %s was removed",
		noMore:       "They may not answer any more. It was done over the API or with hermes pair · %s",
		noMoreGroup:  "It gets no questions any more. It was done over the API or with hermes pair · %s",
	}
}

func chineseAdmission() admissionWords {
	return admissionWords{
		letIn: "准许加入", refuse: "拒绝",

		wants:      "“%s”请求加入",
		wantsGroup: "“%s”请求添加一个群组",
		wanted:     "“%s”曾请求加入",
		wantedGrp:  "“%s”曾请求添加一个群组",
		id:         "id %s",
		may:        "加入后,此人可以回答智能体的提问,并会收到提问。",
		mayAs:      "加入后,此人可以以 %s 的角色回答智能体的提问。",
		invited:    "链接是为“%s”创建的。",
		group:      "智能体的提问将发送到群组“%s”(%s)。",
		made:       "链接创建于 %s,通过 API 或 hermes pair。请只准许你认识的人。",
		letInBy:    "已由 %s 准许加入 · %s",
		refusedBy:  "已由 %s 拒绝 · %s",
		nobody:     "规定时间内无人准许,链接已失效。",
		withdrawn:  "链接已通过 API 撤回 · %s",
		letInTakes: "准许此人加入需要以下角色:%s",
		tapButton:  "文字不能准许加入,请点击按钮。",

		waiting: "正在等待有人准许你加入", waitingGroup: "正在等待有人准许本群组加入",
		admitted: "你已获准加入 · %s", admittedGroup: "本群组已获准加入 · %s",
		unwanted: "你未获准加入。", unwantedGroup: "本群组未获准加入。",

		removed:      "“%s”已被移除",
		removedGroup: "群组 %s 已被移除",
		noMore:       "此人不能再回答提问。通过 API 或 hermes pair 移除 · %s",
		noMoreGroup:  "该群组不再收到提问。通过 API 或 hermes pair 移除 · %s",
	}
}

// admission is the card about somebody who is to be let in, or was removed.
func (p page) admission() (head, front, tail rich) {
	a := *p.Request.Admission
	switch {
	case p.Newcomer:
		return p.waits(a)
	case a.Removed:
		return p.removed(a)
	case p.Outcome == nil:
		return p.headline("🚪", p.wants(a)), p.newcomer(a), join("\n\n", p.linkMade(a), p.remarks(), p.deadline())
	}
	return p.headline(p.signOfAdmission(), p.wants(a)), p.newcomer(a), p.admissionEnd()
}

// wants is the first line for those who decide.
func (p page) wants(a question.Admission) string {
	form := p.w.admission.wants
	switch {
	case p.Outcome != nil && a.Group:
		form = p.w.admission.wantedGrp
	case p.Outcome != nil:
		form = p.w.admission.wanted
	case a.Group:
		form = p.w.admission.wantsGroup
	}
	return fmt.Sprintf(form, newcomerName(a))
}

// newcomerName is how Telegram names the person. They have chosen it themselves.
func newcomerName(a question.Admission) string {
	return person(question.Actor{Name: a.User.Name, User: a.User.ID}).plain()
}

// newcomer says who it is, and what they would be given.
func (p page) newcomer(a question.Admission) rich {
	w := p.w.admission
	who := plain(fmt.Sprintf(w.id, strconv.FormatInt(int64(a.User.ID), 10)))
	if a.User.Username != "" {
		who = join(" · ", plain("@"+apart(letters.OneLine(a.User.Username))), who)
	}
	lines := []rich{who}
	if a.Name != "" {
		lines = append(lines, phrase(w.invited, plain(apart(letters.OneLine(a.Name)))))
	}
	if a.Group {
		lines = append(lines, phrase(w.group, plain(apart(shorten(letters.OneLine(a.Title), 64))), plain(strconv.FormatInt(int64(a.Chat), 10))))
	}
	switch {
	case len(a.Roles) > 0:
		lines = append(lines, phrase(w.mayAs, plain(p.roles(a))))
	case !a.Group:
		lines = append(lines, plain(w.may))
	}
	return join("\n", lines...)
}

func (p page) roles(a question.Admission) string {
	return strings.Join(eachOnOneLine(a.Roles), p.w.comma)
}

func (p page) linkMade(a question.Admission) rich {
	return phrase(p.w.admission.made, clock(a.Made, p.now))
}

func (p page) signOfAdmission() string {
	switch {
	case p.Outcome.Kind == question.OutcomeAnswered:
		return "✅"
	case p.Outcome.By.Kind == question.Deadline:
		return "⌛"
	}
	return "🚫"
}

// admissionEnd says how it ended, for those who decide.
func (p page) admissionEnd() rich {
	o, w := *p.Outcome, p.w.admission
	when := clock(o.At, p.now)
	switch {
	case o.Kind == question.OutcomeAnswered:
		return phrase(w.letInBy, person(o.By), when)
	case o.By.Kind == question.Deadline:
		return plain(w.nobody)
	case o.By.Kind == question.Caller:
		return phrase(w.withdrawn, when)
	}
	return phrase(w.refusedBy, person(o.By), when)
}

// admissionShort is the end, or the decision, in one line.
func (p page) admissionShort() string {
	if p.Outcome == nil && p.Decision != nil {
		p.Outcome = &question.Outcome{Kind: question.OutcomeAnswered, By: p.Decision.By, At: p.Decision.At}
		if p.Decision.Reject {
			p.Outcome.Kind = question.OutcomeDismissed
		}
	}
	if p.Outcome == nil || p.Request.Admission.Removed {
		return p.w.noSuch
	}
	return p.admissionEnd().plain()
}

// waits is the card of those who wait. It names nobody: they may be strangers for good.
func (p page) waits(a question.Admission) (head, front, tail rich) {
	w := p.w.admission
	waiting, admitted, unwanted := w.waiting, w.admitted, w.unwanted
	if a.Group {
		waiting, admitted, unwanted = w.waitingGroup, w.admittedGroup, w.unwantedGroup
	}
	switch {
	case p.Outcome == nil:
		return plain("⏳ " + waiting), nil, p.deadline()
	case p.Outcome.Kind == question.OutcomeAnswered:
		return append(plain("✅ "), phrase(admitted, clock(p.Outcome.At, p.now))...), nil, nil
	}
	return plain("🚫 " + unwanted), nil, nil
}

// removed tells who or what was removed.
func (p page) removed(a question.Admission) (head, front, tail rich) {
	w, when := p.w.admission, clock(p.Outcome.At, p.now)
	if a.Group {
		return p.headline("🚪", fmt.Sprintf(w.removedGroup, strconv.FormatInt(int64(a.Chat), 10))), nil, phrase(w.noMoreGroup, when)
	}
	return p.headline("🚪", fmt.Sprintf(w.removed, newcomerName(a))), p.formerly(a), phrase(w.noMore, when)
}

// formerly says who was removed.
func (p page) formerly(a question.Admission) rich {
	id := fmt.Sprintf(p.w.admission.id, strconv.FormatInt(int64(a.User.ID), 10))
	return join(" · ", plain(id), plain(p.roles(a)))
}

// admissionRows are the buttons of those who decide.
func (p page) admissionRows() [][]button {
	if p.Newcomer {
		return nil
	}
	return [][]button{{
		{label: "✅ " + p.w.admission.letIn, move: question.Move{Action: question.Send, Rev: p.Step}},
		{label: "🚫 " + p.w.admission.refuse, move: question.Move{Action: question.Dismiss, Rev: p.Step}, style: styleDanger},
	}}
}
