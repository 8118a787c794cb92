package question

import (
	"slices"
	"strings"
)

// Notice says why a step is asked again. As an error it means that the input was
// understood and refused, with the reason now in the wizard.
type Notice struct {
	Kind    NoticeKind `json:"kind,omitzero"`
	Item    int        `json:"item,omitzero"`
	Options []int      `json:"options,omitzero"` // the options that the text may mean, ascending; for Ambiguous
	Text    string     `json:"text,omitzero"`    // what was typed, where the kind says nothing else
}

// NoticeKind is the closed set of reasons to ask a step again.
type NoticeKind string

const (
	PickOne     NoticeKind = "pick-one"      // nothing is chosen
	Ambiguous   NoticeKind = "ambiguous"     // the text may mean several options
	NotAnOption NoticeKind = "not-an-option" // no option fits and the item takes no other text
	NoNumber    NoticeKind = "no-number"     // no option has the number, and the item takes other text
	OnlyOne     NoticeKind = "only-one"      // several were named where one is taken
	TapButton   NoticeKind = "tap-button"    // words are not taken here
	TapSend     NoticeKind = "tap-send"      // everything is answered; only Send or a change is left
	LostRight   NoticeKind = "lost-right"    // who decided lost the right to before it was sent; Text is their name

	// Of fields.
	NotAccepted NoticeKind = "not-accepted" // the text is not what the field takes
	TooFew      NoticeKind = "too-few"      // more are to be chosen
	TooMany     NoticeKind = "too-many"     // fewer are to be chosen
	NotAsked    NoticeKind = "not-asked"    // earlier answers make it needless; of answers by programs alone
	Refused     NoticeKind = "refused"      // OpenCode's server does not take the answers; Text is what it says
)

func (n *Notice) Error() string { return "asked again: " + string(n.Kind) }

// say applies typed text to the step on screen. Text alone is a whole answer;
// after "Type an answer" on an item that takes several, it is added to them.
func (w *Wizard) say(r Request, text string) Notice {
	if r.Admission != nil {
		return Notice{Kind: TapButton, Text: text}
	}
	if w.Step >= len(r.Items) {
		return Notice{Kind: TapSend, Item: w.Step, Text: text}
	}
	item := r.Items[w.Step]
	read, notice := item.understand(text)
	if notice.Kind != "" {
		notice.Item = w.Step
		return notice
	}
	if !item.Multiple {
		w.take(r, read)
		return Notice{}
	}
	adding := w.Typing && !item.cancels(read)
	together := w.Choices[w.Step].with(read)
	if item.takesOne() {
		together = read
	}
	if item.tooMany(together) {
		return Notice{Kind: TooMany, Item: w.Step, Text: text}
	}
	w.Choices[w.Step] = together
	w.Typing = false
	w.Rev++
	if !adding {
		w.advance(r)
	}
	return Notice{}
}

func (i Item) understand(text string) (Choice, Notice) {
	if i.Field != nil {
		return i.readField(text)
	}
	return i.read(text)
}

// with adds more to what is chosen. What is there already is not added twice.
func (c Choice) with(more Choice) Choice {
	options := append(slices.Clone(c.Options), more.Options...)
	slices.Sort(options)
	texts := slices.Clone(c.Texts)
	for _, text := range more.Texts {
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return Choice{Options: slices.Compact(options), Texts: texts}
}

// read understands typed text as an answer to the item. In this order: where options
// could be meant, quoted text as it is; a label, to the letter or but for its case,
// or an option's number; for items that take several, a list of those; a part of one
// label; any other text, as it is. Of a list in an ask to hermes itself, only what is
// known counts. Text that may mean two options is refused as
// Ambiguous, and a number that no option has as NoNumber: it is more likely a slip than an answer. Quotes that are part of a label, or of an answer to an item without
// options, are no quotes.
func (i Item) read(text string) (Choice, Notice) {
	said := strings.TrimSpace(text)
	if said == "" {
		return Choice{}, Notice{Kind: PickOne, Text: text}
	}
	inner, quoted := unquote(said)
	switch {
	case quoted && i.is(said) != nil:
		return Choice{Options: i.is(said)}, Notice{}
	case quoted && i.is(inner) != nil:
		return Choice{Options: i.is(inner)}, Notice{}
	case quoted && len(i.Options) > 0 && i.Custom:
		return Choice{Texts: []string{inner}}, Notice{}
	case quoted && len(i.Options) > 0:
		said = strings.TrimSpace(inner)
	}
	return i.loosely(said, text)
}

// loosely reads text that is no label to the letter.
func (i Item) loosely(said, text string) (Choice, Notice) {
	if found := i.exactly(said); len(found) > 0 {
		return only(found, text)
	}
	switch parts := i.list(said); {
	case len(parts) > 0 && i.Multiple, len(parts) == 1:
		return all(parts, text)
	case len(parts) > 1 && (!i.TakesText() || numbers(said)):
		return Choice{}, Notice{Kind: OnlyOne, Text: text}
	}
	if found := i.containing(said); len(found) > 0 {
		return only(found, text)
	}
	if known := i.known(said); len(known) > 0 {
		return all(known, text)
	}
	switch {
	case i.TakesText() && len(i.Options) > 0 && len(i.NoOptions(said)) > 0:
		return Choice{}, Notice{Kind: NoNumber, Text: text}
	case i.TakesText():
		return Choice{Texts: []string{text}}, Notice{}
	}
	return Choice{}, Notice{Kind: NotAnOption, Text: text}
}

// only takes the option that was found, if it is the only one.
func only(found []int, text string) (Choice, Notice) {
	if len(found) > 1 {
		return Choice{}, Notice{Kind: Ambiguous, Options: found, Text: text}
	}
	return Choice{Options: found}, Notice{}
}

// all takes what each part of a list means, if that is clear for every part.
func all(parts [][]int, text string) (Choice, Notice) {
	var together Choice
	for _, found := range parts {
		one, notice := only(found, text)
		if notice.Kind != "" {
			return Choice{}, notice
		}
		together = together.with(one)
	}
	return together, Notice{}
}

// unquote takes the quotes off a text that is quoted as a whole, and not merely
// begins and ends with a quote: "a" and "b" is no quoted text.
func unquote(text string) (string, bool) {
	for _, q := range [...][2]string{
		{`"`, `"`},
		{"'", "'"},
		{"\u201c", "\u201d"},
		{"\u2018", "\u2019"},
		{"\u201e", "\u201c"},
		{"\u201e", "\u201d"},
		{"«", "»"},
		{"「", "」"},
		{"『", "』"},
	} {
		inner, opened := strings.CutPrefix(text, q[0])
		inner, closed := strings.CutSuffix(inner, q[1])
		if opened && closed && inner != "" && !strings.ContainsAny(inner, q[0]+q[1]) {
			return inner, true
		}
	}
	return "", false
}
