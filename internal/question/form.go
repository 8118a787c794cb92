package question

import (
	"math"
	"slices"
)

// Form is what a request that is a form says of itself. A form is no question of the agent's model: a program that works
// for OpenCode asks it, such as an MCP server (an elicitation), and reads the answers by the fields' types.
type Form struct {
	Title  string // as who asks it calls it
	Kind   string // OpenCode's word for what asks, such as mcp-elicitation; may be empty
	Server string // the MCP server that asks; empty: not known, or none
}

// Field is what an item of a form takes. The item's ID is the field's key, and the ID of each of its options is the
// value that is sent; labels are what people see. Answers hold values as text: "2", "1.5", "true", "S". [FieldItem] makes
// such an item, [Values] makes of answers what is sent.
//
// The checks are those of OpenCode's server (its packages/core form.ts, and measured on the preview of 2.0).
type Field struct {
	Kind     FieldKind
	Required bool
	Format   TextFormat // of a FieldString
	Pattern  string     // of a FieldString: a regular expression in JavaScript's syntax; empty: any text

	// The least and the most, nil for none: the value of a number, the length of a text in UTF-16 units, and how
	// many may be chosen of a FieldMultiselect.
	Min, Max *float64

	Default []string // an answer to offer; nil: none
	URL     string   // of a FieldExternal
	When    []When   // the field is asked only if all of them are met
}

// When is a condition on an earlier field. It is not met where that has no answer, or is not asked itself.
type When struct {
	Key   string
	Not   bool // every other value than this one
	Value string
}

// FieldKind is the closed set of what fields take, in OpenCode's words. They are persisted. A new one is a constant here
// and its row in fieldRules.
type FieldKind string

const (
	FieldString      FieldKind = "string"
	FieldNumber      FieldKind = "number"
	FieldInteger     FieldKind = "integer"
	FieldBoolean     FieldKind = "boolean"
	FieldMultiselect FieldKind = "multiselect"
	FieldExternal    FieldKind = "external" // an address to open; it is answered when that is done
	FieldUnknown     FieldKind = "unknown"  // hermes does not know the kind: it cannot be answered here
)

// fieldRule is what one FieldKind takes.
type fieldRule struct {
	kind FieldKind
	// read is what a person's text means, as answers hold it; false: the field does not take it. It is not asked
	// about texts that name an option.
	read func(Field, string) (string, bool)
	// value is what is sent for an answer that the field takes.
	value func(answer []string) any
	// text is the inverse of value; false: the field has no such values.
	text func(value any) ([]string, bool)
}

func fieldRules() []fieldRule {
	return []fieldRule{
		{FieldString, readString, stringValue, stringText},
		{FieldNumber, readNumber, numberValue, numberText},
		{FieldInteger, readInteger, integerValue, numberText},
		{FieldBoolean, readNothing, trueValue, trueText},
		{FieldMultiselect, readAny, listValue, listText},
		{FieldExternal, readNothing, trueValue, trueText},
		{FieldUnknown, readNothing, listValue, noText},
	}
}

// FieldKinds are all of them.
func FieldKinds() []FieldKind {
	var all []FieldKind
	for _, r := range fieldRules() {
		all = append(all, r.kind)
	}
	return all
}

// rule is what k takes: nothing, if k is not known.
func (k FieldKind) rule() fieldRule {
	rules := fieldRules()
	i := slices.IndexFunc(rules, func(r fieldRule) bool { return r.kind == k })
	if i < 0 {
		return FieldUnknown.rule()
	}
	return rules[i]
}

// TextFormat is the closed set of forms that a FieldString may ask for, in OpenCode's words. They are persisted.
type TextFormat string

const (
	AnyText        TextFormat = ""
	FormatEmail    TextFormat = "email"
	FormatURI      TextFormat = "uri"
	FormatDate     TextFormat = "date"
	FormatDateTime TextFormat = "date-time"
)

// TextFormats are all of them but AnyText.
func TextFormats() []TextFormat {
	return []TextFormat{FormatEmail, FormatURI, FormatDate, FormatDateTime}
}

// The values of fields that are answered with yes or no, and of an address that was opened.
const (
	ValueTrue  = "true"
	ValueFalse = "false"
)

