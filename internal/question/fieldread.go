package question

import (
	"slices"
	"strings"
)

// readField understands typed text as an answer to the field: as an option where it names one, as for a question, else
// as the field's kind has it.
func (i Item) readField(text string) (Choice, Notice) {
	refused := Notice{Kind: NotAccepted, Text: text}
	if value, ok := spoken(*i.Field, text); ok {
		return Choice{Options: []int{i.valued(value)}}, Notice{}
	}
	if len(i.Options) == 0 {
		read, ok := i.Field.Kind.rule().read(*i.Field, text)
		if !ok {
			return Choice{}, refused
		}
		return Choice{Texts: []string{read}}, Notice{}
	}
	choice, notice := i.read(text)
	for n, typed := range choice.Texts {
		read, ok := i.Field.Kind.rule().read(*i.Field, typed)
		if !ok {
			return Choice{}, refused
		}
		choice.Texts[n] = read
	}
	return choice, notice
}

// spoken is what a text says in words that stand for a value, in any language that people write to hermes.
func spoken(f Field, text string) (value string, ok bool) {
	word := strings.ToLower(strings.TrimRight(strings.TrimSpace(text), ".!\u3002\uff01"))
	yes := slices.Contains([]string{"yes", "y", "true", "ok", "on", "是", "是的", "对", "好", "好的"}, word)
	switch {
	case f.Kind == FieldBoolean && yes:
		return ValueTrue, true
	case f.Kind == FieldBoolean && slices.Contains([]string{"no", "n", "false", "off", "否", "不", "不是", "不要"}, word):
		return ValueFalse, true
	case f.Kind == FieldExternal && slices.Contains([]string{"done", "完成", "已完成"}, word):
		return ValueTrue, true
	}
	return "", false
}
