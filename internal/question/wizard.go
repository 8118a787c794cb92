package question

import (
	"errors"
	"slices"
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
	Action Action
	Rev    int // the revision it was made on; ignored for Say
	Item   int
	Option int
	On     bool
	Text   string
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
	Options []int    // indices, ascending: labels need not be unique
	Texts   []string // typed answers, in order
	Skipped bool     // of a field: no answer is wanted, and there is none
}

// Wizard is the conversation about one request: which item is asked, and what
// was chosen so far. The zero value is its beginning. It is shared by all chats
// that show the request.
type Wizard struct {
	State   State
	Step    int         // the item asked now; len(items) is the review; of a permission: StepGrant and so on
	Rev     int         // changes whenever the meaning of a button on screen may change
	Page    int         // page of options on screen
	Typing  bool        // the person said that they want to type
	Choices []Choice    // one an item, or fewer: missing ones are empty
	Last    WizardInput // what was applied last
	Notice  Notice      // why the same step is asked again; empty kind: it is not

	Dismissing bool // the person is asked whether to dismiss; the step is what Back returns to
	Reviewed   bool // an answer on the review is changed: the review comes again, also for one item
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
		review := w.Step >= len(r.Items) // one item has none, unless it is answered late
		return m.Item >= 0 && m.Item < len(r.Items) && (len(r.Items) > 1 || review) && w.Asked(r)[m.Item]
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
	if len(r.Items) == 1 && !w.Reviewed {
		w.close(Answered)
		return
	}
	w.goTo(len(r.Items))
}

// change goes to another step by a button: back from the second step of a dismissal, or to an answer that is to be
// changed. From the review it leads back to the review.
func (w *Wizard) change(r Request, step int) {
	if w.Dismissing {
		w.leaveDismissal()
		return
	}
	w.Reviewed = w.Reviewed || w.Step >= len(r.Items)
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
