package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/ask"
	"hermes/internal/clients"
	"hermes/internal/retry"
)

// askThrough lets the running hermes ask the test question, so that it goes all the
// way that an agent's goes. It reports false if that one takes no asks.
func (t *roundTrip) askThrough(ctx context.Context) (result, bool) {
	path, wrong, ok := t.submitTest(ctx)
	if !ok || wrong.Status != "" {
		return wrong, ok
	}
	t.tellToTap()
	began := time.Now()
	waiting, cancel := context.WithTimeout(ctx, t.wait)
	defer cancel()
	r := t.awaitTest(waiting, path)
	if r.Status == ask.Pending {
		r = t.withdrawTest(ctx, path)
	}
	return t.judgeTest(ctx, r, waiting.Err() != nil, time.Since(began).Round(time.Second)), true
}

func (t *roundTrip) submitTest(ctx context.Context) (path string, wrong result, ok bool) {
	body := map[string]any{"title": "hermes doctor", "questions": []any{map[string]any{
		"question_id": "reach", "question": testQuestion, "options": []any{map[string]string{"id": "yes", "label": "Yes"}},
	}}}
	code, text, err := t.hermes.call(ctx, http.MethodPost, "/v1/ask", body)
	var got struct{ ID string }
	switch {
	case code == http.StatusNotFound:
		return "", result{}, false
	case err != nil:
		return "", gradeFail.because(fmt.Sprintf("the running hermes was to ask a test question, and did not answer: %v", apiclient.Cause(err)), "see its log"), true
	case code != http.StatusAccepted || json.Unmarshal(text, &got) != nil || got.ID == "":
		return "", gradeFail.because(fmt.Sprintf("the running hermes did not take a test question (HTTP %d)", code), "see its log"), true
	}
	return "/v1/ask/" + got.ID, result{}, true
}

// awaitTest waits for the end of the test question until ctx ends, past restarts of
// hermes. It is pending if it did not end.
func (t *roundTrip) awaitTest(ctx context.Context, path string) ask.Result {
	for ctx.Err() == nil {
		r, ok := t.readTest(ctx, http.MethodGet, path+"?wait=30s")
		if ok && r.Status != ask.Pending {
			return r
		}
		_ = retry.Wait(ctx, time.Second) // at once again, where hermes is just starting
	}
	return ask.Result{Status: ask.Pending}
}

func (t *roundTrip) readTest(ctx context.Context, method, path string) (r ask.Result, ok bool) {
	code, text, err := t.hermes.call(ctx, method, path, nil)
	ok = err == nil && code == http.StatusOK && json.Unmarshal(text, &r) == nil
	return r, ok
}

// withdrawTest takes the question back, also after an interruption, and tells how it
// ended: a tap may have been faster.
func (t *roundTrip) withdrawTest(ctx context.Context, path string) ask.Result {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), clients.Timeout)
	defer cancel()
	if r, ok := t.readTest(ctx, http.MethodDelete, path); ok {
		return r
	}
	r, _ := t.readTest(ctx, http.MethodGet, path)
	return r
}

func (t *roundTrip) judgeTest(ctx context.Context, r ask.Result, late bool, took time.Duration) result {
	switch {
	case r.Status == ask.Answered && r.AnsweredBy != nil && r.AnsweredBy.User != 0:
		return pass("the running hermes asked a test question, and the tap of user %d came back through it after %v", r.AnsweredBy.User, took)
	case ctx.Err() != nil:
		return gradeFail.because("interrupted; "+leftOver(r), "run it again and tap Yes")
	case late:
		return gradeFail.because(fmt.Sprintf("the running hermes asked a test question, but no tap of a user in %s came within %v; %s", t.config.PeopleSetting(), t.wait, leftOver(r)),
			"run it again and tap Yes; if no question was shown, or somebody has tapped, see the other lines and the log of hermes")
	}
	return gradeWarn.because("the running hermes asked a test question, and it ended without a tap on Yes: dismissed, expired, or answered over the API or by a rule", "run it again and tap Yes")
}

// leftOver says what became of a test question that nobody answered.
func leftOver(r ask.Result) string {
	if cmp.Or(r.Status, ask.Pending) == ask.Pending {
		return "the test question could not be withdrawn, and waits there until it expires"
	}
	return "the test question was withdrawn"
}

// tellToTap asks the person to look at the phone.
func (t *roundTrip) tellToTap() {
	fmt.Fprintf(t.notice, "Look at Telegram: a test question waits there for a tap, for up to %v.\n", t.wait)
}
