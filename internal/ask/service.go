package ask

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hermes/internal/broadcast"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// Service takes the asks of programs and wakes those who wait for an end. Its methods are
// safe for concurrent use.
type Service struct {
	events func(event.Event)    // returns when the event is stored
	ended  *broadcast.Broadcast // rung whenever an ask has ended
}

// New returns a Service that passes its events to the function.
func New(events func(event.Event)) *Service {
	return &Service{events: events, ended: broadcast.New()}
}

// Origin is where an ask about a directory comes from. It is persisted with every ask.
func Origin(directory string) session.Origin {
	return session.Origin{Way: session.AskAPI, Directory: directory}
}

// Owns reports whether the thread is an ask.
func Owns(t question.Thread) bool {
	return slices.ContainsFunc(t.Origins, func(o session.Origin) bool { return o.Way == session.AskAPI })
}

// Submit asks, and returns the ask's id: that of its idempotency key, else a random
// one. It does not say whether the ask was stored, or was there before: who takes the
// events knows.
func (s *Service) Submit(a event.Ask) question.RequestID {
	if a.Request.ID == "" {
		var b [15]byte
		rand.Read(b[:]) // never fails: crypto/rand
		a.Request.ID = question.RequestID("ask_" + base64.RawURLEncoding.EncodeToString(b[:]))
	}
	s.events(event.Event{Kind: event.Asked, Origin: Origin(a.Directory), Asks: []event.Ask{a}})
	return a.Request.ID
}

// Asker is the program behind the asks of one origin, as their agent: an ask waits until
// it is answered or rejected, and nothing else ends one.
type Asker struct {
	service *Service
	origin  session.Origin
}

// Asker returns the Asker of an origin, which an ask was stored with.
func (s *Service) Asker(o session.Origin) Asker { return Asker{s, o} }

// Look reports every ask as open: nobody looks for one that has ended.
func (a Asker) Look(context.Context, question.Request) (event.Finding, error) {
	return event.Finding{Kind: event.FoundOpen}, nil
}

// Resolve gives the request itself: asks have their ids from the beginning.
func (a Asker) Resolve(_ context.Context, r question.Request) (question.Request, bool, error) {
	return r, true, nil
}

// Reply ends an ask with answers.
func (a Asker) Reply(_ context.Context, r question.Request, answers question.Answers) error {
	a.service.reportEnd(event.Event{Kind: event.Replied, Origin: a.origin, ID: r.ID, Answers: answers})
	return nil
}

// Reject ends an ask without an answer. The note is for the asker of a permission.
func (a Asker) Reject(_ context.Context, r question.Request, note string) error {
	a.service.reportEnd(event.Event{Kind: event.Rejected, Origin: a.origin, ID: r.ID, Note: note})
	return nil
}

// reportEnd passes the end on and, once it is stored, wakes all who wait.
func (s *Service) reportEnd(e event.Event) {
	s.events(e)
	s.ended.Ring()
}

// Wait calls done, and again whenever an ask has ended and when the limit is over, until
// it reports true, the limit is over, ctx ends or the Service is closed.
func (s *Service) Wait(ctx context.Context, limit time.Duration, done func() bool) {
	enough := time.NewTimer(limit)
	defer enough.Stop()
	for looked := false; ; looked = true {
		ended, closed := s.ended.Next() // before the look: an end during it counts
		if looked && closed || done() {
			return
		}
		select {
		case <-ended:
		case <-enough.C:
			done() // what else has changed since, such as that people can see it
			return
		case <-ctx.Done():
			return
		}
	}
}

// Close ends all waits, so that a server can stop.
func (s *Service) Close() { s.ended.Close() }

// progressEvery is how often a client hears that people are still thinking. Clients
// that count progress as life give up after 30 s and more without any.
const progressEvery = 5 * time.Second

// progress tells a client that gave a token how long it has waited, of how long at
// most, in seconds.
type progress struct {
	call  *mcp.CallToolRequest
	began time.Time
	ended chan struct{}

	mu       sync.Mutex
	deadline *time.Time
	reached  bool
}

// startProgress notifies the client until ctx ends. Without a token it does nothing.
func startProgress(ctx context.Context, c *mcp.CallToolRequest) *progress {
	p := &progress{call: c, began: time.Now(), ended: make(chan struct{}), reached: true}
	if c.Params.GetProgressToken() == nil {
		close(p.ended)
		return p
	}
	go p.run(ctx)
	return p
}

// update sets what the next notification says.
func (p *progress) update(r Result, reached bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deadline, p.reached = r.Deadline, reached
}

