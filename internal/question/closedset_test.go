package question_test

import (
	"slices"
	"testing"

	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/simulate/closedset"
	"hermes/internal/storage"
)

// A constant of a closed set is in the list of them, from which all else follows.
func TestClosedSets_HaveAllConstants(t *testing.T) {
	declared := closedset.Constants(t)
	for name, list := range map[string][]string{
		"question.Expiry":      texts(question.Expiries()),
		"question.OutcomeKind": texts(question.OutcomeKinds()),
		"question.ActorKind":   texts(question.ActorKinds()),
		"question.Stage":       texts(question.Stages()),
		"fields.Kind":          texts(fields.Kinds()),
		"fields.Format":        append([]string{""}, texts(fields.Formats())...),
		"storage.EntryKind":    texts(storage.EntryKinds()),
	} {
		if want := declared[name]; len(want) == 0 || !slices.Equal(list, want) {
			t.Errorf("%s: the list has %q, the constants are %q", name, list, want)
		}
	}
}

func texts[T ~string](words []T) []string {
	var list []string
	for _, w := range words {
		list = append(list, string(w))
	}
	return list
}
