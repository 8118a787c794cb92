package question

import (
	"errors"
	"slices"
	"strings"
	"time"

	"hermes/internal/retry"
)

// What Apply says of an input that it did not take.
var (
	// ErrStale is an input for an older step of the conversation.
	ErrStale = errors.New("the input belongs to an older step of the question")
	// ErrRepeated is the very input that was applied last: a double tap, or one
	// that Telegram's client sent again. It has no effect and needs no complaint.
	ErrRepeated = errors.New("the input was applied already")
	// ErrUnknown is an input that fits no item or option: forged, or a bug.
	ErrUnknown = errors.New("the input names nothing in the question")
	// ErrClosed is an input to a wizard that was completed.
	ErrClosed = errors.New("the question was answered already")
)

// Action is what a person does with a step.
type Action string

const (
	Pick    Action = "pick"    // choose Option of Item; where several may be chosen, set it to On
	Drop    Action = "drop"    // remove the typed text number Option of Item
	Go      Action = "go"      // to the step Item; Back, and "change number n" on the review
	Done    Action = "done"    // finish Item as it stands; Next, and Done
	Page    Action = "page"    // show page Option of the options
	Type    Action = "type"    // ask for words of one's own, or take that back
	Send    Action = "send"    // send what the review shows
	Dismiss Action = "dismiss" // refuse the whole request; of questions: ask whether to, and On: be sure
	Say     Action = "say"     // typed Text

	Skip       Action = "skip"    // of a field: no answer
	UseDefault Action = "default" // of a field: the answer that it offers

	// These are no steps of the conversation.
	Take Action = "take" // claims the request (On), or releases it
	Undo Action = "undo" // takes back what a rule has decided
)

// WizardInput is one input to a wizard. It is comparable.
type WizardInput struct {
	Action Action `json:"action,omitzero"`
	Rev    int    `json:"rev,omitzero"` // the revision it was made on; ignored for Say
	Item   int    `json:"item,omitzero"`
	Option int    `json:"option,omitzero"`
	On     bool   `json:"on,omitzero"`
	Text   string `json:"text,omitzero"`
}

// State is how far a wizard is.
type State string

const (
	Asking    State = ""
	Answered  State = "answered"
	Dismissed State = "dismissed"
)

// Choice is what was chosen for one item.
type Choice struct {
	Options []int    `json:"options,omitzero"` // indices, ascending: labels need not be unique
	Texts   []string `json:"texts,omitzero"`   // typed answers, in order
	Skipped bool     `json:"skipped,omitzero"` // of a field: no answer is wanted, and there is none
}

// Wizard is the conversation about one request: which item is asked, and what
// was chosen so far. The zero value is its beginning. It is shared by all chats
// that show the request.
type Wizard struct {
	State   State       `json:"state,omitzero"`
	Step    int         `json:"step,omitzero"`    // the item asked now; len(items) is the review; of a permission: StepGrant and so on
	Rev     int         `json:"rev,omitzero"`     // changes whenever the meaning of a button on screen may change
	Page    int         `json:"page,omitzero"`    // page of options on screen
	Typing  bool        `json:"typing,omitzero"`  // the person said that they want to type
	Choices []Choice    `json:"choices,omitzero"` // one an item, or fewer: missing ones are empty
	Last    WizardInput `json:"last,omitzero"`    // what was applied last
	Notice  Notice      `json:"notice,omitzero"`  // why the same step is asked again; empty kind: it is not

	Dismissing bool `json:"dismissing,omitzero"` // the person is asked whether to dismiss; the step is what Back returns to
}

// Apply is the conversation's step. It returns the wizard after the move, or the
// unchanged wizard and an error that says why the move has no effect: one of the
// errors above, or a [*Notice]. A Notice comes with a changed wizard: it carries
// the notice, so that the same step is asked again with the reason on screen.
func (w Wizard) Apply(r Request, m WizardInput) (Wizard, error) {
	if err := w.check(r, m); err != nil {
		return w, err
	}
	if m.Action == Say {
		w.leaveDismissal() // also where the words are not taken
	}
	next := w
	next.Choices = w.copyChoices(r.choices())
	next.Notice = Notice{}
	if notice := next.do(r, m); notice.Kind != "" {
		w.Notice = notice
		return w, &w.Notice
	}
	next.Last = m
	return next, nil
}

