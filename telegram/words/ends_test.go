package words_test

import (
	"testing"

	"hermes/internal/question"
	"hermes/telegram/words"
)

// There are words for everything that can end an ask.
func TestTable_HasEveryEnd(t *testing.T) {
	for _, lang := range words.Languages() {
		w := words.For(lang)
		for _, e := range question.Expiries() {
			if _, ok := w.NobodyTook[e]; ok != e.Answers() {
				t.Errorf("%s: %q answers: %v; there are words for its answer: %v", lang, e, e.Answers(), ok)
			}
		}
		for _, k := range question.OutcomeKinds() {
			if _, ok := w.Ended[k]; ok == k.Decided() {
				t.Errorf("%s: %q was decided: %v; there are words for why nobody did: %v", lang, k, k.Decided(), ok)
			}
		}
	}
}
