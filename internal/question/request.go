package question

import (
	"crypto/rand"
	"encoding/base64"
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
	ID       RequestID         `json:"id,omitzero"`
	Protocol session.Protocol  `json:"protocol,omitzero"`
	Session  session.ID        `json:"session,omitzero"`
	Message  session.MessageID `json:"message,omitzero"` // of the tool call; may be empty
	Call     CallID            `json:"call,omitzero"`    // of the tool call; may be empty
	Agent    string            `json:"agent,omitzero"`   // who asks, as OpenCode names its agents; empty: not known
	Items    []Item            `json:"items,omitzero"`

	Permission *Permission `json:"permission,omitzero"` // nil: it is a question; else it is a permission ask, of OpenCode or of a program
	Admission  *Admission  `json:"admission,omitzero"`  // nil: it is one of these
	Form       *Form       `json:"form,omitzero"`       // nil: its Items are questions; else all of them are fields

	Context string `json:"context,omitzero"` // of an ask to hermes itself: what people should know before they answer; else empty
	Digest  string `json:"digest,omitzero"`  // of an ask that came with an idempotency key: of its body; else empty
}

// Item is one question of a request.
type Item struct {
	ID       string   `json:"id,omitzero"` // what the asker calls it: of an ask to hermes itself, and of a field; else empty
	Header   string   `json:"header,omitzero"`
	Text     string   `json:"text,omitzero"`
	Options  []Option `json:"options,omitzero"`
	Multiple bool     `json:"multiple,omitzero"` // any number of options, at least one
	Custom   bool     `json:"custom,omitzero"`   // the agent takes an answer that is no option

	Field *fields.Field `json:"field,omitzero"` // nil: it is a question
}

// Option is one choice. Its label is the answer, to the letter; of a field it is the ID.
type Option struct {
	Label       string `json:"label,omitzero"`
	Description string `json:"description,omitzero"`

	ID      string `json:"id,omitzero"`      // what the asker calls it: of an ask to hermes itself, and of a field; else empty
	Cancels bool   `json:"cancels,omitzero"` // to choose it cancels the ask
	Default bool   `json:"default,omitzero"` // it counts as the first choice
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

// ID is hermes' own name of a thread: twelve characters of base64url, random, so
// that it cannot be guessed from outside. It is persisted and stands in the data
// of every button. A new one does not begin with a hyphen, so that no command line
// takes it for a flag.
type ID string

// NewID mints an ID. It may be called concurrently.
func NewID() ID {
	var b [9]byte
	for {
		rand.Read(b[:]) // never fails: crypto/rand
		if id := base64.RawURLEncoding.EncodeToString(b[:]); id[0] != '-' {
			return ID(id)
		}
	}
}

// Valid reports whether the text has an ID's form. It says nothing of whether
// such a thread exists.
func (id ID) Valid() bool {
	b, err := base64.RawURLEncoding.DecodeString(string(id))
	return err == nil && len(b) == 9 && len(id) == 12
}

// Size is about how many bytes an ask takes, in memory or in the database: those of its texts.
func (r Request) Size() int {
	n := len(r.Context)
	for _, item := range r.Items {
		n += len(item.Header) + len(item.Text)
		for _, o := range item.Options {
			n += len(o.ID) + len(o.Label) + len(o.Description)
		}
		if f := item.Field; f != nil {
			n += len(f.Pattern) + len(f.URL)
			for _, text := range f.Default {
				n += len(text)
			}
		}
	}
	return n + r.Permission.size()
}

func (p *Permission) size() (n int) {
	if p == nil {
		return 0
	}
	n = len(p.Command) + len(p.Diff)
	for _, list := range [][]string{p.Patterns, p.Always, p.Paths()} {
		for _, text := range list {
			n += len(text)
		}
	}
	for _, d := range p.Details {
		n += len(d.Name) + len(d.Text)
	}
	return n
}
