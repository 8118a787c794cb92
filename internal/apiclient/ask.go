package apiclient

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"hermes/internal/ask"
	"hermes/internal/question"
	"hermes/internal/retry"
)

const (
	firstPoll       = 2 * time.Second        // by then a chat shows it, and the deadline is known
	askAgainIn      = 500 * time.Millisecond // after a failed call
	withdrawTimeout = 10 * time.Second       // of a withdrawal, after the asking has ended
	patience        = 5 * time.Minute        // with a hermes that does not answer
)

// AskPeople asks through the running hermes, and waits for the end, past restarts of
// hermes. told is called with what is known while it waits; reached: hermes answered
// just now. When ctx ends the ask is withdrawn, which may come too late: the result
// tells. The body is an ask of package ask; without an idempotency key it gets one, so
// that a call whose outcome is not known can be made again. A body that is no ask is a
// *ask.Fault.
func (r Client) AskPeople(ctx context.Context, body []byte, told func(result ask.Result, reached bool)) (ask.Result, error) {
	body, id, err := keyedAsk(body)
	if err != nil {
		return ask.Result{}, err
	}
	a := pendingAsk{r, id, told}
	result, err := a.run(ctx, body)
	if err != nil && ctx.Err() != nil {
		return a.withdraw(ctx)
	}
	return result, err
}

// keyedAsk checks an ask and gives it a key if it has none. Its id follows from that.
func keyedAsk(body []byte) ([]byte, question.RequestID, error) {
	parsed, err := ask.Parse(body)
	if err != nil || parsed.Request.ID != "" {
		return body, parsed.Request.ID, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, "", err
	}
	fields["idempotency_key"], _ = json.Marshal(rand.Text()) // a string can be encoded
	if body, err = json.Marshal(fields); err != nil {
		return nil, "", err
	}
	parsed, err = ask.Parse(body)
	return body, parsed.Request.ID, err
}

// pendingAsk is one ask under way.
type pendingAsk struct {
	hermes Client
	id     question.RequestID
	told   func(ask.Result, bool)
}

func (a pendingAsk) run(ctx context.Context, body []byte) (ask.Result, error) {
	if err := a.submit(ctx, body); err != nil {
		return ask.Result{}, err
	}
	result := ask.Result{Status: ask.Pending}
	wait := firstPoll
	for result.Status == ask.Pending {
		err := a.retryUntilAnswered(ctx, result, func() error {
			now, err := a.hermes.fetchResult(ctx, a.id, wait)
			if err == nil {
				result = now
			}
			return err
		})
		if err != nil {
			return ask.Result{}, err
		}
		a.told(result, true)
		wait = pollFor
	}
	return result, nil
}

// submit asks. Where nothing listens at the first try, or a standby of another hermes, no ask was made.
func (a pendingAsk) submit(ctx context.Context, body []byte) error {
	_, err := a.hermes.submit(ctx, body)
	if err == nil || errors.Is(err, ErrNotRunning) || errors.Is(err, ErrStandby) || isPermanent(err) {
		return err
	}
	return a.retryUntilAnswered(ctx, ask.Result{Status: ask.Pending}, func() error {
		_, err := a.hermes.submit(ctx, body)
		return err
	})
}

// retryUntilAnswered makes a call until hermes answers, with a yes or a no.
func (a pendingAsk) retryUntilAnswered(ctx context.Context, last ask.Result, call func() error) error {
	for began := time.Now(); ; {
		err := call()
		switch {
		case err == nil || isPermanent(err):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case time.Since(began) > patience:
			return fmt.Errorf("%w; if the ask %s was made, it still waits there", err, a.id)
		}
		a.told(last, false)
		_ = retry.Wait(ctx, askAgainIn)
	}
}

// isPermanent reports whether the same call would fail again.
func isPermanent(err error) bool {
	var no *Refusal
	return errors.As(err, &no) && no.code < http.StatusInternalServerError
}

// withdraw takes the ask back, also after an interruption. One that was never made is
// as good as withdrawn.
func (a pendingAsk) withdraw(ctx context.Context) (ask.Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), withdrawTimeout)
	defer cancel()
	result, err := a.hermes.withdraw(ctx, a.id)
	switch {
	case IsRefusal(err, http.StatusNotFound):
		return ask.Result{Status: ask.Aborted, Answers: []ask.Answer{}, AbortedBy: &ask.By{Kind: question.Caller}}, nil
	case err != nil:
		return result, fmt.Errorf("the ask %s could not be withdrawn, and waits there until it expires: %w", a.id, err)
	}
	return result, nil
}
