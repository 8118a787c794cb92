package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/ask"
)

// checkRoundTrip asks the question and withdraws it if nobody taps in time. Doctor reads no tap itself: a second program that polls
// would cut off the first.
func (d *Doctor) checkRoundTrip(ctx context.Context) result {
	body, err := json.Marshal(map[string]any{"title": "hermes doctor", "questions": []any{map[string]any{
		"question_id": "reach", "question": "Test question from hermes doctor: does this reach you?", "options": []any{map[string]string{"id": "yes", "label": "Yes"}},
	}}})
	if err != nil {
		return gradeFail.because(err.Error(), "report this")
	}
	var tell sync.Once
	told := func(_ ask.Result, reached bool) {
		if reached {
			tell.Do(func() {
				fmt.Fprintf(d.world.Notice, "Look at Telegram: a test question waits there for a tap, for up to %v.\n", d.opts.Wait)
			})
		}
	}
	began := time.Now()
	waiting, cancel := context.WithTimeout(ctx, d.opts.Wait)
	defer cancel()
	r, err := d.client.AskPeople(waiting, body, told)
	took := time.Since(began).Round(time.Second)
	switch {
	case err == nil && r.Status == ask.Answered && r.AnsweredBy != nil && r.AnsweredBy.User != 0:
		return pass("the running hermes asked a test question, and the tap of user %d came back through it after %v", r.AnsweredBy.User, took)
	case ctx.Err() != nil:
		return gradeFail.because("interrupted; "+leftOver(err), "run it again and tap Yes")
	case waiting.Err() != nil:
		return gradeFail.because(fmt.Sprintf("the running hermes asked a test question, but no tap of a user in %s came within %v; %s", d.config.PeopleSetting(), d.opts.Wait, leftOver(err)),
			"run it again and tap Yes; if no question was shown, or somebody has tapped, see the other lines and the log of hermes")
	case errors.Is(err, apiclient.ErrNotRunning):
		return gradeFail.because(err.Error()+", which would ask the test question", apiclient.HowToStart(d.config))
	case err != nil:
		return gradeFail.because(fmt.Sprintf("the running hermes did not ask a test question: %v", err), apiclient.WhereLog())
	}
	return gradeWarn.because("the running hermes asked a test question, and it ended without a tap on Yes: dismissed, expired, or answered over the API or by a rule", "run it again and tap Yes")
}

// leftOver says what became of a test question that nobody answered.
func leftOver(err error) string {
	if err != nil {
		return "the test question could not be withdrawn, and waits there until it expires"
	}
	return "the test question was withdrawn"
}
