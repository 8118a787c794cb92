package bridge

import (
	"fmt"
	"time"

	"hermes/internal/question"
	"hermes/internal/storage"
)

// askRefusedForm asks people again what OpenCode's server has refused: a form still waits. They have as long for it as for a new one. A
// crash before this is stored: the answers are sent, and refused, once more.
func (b *Bridge) askRefusedForm(l *liveThread, refused question.RefusedAnswers) {
	by, rule := l.Decision.By, b.access.ruleFor(l)
	next := l.Reopened(refused)
	b.access.noteRule(&next, rule)
	setDeadline(&next, rule, time.Now())
	b.decide(l, next, nil, storage.Entry{Kind: storage.EntryRefused, By: by, Detail: "OpenCode: " + refused.Message})
}

// checkForm checks the answers to a form as a person's would be.
func checkForm(r question.Request, answers question.Answers) error {
	i, why := r.Check(answers)
	if why == "" {
		return nil
	}
	return &Invalid{i, whyNoValue(r.Items[i], why)}
}

func whyNoValue(item question.Item, why question.NoticeKind) string {
	switch why {
	case question.PickOne:
		return "needs an answer"
	case question.OnlyOne:
		return "takes one answer only"
	case question.TooFew:
		return fmt.Sprintf("needs at least %v answers", *item.Field.Min)
	case question.TooMany:
		return fmt.Sprintf("takes at most %v answers", *item.Field.Max)
	case question.NotAsked:
		return "is not asked, with these answers before it"
	case question.Ambiguous, question.NotAnOption, question.NoNumber, question.TapButton, question.TapSend, question.NotAccepted, question.Refused, question.LostRight:
	}
	return fmt.Sprintf("is no value that this field of type %s takes", item.Field.Kind)
}
