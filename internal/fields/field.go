package fields

import (
	"math"
	"slices"
)

// Field is what an item of a form takes. Answers hold values as text: "2", "1.5", "true", "S".
//
// The checks are those of OpenCode's server (its packages/core form.ts, and measured on the preview of 2.0).
type Field struct {
	Kind     Kind   `json:"kind,omitzero"`
	Required bool   `json:"required,omitzero"`
	Format   Format `json:"format,omitzero"`  // of a String
	Pattern  string `json:"pattern,omitzero"` // of a String: a regular expression in JavaScript's syntax; empty: any text

	// The least and the most, nil for none: the value of a number, the length of a text in UTF-16 units, and how
	// many may be chosen of a Multiselect.
	Min *float64 `json:"min,omitzero"`
	Max *float64 `json:"max,omitzero"`

	Default []string `json:"default,omitzero"` // an answer to offer; nil: none
	URL     string   `json:"url,omitzero"`     // of an External
	When    []When   `json:"when,omitzero"`    // the field is asked only if all of them are met
}

// When is a condition on an earlier field. It is not met where that has no answer, or is not asked itself.
type When struct {
	Key   string `json:"key,omitzero"`
	Not   bool   `json:"not,omitzero"` // every other value than this one
	Value string `json:"value,omitzero"`
}

// Kind is the closed set of what fields take, in OpenCode's words. They are persisted. A new one is a constant here
// and its row in kindRules.
type Kind string

const (
	String      Kind = "string"
	Number      Kind = "number"
	Integer     Kind = "integer"
	Boolean     Kind = "boolean"
	Multiselect Kind = "multiselect"
	External    Kind = "external" // an address to open; it is answered when that is done
	Unknown     Kind = "unknown"  // hermes does not know the kind: it cannot be answered here
)

// kindRule is what one Kind takes.
type kindRule struct {
	kind Kind
	// read is what a person's text means, as answers hold it; false: the field does not take it. It is not asked
	// about texts that name an option.
	read func(Field, string) (string, bool)
	// value is what is sent for an answer that the field takes.
	value func(answer []string) any
	// text is the inverse of value; false: the field has no such values.
	text func(value any) ([]string, bool)
}

func kindRules() []kindRule {
	return []kindRule{
		{String, readString, stringValue, stringText},
		{Number, readNumber, numberValue, numberText},
		{Integer, readInteger, integerValue, numberText},
		{Boolean, readNothing, trueValue, trueText},
		{Multiselect, readAny, listValue, listText},
		{External, readNothing, trueValue, trueText},
		{Unknown, readNothing, listValue, noText},
	}
}

// Kinds are all of them.
func Kinds() []Kind {
	var all []Kind
	for _, r := range kindRules() {
		all = append(all, r.kind)
	}
	return all
}

// rule is what k takes: nothing, if k is not known.
func (k Kind) rule() kindRule {
	rules := kindRules()
	i := slices.IndexFunc(rules, func(r kindRule) bool { return r.kind == k })
	if i < 0 {
		return Unknown.rule()
	}
	return rules[i]
}

// Format is the closed set of forms that a String may ask for, in OpenCode's words. They are persisted.
type Format string

const (
	AnyText  Format = ""
	Email    Format = "email"
	URI      Format = "uri"
	Date     Format = "date"
	DateTime Format = "date-time"
)

// Formats are all of them but AnyText.
func Formats() []Format {
	return []Format{Email, URI, Date, DateTime}
}

// The values of fields that are answered with yes or no, and of an address that was opened.
const (
	True  = "true"
	False = "false"
)

// Normal is the field with what hermes does not know left out: of a kind that is none of Kinds it is Unknown.
func (f Field) Normal() Field {
	if !slices.Contains(Kinds(), f.Kind) {
		f.Kind = Unknown
	}
	if !slices.Contains(Formats(), f.Format) {
		f.Format = AnyText
	}
	f.Min, f.Max = finite(f.Min), finite(f.Max)
	return f
}

func finite(bound *float64) *float64 {
	if bound == nil || math.IsNaN(*bound) || math.IsInf(*bound, 0) {
		return nil
	}
	return bound
}

// Read is what a text means as an answer, as answers hold it; false: the field does not take it. It is not asked about
// texts that name an option.
func (f Field) Read(text string) (answer string, ok bool) { return f.Kind.rule().read(f, text) }

// Value is what is sent for an answer that the field takes: a string, a float64, an int64, a bool or a []string, which JSON
// writes as 2, 1.5, true and ["a"].
func (k Kind) Value(answer []string) any { return k.rule().value(answer) }

// Text is the inverse of Value, of values as encoding/json reads them into any, or as Value gives them; false: fields of
// this kind have no such values.
func (k Kind) Text(value any) (answer []string, ok bool) { return k.rule().text(value) }

// Met reports whether the condition is met where this is the answer to the earlier field.
func (c When) Met(answer []string) bool {
	return len(answer) > 0 && slices.Contains(answer, c.Value) != c.Not
}