// waitDone returns after the last notification: the protocol wants none after the result.
func (p *progress) waitDone() { <-p.ended }

func (p *progress) run(ctx context.Context) {
	defer close(p.ended)
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		// A client that cannot be told is one that has gone, which ends ctx.
		_ = p.call.Session.NotifyProgress(ctx, p.at(time.Now()))
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (p *progress) at(now time.Time) *mcp.ProgressNotificationParams {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &mcp.ProgressNotificationParams{ProgressToken: p.call.Params.GetProgressToken(), Progress: now.Sub(p.began).Seconds(), Message: "Waiting for an answer"}
	if !p.reached {
		n.Message = "Waiting for hermes, which does not answer now"
	}
	if p.deadline != nil {
		n.Total = max(n.Progress, p.deadline.Sub(p.began).Seconds())
		n.Message += " · " + max(0, p.deadline.Sub(now)).Round(time.Second).String() + " left"
	}
	return n
}

// Status is how far an ask is. The words are part of the protocol.
type Status string

const (
	Pending   Status = "pending"   // it waits for a person
	Answered  Status = "answered"  // by what Answers say
	Cancelled Status = "cancelled" // somebody chose an option that cancels
	Aborted   Status = "aborted"   // withdrawn, expired or dismissed: nobody chose anything
)

// Result is what an asker is told. Fields are only added.
type Result struct {
	Status      Status        `json:"status"`
	Answers     []Answer      `json:"answers"`
	AnsweredBy  *By           `json:"answered_by,omitempty"`  // Answered
	CancelledBy *Cancellation `json:"cancelled_by,omitempty"` // Cancelled
	AbortedBy   *By           `json:"aborted_by,omitempty"`   // Aborted
	Note        string        `json:"note,omitempty"`         // Aborted, of a permission: what the person who rejected it wants the asker to know
	Deadline    *time.Time    `json:"deadline,omitempty"`     // Pending: when on_timeout is done; absent: not known yet, or never
}

// Answer is what was chosen for one question.
type Answer struct {
	Question string   `json:"question_id"`
	Selected []string `json:"selected_option_ids"`
	Text     string   `json:"text,omitempty"` // typed; several texts are lines
}

// By is who answered or aborted: a person, the deadline, a rule, or a program over the
// API.
type By struct {
	Kind question.ActorKind `json:"kind"`
	Name string             `json:"name,omitempty"`
	User chat.UserID        `json:"user,omitempty"` // Telegram's id of a person
}

// Cancellation is the option that cancelled.
type Cancellation struct {
	Question string `json:"question_id"`
	Option   string `json:"option_id"`
}

// ResultOf tells what became of an ask.
func ResultOf(t question.Thread) Result {
	r := Result{Status: Pending, Answers: []Answer{}}
	switch {
	case t.Outcome == nil:
		if !t.Deadline.IsZero() && !t.Expired {
			deadline := t.Deadline.UTC()
			r.Deadline = &deadline
		}
	case t.Outcome.Kind != question.OutcomeAnswered:
		r.Status, r.AbortedBy, r.Note = Aborted, byOf(*t.Outcome), t.Outcome.Note
	case t.Request.Permission != nil:
		r.permissionResult(*t.Outcome)
	default:
		r.setAnswers(t.Request.Items, *t.Outcome)
	}
	return r
}

func (r *Result) setAnswers(items []question.Item, o question.Outcome) {
	for n, item := range items {
		var labels []string
		if n < len(o.Answers) {
			labels = o.Answers[n]
		}
		if option, ok := item.Cancelling(labels); ok {
			*r = Result{Status: Cancelled, Answers: []Answer{}, CancelledBy: &Cancellation{item.ID, option.ID}}
			return
		}
		r.Answers = append(r.Answers, answerOf(item, labels))
	}
	r.Status, r.AnsweredBy = Answered, byOf(o)
}

// byOf is nil where nothing tells who it was.
func byOf(o question.Outcome) *By {
	if o.By.Kind == "" {
		return nil
	}
	return &By{o.By.Kind, o.By.Name, o.By.User}
}

// answerOf tells labels, which are options, from typed texts, which are not.
func answerOf(item question.Item, labels []string) Answer {
	a := Answer{Question: item.ID, Selected: []string{}}
	var texts []string
	for _, label := range labels {
		n := slices.IndexFunc(item.Options, func(o question.Option) bool { return o.Label == label })
		if n < 0 {
			texts = append(texts, label)
			continue
		}
		a.Selected = append(a.Selected, item.Options[n].ID)
	}
	a.Text = strings.Join(texts, "\n")
	return a
}