func (w Wizard) check(r Request, m WizardInput) error {
	switch {
	case w.State != Asking && m.Action != Say && m == w.Last:
		return ErrRepeated
	case w.State != Asking:
		return ErrClosed
	case m.Action == Say:
		return nil
	case m.Rev != w.Rev && m == w.Last:
		return ErrRepeated
	case m.Rev != w.Rev:
		return ErrStale
	case !w.fits(r, m):
		return ErrUnknown
	}
	return nil
}

// fits reports whether the step on screen can have had a button for this move.
func (w Wizard) fits(r Request, m WizardInput) bool {
	if r.Permission != nil {
		return w.fitsGrant(r, m)
	}
	if w.Dismissing {
		return w.fitsDismissal(m)
	}
	onItem := w.Step < len(r.Items) && m.Item == w.Step
	switch m.Action {
	case Pick:
		return onItem && m.Option >= 0 && m.Option < len(r.Items[w.Step].Options)
	case Drop:
		return onItem && m.Option >= 0 && m.Option < len(w.choice(w.Step).Texts)
	case Page:
		return onItem && m.Option >= 0 && m.Option <= max(0, len(r.Items[w.Step].Options)-1)/PageSize
	case Type:
		return onItem && r.Items[w.Step].TakesText()
	case Done:
		return onItem
	case Skip:
		return onItem && r.Items[w.Step].optional()
	case UseDefault:
		return onItem && r.Items[w.Step].Field != nil && len(r.Items[w.Step].Field.Default) > 0
	case Go:
		return m.Item >= 0 && m.Item < len(r.Items) && len(r.Items) > 1 && w.Asked(r)[m.Item]
	case Send:
		return w.Step >= len(r.Items)
	case Dismiss:
		return !m.On
	}
	return false
}

func (w *Wizard) do(r Request, m WizardInput) Notice {
	if r.Permission != nil {
		return w.grant(r, m)
	}
	switch m.Action {
	case Pick:
		return w.pick(r, m)
	case Drop:
		w.drop(m)
	case Page:
		w.Page = m.Option
	case Type:
		w.Typing = m.On
	case Done:
		return w.finish(r)
	case Skip:
		w.take(r, Choice{Skipped: true})
	case UseDefault:
		w.take(r, r.Items[w.Step].choiceOf(r.Items[w.Step].Field.Default))
	case Go:
		w.change(r, m.Item)
	case Send:
		w.close(Answered)
	case Dismiss:
		w.dismiss(r, m.On)
	case Say:
		return w.say(r, m.Text)
	}
	return Notice{}
}

func (w *Wizard) pick(r Request, m WizardInput) Notice {
	if !r.Items[w.Step].Multiple {
		w.take(r, Choice{Options: []int{m.Option}})
		return Notice{}
	}
	if m.On && r.Items[w.Step].takesOne() {
		w.Choices[w.Step] = Choice{} // another one takes the place of the first
	}
	options := slices.DeleteFunc(slices.Clone(w.Choices[w.Step].Options), func(o int) bool { return o == m.Option })
	if m.On {
		options = append(options, m.Option)
		slices.Sort(options)
	}
	if m.On && r.Items[w.Step].tooMany(Choice{Options: options, Texts: w.Choices[w.Step].Texts}) {
		return Notice{Kind: TooMany, Item: w.Step}
	}
	w.Choices[w.Step].Options, w.Choices[w.Step].Skipped = options, false
	if r.Items[w.Step].cancels(w.Choices[w.Step]) {
		w.close(Answered)
	}
	return Notice{}
}

// take makes the choice the answer of the step on screen.
func (w *Wizard) take(r Request, c Choice) {
	w.Choices[w.Step] = c
	w.advance(r)
}

func (w *Wizard) drop(m WizardInput) {
	texts := slices.Clone(w.Choices[w.Step].Texts)
	w.Choices[w.Step].Texts = slices.Delete(texts, m.Option, m.Option+1)
	w.Rev++
}

func (w *Wizard) finish(r Request) Notice {
	item, c := r.Items[w.Step], w.choice(w.Step)
	if c.empty() && item.optional() {
		w.take(r, Choice{Skipped: true})
		return Notice{}
	}
	if why := item.whyNotAny(c.values(item)); why != "" {
		return Notice{Kind: why, Item: w.Step}
	}
	w.advance(r)
	return Notice{}
}

