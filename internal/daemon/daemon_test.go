package daemon_test

import (
	"testing"
	"time"

	"hermes/internal/simulate/rig"
)

func TestQuestionIsAnswered(t *testing.T) {
	rig.PlayBoth(t, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		r.WantScreen("Database · shop-api", "Which database", "fix checkout flow")
		r.Tap("2.")
		r.Wait(time.Second)
		r.WantScreen("→ PostgreSQL (Recommended)", "Ada")
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		if n := r.Telegram.Count("sendMessage") + r.Telegram.Count("editMessageText") + r.Telegram.Count("answerCallbackQuery"); n > 4 {
			r.T.Errorf("%d calls for one question", n)
		}
	})
}
