package apiclient

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/storage"
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
			now, err := a.await(ctx, wait)
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
func (a pendingAsk) submit(ctx context.Context, body json.RawMessage) error {
	try := func() error { return a.hermes.Fetch(ctx, http.MethodPost, "/v1/ask", body, new(ask.Result)) }
	err := try()
	if err == nil || errors.Is(err, ErrNotRunning) || errors.Is(err, ErrStandby) || isPermanent(err) {
		return err
	}
	return a.retryUntilAnswered(ctx, ask.Result{Status: ask.Pending}, try)
}

func (a pendingAsk) path() string { return "/v1/ask/" + url.PathEscape(string(a.id)) }

// await returns what became of the ask, as soon as it has ended or the time is over.
func (a pendingAsk) await(ctx context.Context, wait time.Duration) (result ask.Result, err error) {
	err = a.hermes.Fetch(ctx, http.MethodGet, a.path()+"?wait="+wait.String(), nil, &result)
	return result, err
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

// withdraw takes the ask back, also after an interruption, and tells how it ended: somebody may have been faster. One that was never made
// is as good as withdrawn.
func (a pendingAsk) withdraw(ctx context.Context) (result ask.Result, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), withdrawTimeout)
	defer cancel()
	err = a.hermes.Fetch(ctx, http.MethodDelete, a.path(), nil, &result)
	if IsRefusal(err, http.StatusConflict) {
		result, err = a.await(ctx, time.Second)
	}
	switch {
	case IsRefusal(err, http.StatusNotFound):
		return ask.Result{Status: ask.Aborted, Answers: []ask.Answer{}, AbortedBy: &ask.By{Kind: question.Caller}}, nil
	case err != nil:
		return result, fmt.Errorf("the ask %s could not be withdrawn, and waits there until it expires: %w", a.id, err)
	}
	return result, nil
}

// pollFor is how long hermes is asked to hold a poll: less than a call may wait for
// its answer.
const pollFor = 20 * time.Second

// maxAnswer bounds an answer, in bytes: whatever listens there may never stop.
const maxAnswer = 64 << 20

// Fetch makes one call, as Call does, whose answer is JSON.
func (r Client) Fetch(ctx context.Context, method, path string, body, into any) error {
	return r.fetch(ctx, maxAnswer, method, path, body, into)
}

// fetch is Fetch of an answer of so many bytes at most.
func (r Client) fetch(ctx context.Context, most int64, method, path string, body, into any) error {
	res, err := r.Call(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(io.LimitReader(res.Body, most)).Decode(into); err != nil {
		return fmt.Errorf("hermes stopped in the middle of an answer: %w", Cause(err))
	}
	return nil
}

// Status is GET /v1/status.
func (r Client) Status(ctx context.Context) (s api.Status, err error) {
	err = r.Fetch(ctx, http.MethodGet, "/v1/status", nil, &s)
	return s, err
}

// Questions lists what has not ended, oldest first.
func (r Client) Questions(ctx context.Context) ([]api.Question, error) { return r.questions(ctx, "") }

// LastAsked lists the n asks that were asked last, open or not, oldest first.
func (r Client) LastAsked(ctx context.Context, n int) ([]api.Question, error) {
	return r.questions(ctx, fmt.Sprintf("?last=%d", n))
}

func (r Client) questions(ctx context.Context, query string) ([]api.Question, error) {
	var list struct {
		Questions []api.Question `json:"questions"`
	}
	err := r.Fetch(ctx, http.MethodGet, "/v1/questions"+query, nil, &list)
	return list.Questions, err
}

// Question is one question, also an ended one.
func (r Client) Question(ctx context.Context, id question.ID) (q api.Question, err error) {
	err = r.Fetch(ctx, http.MethodGet, "/v1/questions/"+url.PathEscape(string(id)), nil, &q)
	return q, err
}

// Answer decides a question. It is stored then, and will be delivered.
func (r Client) Answer(ctx context.Context, id question.ID, a api.Answer) (q api.Question, err error) {
	err = r.Fetch(ctx, http.MethodPost, "/v1/questions/"+url.PathEscape(string(id)), a, &q)
	return q, err
}

// Journal calls fn with the entries that fit. With a wait it is held until there is
// one, or the time is over.
func (r Client) Journal(ctx context.Context, pick api.EntryFilter, wait time.Duration, fn func(api.Entry) error) error {
	query := pick.Query()
	if wait > 0 {
		query = strings.TrimPrefix(query+"&wait="+wait.String(), "&")
	}
	res, err := r.Call(ctx, http.MethodGet, "/v1/journal?"+query, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	for lines := json.NewDecoder(res.Body); ; {
		var line struct {
			api.Entry
			Error string `json:"error"`
		}
		switch err := lines.Decode(&line); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("hermes stopped before the end of the journal: %w", Cause(err))
		case line.Error != "":
			return errors.New(letters.Escaped(line.Error))
		}
		if err := fn(line.Entry); err != nil {
			return err
		}
	}
}

// Watch follows the journal of the running hermes, past its restarts.
type Watch struct {
	hermes Client
	After  uint64
	failed time.Time // since when it does not answer; zero: it does
}

// NewWatch begins behind the last entry, or so many before it.
func NewWatch(ctx context.Context, hermes Client, back uint64) (*Watch, error) {
	s, err := hermes.Status(ctx)
	return &Watch{hermes: hermes, After: s.Journal - min(s.Journal, back)}, err
}

// Next calls fn with what comes next, and returns when it has, or after a while.
func (w *Watch) Next(ctx context.Context, fn func(api.Entry) error) error {
	err := w.hermes.Journal(ctx, api.EntryFilter{After: w.After}, pollFor, func(e api.Entry) error {
		w.After = e.Number
		return fn(e)
	})
	if err == nil {
		w.failed = time.Time{}
	}
	return err
}

// Again waits a moment after a failure, and reports whether to continue: a hermes that is
// being restarted comes back.
func (w *Watch) Again(ctx context.Context, err error) bool {
	if w.failed.IsZero() {
		w.failed = time.Now()
	}
	if isPermanent(err) || time.Since(w.failed) > patience {
		return false
	}
	_ = retry.Wait(ctx, askAgainIn)
	return ctx.Err() == nil
}

// ErrUnopened means that nobody opened the link of an invitation in time.
var ErrUnopened = errors.New("nobody opened the link in time, so it no longer works")

// Invitation follows an invitation until that is settled, as settled reports of one of its entries, or nobody has
// opened it in time, or ctx ends, which is no error. Again and again it calls waits meanwhile.
func (w *Watch) Invitation(ctx context.Context, i api.Invitation, settled func(api.Entry) bool, waits func()) error {
	opened, done := false, false
	for !done {
		err := w.Next(ctx, func(e api.Entry) error {
			if e.Thread == i.ID && !done {
				opened = opened || e.Kind == storage.EntryOpened
				done = settled(e)
			}
			return nil
		})
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !w.Again(ctx, err):
			return err
		case !opened && !done && time.Now().After(i.Until):
			return ErrUnopened
		}
		waits()
	}
	return nil
}