// advance leaves the step on screen: to the next item without an answer, else to
// the review. A request of one item needs no review, and one that is cancelled needs
// no other answers.
func (w *Wizard) advance(r Request) {
	if r.Items[w.Step].cancels(w.choice(w.Step)) {
		w.close(Answered)
		return
	}
	if !r.Items[w.Step].answeredBy(w.choice(w.Step)) {
		w.goTo(w.Step) // more is to be chosen
		return
	}
	asked := w.Asked(r)
	for i := range r.Items {
		next := (w.Step + 1 + i) % len(r.Items)
		if asked[next] && !r.Items[next].answeredBy(w.choice(next)) {
			w.goTo(next)
			return
		}
	}
	if len(r.Items) == 1 {
		w.close(Answered)
		return
	}
	w.goTo(len(r.Items))
}

// change goes to another step by a button: back from the second step of a dismissal, or to an answer that is to be
// changed.
func (w *Wizard) change(r Request, step int) {
	if w.Dismissing {
		w.leaveDismissal()
		return
	}
	w.goTo(step)
}

func (w *Wizard) goTo(step int) {
	w.Step, w.Page, w.Typing = step, 0, false
	w.Rev++
}

func (w *Wizard) close(s State) {
	w.State, w.Typing, w.Dismissing = s, false, false
	w.Rev++
}

func (w Wizard) choice(item int) Choice {
	if item < len(w.Choices) {
		return w.Choices[item]
	}
	return Choice{}
}

// choices is how many choices the conversation makes.
func (r Request) choices() int {
	if r.Permission != nil {
		return 1
	}
	return len(r.Items)
}

func (w Wizard) copyChoices(n int) []Choice {
	choices := make([]Choice, n)
	copy(choices, w.Choices)
	return choices
}

func (c Choice) empty() bool { return len(c.Options)+len(c.Texts) == 0 }

// answeredBy reports whether nothing is missing of the item.
func (i Item) answeredBy(c Choice) bool {
	return c.empty() && c.Skipped && i.optional() || i.whyNotAny(c.values(i)) == ""
}

// tooMany reports whether a field of which several may be chosen takes fewer than these.
func (i Item) tooMany(c Choice) bool {
	return i.Field != nil && i.Multiple && i.Field.Max != nil && float64(len(c.Options)+len(c.Texts)) > *i.Field.Max
}

// takesOne reports whether no more than one of several may be chosen.
func (i Item) takesOne() bool {
	return i.Field != nil && i.Multiple && i.Field.Max != nil && *i.Field.Max == 1
}

// choiceOf is the choice that an answer to the item stands for.
func (i Item) choiceOf(answer []string) Choice {
	var c Choice
	for _, text := range answer {
		o := slices.IndexFunc(i.Options, func(o Option) bool { return o.answer(i) == text })
		if o >= 0 {
			c.Options = append(c.Options, o)
		} else {
			c.Texts = append(c.Texts, text)
		}
	}
	slices.Sort(c.Options)
	c.Options = slices.Compact(c.Options)
	return c
}

// cancels reports whether the choice has an option that cancels the ask.
func (i Item) cancels(c Choice) bool {
	return slices.ContainsFunc(c.Options, func(o int) bool { return i.Options[o].Cancels })
}

// Has reports whether the option with this index is chosen.
func (c Choice) Has(option int) bool { return slices.Contains(c.Options, option) }

// Answers are the labels and texts chosen so far, one list an item. A field that is not asked has none, also when it was
// asked before and something was chosen.
func (w Wizard) Answers(r Request) Answers {
	if r.Permission != nil {
		return w.granted()
	}
	if r.Admission != nil {
		return Answers{{LetIn}}
	}
	answers := w.chosen(r)
	for i, asked := range r.Asked(answers) {
		if !asked {
			answers[i] = []string{}
		}
	}
	return answers
}

// chosen is what was chosen for each item, whether it is asked or not.
func (w Wizard) chosen(r Request) Answers {
	answers := make(Answers, len(r.Items))
	for i, item := range r.Items {
		answers[i] = w.choice(i).values(item)
	}
	return answers
}

// Asked reports of each item whether it is asked, with what is chosen so far.
func (w Wizard) Asked(r Request) []bool { return r.Asked(w.chosen(r)) }

// values are what answers hold of the choice.
func (c Choice) values(item Item) []string {
	values := make([]string, 0, len(c.Options)+len(c.Texts))
	for _, o := range c.Options {
		values = append(values, item.Options[o].answer(item))
	}
	return append(values, c.Texts...)
}

