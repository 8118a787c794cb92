package main

import (
	"testing"
	"time"
)

func TestQuestionIsAnswered(t *testing.T) {
	playBoth(t, func(r *rig) {
		_, call := r.ask(database())
		r.screen("Database · shop-api", "Which database", "fix checkout flow")
		r.tap("2.")
		r.wait(time.Second)
		r.screen("→ PostgreSQL (Recommended)", "Ada")
		r.got(call, []string{"PostgreSQL (Recommended)"})
		if n := r.telegram.Count("sendMessage") + r.telegram.Count("editMessageText") + r.telegram.Count("answerCallbackQuery"); n > 4 {
			r.t.Errorf("%d calls for one question", n)
		}
	})
}
