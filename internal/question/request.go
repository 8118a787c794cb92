package question

import (
	"slices"

	"hermes/internal/fields"
	"hermes/internal/session"
)

// RequestID is OpenCode's name of an ask: que_… for questions, per_… for permission
// asks; ask_… is hermes' own name of one that came to it directly. It names an ask only together with the process
// that announced it: another process that says the same id speaks of an ask of its own. Empty while only the
// tool call was seen.
type RequestID string

// CallID is the model provider's name of a tool call. Providers reuse them, so
// it identifies a call only together with its session and message.
type CallID string

// Request is one ask: one or more items that are answered together, once, or a
// permission, or an admission.
type Request struct {
	ID       RequestID
	Protocol session.Protocol
	Session  session.ID
	Message  session.MessageID // of the tool call; may be empty
	Call     CallID            // of the tool call; may be empty
	Agent    string            // who asks, as OpenCode names its agents; empty: not known
	Items    []Item

	Permission *Permission // nil: it is a question; else it is a permission ask, of OpenCode or of a program
	Admission  *Admission  // nil: it is one of these
	Form       *Form       // nil: its Items are questions; else all of them are fields

	Context string // of an ask to hermes itself: what people should know before they answer; else empty
	Digest  string // of an ask that came with an idempotency key: of its body; else empty
}

// Item is one question of a request.
type Item struct {
	ID       string // what the asker calls it: of an ask to hermes itself, and of a field; else empty
	Header   string
	Text     string
	Options  []Option
	Multiple bool // any number of options, at least one
	Custom   bool // the agent takes an answer that is no option

	Field *fields.Field // nil: it is a question
}

// Option is one choice. Its label is the answer, to the letter; of a field it is the ID.
type Option struct {
	Label       string
	Description string

	ID      string // what the asker calls it: of an ask to hermes itself, and of a field; else empty
	Cancels bool   // to choose it cancels the ask
	Default bool   // it counts as the first choice
}

// Answers holds one list of labels or typed texts per item, in the items' order; of fields it holds values as text, and
// nothing for those that were skipped or are not asked.
type Answers [][]string

// TakesText reports whether the item may be answered in words of one's own. An
// item without options always may: there is no other way to answer it.
func (i Item) TakesText() bool {
	return (i.Custom || len(i.Options) == 0) && (i.Field == nil || i.Field.Kind != fields.Unknown)
}

// Equal reports whether both say the same, item by item and in order. A missing
// list equals an empty one, as OpenCode treats both as unanswered.
func (a Answers) Equal(b Answers) bool {
	for i := range max(len(a), len(b)) {
		if !equalLists(a.at(i), b.at(i)) {
			return false
		}
	}
	return true
}

func (a Answers) at(i int) []string {
	if i < len(a) {
		return a[i]
	}
	return nil
}

func equalLists(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// FirstChoice answers every item with its first choice. It reports false when an item
// has none, for a permission, and for a form.
func (r Request) FirstChoice(recommended bool) (Answers, bool) {
	answers := make(Answers, 0, len(r.Items))
	for _, item := range r.Items {
		label, ok := item.FirstChoice(recommended)
		if !ok {
			return nil, false
		}
		answers = append(answers, []string{label})
	}
	return answers, len(answers) > 0
}

// Cancelling is the first of the item's options that is among the labels and cancels
// the ask. It reports false if none does.
func (i Item) Cancelling(labels []string) (Option, bool) {
	for _, o := range i.Options {
		if o.Cancels && slices.Contains(labels, o.Label) {
			return o, true
		}
	}
	return Option{}, false
}

// Cancelled reports whether one of the answers cancels the ask.
func (r Request) Cancelled(answers Answers) bool {
	for n, item := range r.Items {
		if _, ok := item.Cancelling(answers.at(n)); ok {
			return true
		}
	}
	return false
}

// WithLinks is the ask, with these links of its files in place of its own. Only a plugin tells of them.
func (r Request) WithLinks(links []FileLink) Request {
	if r.Permission != nil {
		p := *r.Permission
		p.Links = links
		r.Permission = &p
	}
	return r
}

// Links are the files that the ask says are elsewhere than their names say.
func (r Request) Links() []FileLink {
	if r.Permission == nil {
		return nil
	}
	return r.Permission.Links
}

// Base is what the ask itself says, without what was read of its tool call.
func (r Request) Base() Request {
	r.Agent = ""
	if r.Permission != nil {
		r.Permission = &Permission{Kind: r.Permission.Kind, Patterns: r.Permission.Patterns, Always: r.Permission.Always}
	}
	return r
}