// answer is what answers hold of the option.
func (o Option) answer(of Item) string {
	if of.Field != nil {
		return o.ID
	}
	return o.Label
}

// Stage is how far an ask has come, for those who watch hermes. The words are the values of a metric's label.
type Stage string

// The stages. Every thread is in one.
const (
	StageUnseen   Stage = "unseen"   // open, and no chat shows it
	StageShown    Stage = "shown"    // open, and a chat shows it
	StageHeld     Stage = "held"     // decided, and not sent yet: it may be taken back
	StageDeciding Stage = "deciding" // decided and owed to OpenCode, which has not proven that it took it
	StageEnded    Stage = "ended"    // ended, and some messages may not tell it yet
)

// Stages are all of them.
func Stages() []Stage {
	return []Stage{StageUnseen, StageShown, StageHeld, StageDeciding, StageEnded}
}

// Stage is how far it has come. One that another leads (Leader) has no cards of its own: it is shown where that one is.
func (t Thread) Stage() Stage {
	switch {
	case t.Settled():
		return StageEnded
	case t.IsHeld():
		return StageHeld
	case t.Decision != nil:
		return StageDeciding
	case t.Shown():
		return StageShown
	}
	return StageUnseen
}

// OwedSince is since when the decision is owed to OpenCode: since it was made, or since its hold has ended. There must be one.
func (t Thread) OwedSince() time.Time { return retry.Later(t.Decision.At, t.Delivery.From) }

// DueSince is since when chats ought to show it.
func (t Thread) DueSince() time.Time { return retry.Later(t.Asked, t.ShowAt) }

// A dismissal of questions cannot be taken back and may end the agent's turn, so it is asked for twice. The second
// step belongs to no item: it stands before the step that it was asked from, with all that was chosen, and Back
// returns there. Words never dismiss: whoever types goes on with the question.

// asksBeforeDismissal reports whether dismissing the request takes a second step. A permission that is rejected, and
// somebody who is not let in, can ask again; they take none.
func (r Request) asksBeforeDismissal() bool { return r.Permission == nil && r.Admission == nil }

// fitsDismissal reports whether the second step can have had a button for this move.
func (w Wizard) fitsDismissal(m WizardInput) bool {
	return m.Action == Dismiss && m.On || m.Action == Go && m.Item == w.Step
}

// dismiss asks before it dismisses, or dismisses.
func (w *Wizard) dismiss(r Request, sure bool) {
	if r.asksBeforeDismissal() && !sure {
		w.Dismissing = true
		w.Rev++
		return
	}
	w.Dismissing = false
	w.close(Dismissed)
}

// leaveDismissal returns to the step that the second step was asked from.
func (w *Wizard) leaveDismissal() {
	if w.Dismissing {
		w.Dismissing = false
		w.Rev++
	}
}

// Prepared reports whether anything was chosen so far that a dismissal discards.
func (w Wizard) Prepared() bool {
	for _, c := range w.Choices {
		if !c.empty() {
			return true
		}
	}
	return false
}

// FirstChoice is the label that counts as the item's first choice: of the option that
// the asker marked as the default, else, if recommended ones are preferred, of the
// first whose label says that it is recommended, else of the first one. It reports
// false when the item has no option, and for a field: what comes first in a form is no advice.
func (i Item) FirstChoice(recommended bool) (string, bool) {
	if len(i.Options) == 0 || i.Field != nil {
		return "", false
	}
	n := slices.IndexFunc(i.Options, func(o Option) bool { return o.Default })
	if n < 0 && recommended {
		n = slices.IndexFunc(i.Options, func(o Option) bool { return Unmarked(o.Label) != o.Label })
	}
	return i.Options[max(0, n)].Label, true
}

// Unmarked is the label without the mark that agents recommend an option with, such
// as "(Recommended)" at its end; without one it is the label, to the letter.
func Unmarked(label string) string {
	lower := strings.ToLower(label)
	for _, mark := range []string{"(recommended)", "[recommended]", "(推荐)", "\uff08推荐\uff09"} {
		at := strings.LastIndex(lower, mark)
		if at >= 0 && len(lower) == len(label) {
			return strings.TrimSpace(strings.TrimSpace(label[:at]) + label[at+len(mark):])
		}
	}
	return label
}

// Alternatives lists the words of a closed set as a sentence does: a, b or c. Each stands
// between two of the quotes, which may be empty.
func Alternatives[T ~string](words []T, quote string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote + string(w) + quote
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
