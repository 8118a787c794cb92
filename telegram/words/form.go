package words

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/fields"
	"hermes/internal/question"
)

// Form are the texts about forms, in one language: what programs that work for OpenCode ask, and no agent.
type Form struct {
	// Buttons.
	Skip, UseDefault string
	Yes, No, Opened  string // the values of such fields; Opened is Done

	// Who asks.
	Server  string // the MCP server's name
	Program string // the form's title

	// A field.
	Send       string // what it takes, as Accepts has it
	Optional   string
	Default    string // the answer
	Open       string // host: in place of the header of an address
	Address    string // host; the address stands below
	Doubtful   string // the address stands below
	WhenOpened string
	Unknown    string
	Choose     Bounds // how many

	// What fields take.
	Kinds    map[fields.Kind]string // of those that take typed text
	Formats  map[fields.Format]string
	Numbers  Ranges
	Lengths  Ranges
	Matching string // what, the pattern

	// Notices.
	TapButton  string
	DoesNotFit string // the typed text
	TooFew     string // number
	TooMany    string // number
	Refused    string // what the server says

	Instead Instead
}

// Bounds say how many there may be, or must.
type Bounds struct {
	Between string // least, most
	Exactly string // number
	Least   string // number
	Most    string // number
}

// Ranges are Bounds of something.
type Ranges struct {
	Between string // what, least, most
	Exactly string // what, number
	Least   string // what, number
	Most    string // what, number
}

// Instead are the texts of a form in place of those of a question.
type Instead struct {
	Form, Numbered string
	OfItems        string // number, count
	Decline        string // button
	Sure           string // whether to decline
	Declined       string
	Kept           string
	By             string // name, time
	ByCaller       string // name, time
	ByAPI          string // time
	There          string // time
	Nobody         string // duration
	NotUsed        string // name
	Unsure         string // name
	Chose          string // name, time
	Void, Gone     string
	NoSuch         string
	Stale          string
}

// ForForm is the table for a form: who answers none of it declines it.
func (w Table) ForForm() Table {
	d := w.Form.Instead
	w.Question, w.Numbered, w.OfItems, w.Dismiss = d.Form, d.Numbered, d.OfItems, d.Decline
	w.Dismissal.Sure = d.Sure
	w.Dismissed, w.KeptNo = d.Declined, d.Kept
	w.DismissedBy, w.DismissedAPI, w.DismissedByAPI, w.DismissedThere = d.By, d.ByCaller, d.ByAPI, d.There
	w.NobodyReject, w.NobodyAsk, w.NobodyEnds = d.Nobody, d.Nobody, d.Nobody // no turn of the agent ends with it
	w.NotUsedNo, w.UnsureNo, w.AlertChoseNo = d.NotUsed, d.Unsure, d.Chose
	w.NoSuch, w.Stale = d.NoSuch, d.Stale
	ended := map[question.OutcomeKind]string{}
	for kind, text := range w.Ended {
		ended[kind] = text
	}
	ended[question.OutcomeVoid], ended[question.OutcomeUnknown] = d.Void, d.Gone
	w.Ended = ended
	return w
}

// Accepts says what typed text the field takes: a whole number from 1 to 10. It quotes a pattern as pattern makes it.
func (w Table) Accepts(f fields.Field, pattern func(string) string) string {
	what, measure := w.Form.Kinds[f.Kind], w.Form.Numbers
	if f.Kind == fields.String {
		measure = w.Form.Lengths
	}
	if f.Format != fields.AnyText {
		what = w.Form.Formats[f.Format]
	}
	if f.Kind != fields.Multiselect {
		what = measure.of(what, f.Min, f.Max)
	}
	if f.Pattern != "" {
		what = fmt.Sprintf(w.Form.Matching, what, pattern(f.Pattern))
	}
	return what
}

// of says of what there may be so much.
func (r Ranges) of(what string, least, most *float64) string {
	switch {
	case least != nil && most != nil && *least == *most:
		return fmt.Sprintf(r.Exactly, what, Number(*least))
	case least != nil && most != nil:
		return fmt.Sprintf(r.Between, what, Number(*least), Number(*most))
	case least != nil:
		return fmt.Sprintf(r.Least, what, Number(*least))
	case most != nil:
		return fmt.Sprintf(r.Most, what, Number(*most))
	}
	return what
}

// Of says how many may be chosen; any: the text where nothing bounds that.
func (b Bounds) Of(least, most *float64, anyNumber string) string {
	if (least == nil || *least <= 1) && most == nil {
		return anyNumber
	}
	r := Ranges{"%.0s" + b.Between, "%.0s" + b.Exactly, "%.0s" + b.Least, "%.0s" + b.Most}
	return r.of("", least, most)
}

// Number is a number as people write it.
func Number(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	if len(text) > len("-9007199254740991.5") {
		return strings.Replace(strconv.FormatFloat(n, 'e', -1, 64), "e+", "e", 1)
	}
	return text
}
