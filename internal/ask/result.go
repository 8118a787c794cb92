package ask

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
)

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
