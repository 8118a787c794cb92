package words

import "hermes/internal/question"

// Expiry says what a deadline has answered.
type Expiry struct {
	One     string // duration, answers: one question
	Default string // duration, answers: one question, whose asker had marked an option as the default
	Each    string // duration: several questions
}

func englishExpiry() map[question.Expiry]Expiry {
	return map[question.Expiry]Expiry{
		question.ExpireAccept: {
			One:     "Nobody answered in %s: took the first choice, %s.",
			Default: "Nobody answered in %s: took the default, %s.",
			Each:    "Nobody answered in %s: took the first choices.",
		},
	}
}

func chineseExpiry() map[question.Expiry]Expiry {
	return map[question.Expiry]Expiry{
		question.ExpireAccept: {
			One:     "%s内无人回答,已采用第一个选项:%s。",
			Default: "%s内无人回答,已采用默认选项:%s。",
			Each:    "%s内无人回答,已采用各题的第一个选项。",
		},
	}
}