// FieldItem is the item of a field. options are those of a string or a multiselect, each with its value as ID; custom says
// that these take other texts too. Where the program's schema contradicts itself, the item follows what OpenCode's server
// would check: a default that the field does not take is none, and an address has always to be opened.
func FieldItem(key, title, description string, f Field, options []Option, custom bool) Item {
	if !slices.Contains(FieldKinds(), f.Kind) {
		f.Kind = FieldUnknown
	}
	if !slices.Contains(TextFormats(), f.Format) {
		f.Format = AnyText
	}
	f.Min, f.Max = finite(f.Min), finite(f.Max)
	item := Item{ID: key, Header: title, Text: description, Field: &f}
	switch f.Kind {
	case FieldString, FieldMultiselect:
		item.Options, item.Custom, item.Multiple = options, custom, f.Kind == FieldMultiselect
	case FieldBoolean:
		item.Options = []Option{{Label: "Yes", ID: ValueTrue}, {Label: "No", ID: ValueFalse}}
	case FieldExternal:
		item.Options = []Option{{Label: "Done", ID: ValueTrue}}
		f.Required, f.When, f.Default = true, nil, nil
	case FieldNumber, FieldInteger, FieldUnknown:
	}
	if item.whyNot(f.Default) != "" {
		f.Default = nil
	}
	return item
}

func finite(bound *float64) *float64 {
	if bound == nil || math.IsNaN(*bound) || math.IsInf(*bound, 0) {
		return nil
	}
	return bound
}

// Asked reports of each item whether it is asked, with these answers to the items before it. The items of a question
// always are.
func (r Request) Asked(a Answers) []bool {
	asked := make([]bool, len(r.Items))
	for i, item := range r.Items {
		asked[i] = item.Field == nil || !slices.ContainsFunc(item.Field.When, func(c When) bool {
			of := slices.IndexFunc(r.Items[:i], func(earlier Item) bool { return earlier.ID == c.Key })
			return of < 0 || !asked[of] || !c.met(a.at(of))
		})
	}
	return asked
}

func (c When) met(answer []string) bool {
	return len(answer) > 0 && slices.Contains(answer, c.Value) != c.Not
}

// whyNot says why a field does not take the answer; empty: it does.
func (i Item) whyNot(answer []string) NoticeKind {
	f, n := *i.Field, float64(len(answer))
	switch {
	case n == 0:
		return PickOne
	case f.Kind == FieldUnknown:
		return NotAccepted
	case f.Kind != FieldMultiselect && n > 1:
		return OnlyOne
	case f.Kind == FieldMultiselect && f.Min != nil && n < *f.Min:
		return TooFew
	case f.Kind == FieldMultiselect && f.Max != nil && n > *f.Max:
		return TooMany
	case slices.ContainsFunc(answer, func(text string) bool { return !i.takes(text) }):
		return NotAccepted
	}
	return ""
}

// takes reports whether the field takes one value. Only what reading it gives is one: 2, and not 2.0.
func (i Item) takes(text string) bool {
	if i.valued(text) >= 0 {
		return true
	}
	read, ok := i.Field.Kind.rule().read(*i.Field, text)
	return ok && read == text && i.TakesText()
}

// valued is the option with this value, -1 for none.
func (i Item) valued(value string) int {
	return slices.IndexFunc(i.Options, func(o Option) bool { return o.ID == value })
}

// Check says which item does not take its answer, and why. An empty kind: all of them do, and nothing is missing. It is
// for requests that are forms; answers to fields that are not asked do not fit either.
func (r Request) Check(a Answers) (item int, why NoticeKind) {
	asked := r.Asked(a)
	for i, it := range r.Items {
		answer := a.at(i)
		switch {
		case len(answer) == 0 && (!asked[i] || it.optional()):
			continue
		case !asked[i]:
			return i, NotAsked
		}
		if why := it.whyNotAny(answer); why != "" {
			return i, why
		}
	}
	return 0, ""
}

// whyNotAny is whyNot for any item.
func (i Item) whyNotAny(answer []string) NoticeKind {
	switch {
	case i.Field != nil:
		return i.whyNot(answer)
	case len(answer) == 0:
		return PickOne
	}
	return ""
}

func (i Item) optional() bool { return i.Field != nil && !i.Field.Required }
