package words

import "hermes/internal/question"

// These say why a question has ended without an answer.

func englishEnds() map[question.OutcomeKind]string {
	return map[question.OutcomeKind]string{
		question.OutcomeStopped:   "No longer waiting: the session was stopped.",
		question.OutcomeDeleted:   "No longer waiting: the session was deleted.",
		question.OutcomeRestarted: "No longer waiting: OpenCode was restarted.",
		question.OutcomeVoid:      "No longer waiting: the question was never asked.",
		question.OutcomeUnknown:   "It is not known what became of this question.",
	}
}

func chineseEnds() map[question.OutcomeKind]string {
	return map[question.OutcomeKind]string{
		question.OutcomeStopped:   "不再等待:会话已停止。",
		question.OutcomeDeleted:   "不再等待:会话已删除。",
		question.OutcomeRestarted: "不再等待:OpenCode 已重启。",
		question.OutcomeVoid:      "不再等待:这个问题没有真正提出。",
		question.OutcomeUnknown:   "无法确认这个问题的结果。",
	}
}
