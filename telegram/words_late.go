package telegram

// lateWords are the texts about answers that go as prompts, in one language.
type lateWords struct {
	// Buttons.
	send, correct, drop string

	// What is offered.
	why          string
	whyRuled     string // the rule's answer
	whyDismissed string
	none         string

	// What became of it.
	owed    string // name, answers
	sent    string // name, time
	refused string // name, answers
	deleted string // name, answers
	already string // answers, name, time
}

func englishLate() lateWords {
	return lateWords{
		send: "Send my answer as a prompt", correct: "Correct it", drop: "Send nothing",

		why:          "The agent does not wait for this any more. Your answer goes to its session as a new prompt.",
		whyRuled:     "The agent already has the rule's answer: %s. That cannot be taken back. A correction goes to its session as a new prompt.",
		whyDismissed: "The agent was already told that this was dismissed. That cannot be taken back. Your answer goes to its session as a new prompt.",
		none:         "Nothing was sent.",

		owed:    "%s's answer goes to the session as a prompt: %s",
		sent:    "sent as a prompt by %s · %s",
		refused: "%s's answer was not sent, as OpenCode does not take it: %s",
		deleted: "%s's answer was not sent, as the session was deleted: %s",
		already: "There is an answer already, sent as a prompt: %s (%s, %s)",
	}
}

func chineseLate() lateWords {
	return lateWords{
		send: "把我的回答作为提示发送", correct: "更正", drop: "不发送",

		why:          "智能体已不再等待这个问题。你的回答会作为新的提示发给它的会话。",
		whyRuled:     "智能体已经收到规则的回答:%s。这无法撤回。更正会作为新的提示发给它的会话。",
		whyDismissed: "已告知智能体这个问题被忽略。这无法撤回。你的回答会作为新的提示发给它的会话。",
		none:         "没有发送任何内容。",

		owed:    "%s 的回答将作为提示发给会话:%s",
		sent:    "由 %s 作为提示发送 · %s",
		refused: "%s 的回答未发送,OpenCode 不接受:%s",
		deleted: "%s 的回答未发送,会话已被删除:%s",
		already: "已有回答,作为提示发送:%s(%s,%s)",
	}
}
