package question

import (
	"slices"

	"hermes/internal/fields"
)

// Form is what a request that is a form says of itself. A form is no question of the agent's model: a program that works
// for OpenCode asks it, such as an MCP server (an elicitation), and reads the answers by the fields' types.
type Form struct {
	Title  string `json:"title,omitzero"`  // as who asks it calls it
	Kind   string `json:"kind,omitzero"`   // OpenCode's word for what asks, such as mcp-elicitation; may be empty
	Server string `json:"server,omitzero"` // the MCP server that asks; empty: not known, or none
}

// FieldItem is the item of a field. options are those of a string or a multiselect, each with its value as ID; custom says
// that these take other texts too. Where the program's schema contradicts itself, the item follows what OpenCode's server
// would check: a default that the field does not take is none, and an address has always to be opened.
func FieldItem(key, title, description string, f fields.Field, options []Option, custom bool) Item {
	f = f.Normal()
	item := Item{ID: key, Header: title, Text: description, Field: &f}
	switch f.Kind {
	case fields.String, fields.Multiselect:
		item.Options, item.Custom, item.Multiple = options, custom, f.Kind == fields.Multiselect
	case fields.Boolean:
		item.Options = []Option{{Label: "Yes", ID: fields.True}, {Label: "No", ID: fields.False}}
	case fields.External:
		item.Options = []Option{{Label: "Done", ID: fields.True}}
		f.Required, f.When, f.Default = true, nil, nil
	case fields.Number, fields.Integer, fields.Unknown:
	}
	if item.whyNot(f.Default) != "" {
		f.Default = nil
	}
	return item
}

// Asked reports of each item whether it is asked, with these answers to the items before it. The items of a question
// always are.
func (r Request) Asked(a Answers) []bool {
	asked := make([]bool, len(r.Items))
	for i, item := range r.Items {
		asked[i] = item.Field == nil || !slices.ContainsFunc(item.Field.When, func(c fields.When) bool {
			of := slices.IndexFunc(r.Items[:i], func(earlier Item) bool { return earlier.ID == c.Key })
			return of < 0 || !asked[of] || !c.Met(a.at(of))
		})
	}
	return asked
}

// whyNot says why a field does not take the answer; empty: it does.
func (i Item) whyNot(answer []string) NoticeKind {
	f, n := *i.Field, float64(len(answer))
	switch {
	case n == 0:
		return PickOne
	case f.Kind == fields.Unknown:
		return NotAccepted
	case f.Kind != fields.Multiselect && n > 1:
		return OnlyOne
	case f.Kind == fields.Multiselect && f.Min != nil && n < *f.Min:
		return TooFew
	case f.Kind == fields.Multiselect && f.Max != nil && n > *f.Max:
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
	read, ok := i.Field.Read(text)
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

// readField understands typed text as an answer to the field: as an option where it names one, as for a question, else
// as the field's kind has it.
func (i Item) readField(text string) (Choice, Notice) {
	refused := Notice{Kind: NotAccepted, Text: text}
	if value, ok := i.Field.Spoken(text); ok {
		return Choice{Options: []int{i.valued(value)}}, Notice{}
	}
	if len(i.Options) == 0 {
		read, ok := i.Field.Read(text)
		if !ok {
			return Choice{}, refused
		}
		return Choice{Texts: []string{read}}, Notice{}
	}
	choice, notice := i.read(text)
	for n, typed := range choice.Texts {
		read, ok := i.Field.Read(typed)
		if !ok {
			return Choice{}, refused
		}
		choice.Texts[n] = read
	}
	return choice, notice
}

// Values are the answers as OpenCode's server takes them, by the fields' keys: a string, a float64, an int64, a bool or a
// []string, which JSON writes as 2, 1.5, true and ["a"]. Fields that are not asked, that have no answer, or that do not take
// what is there are left out, and so are items without an ID. An item that is no field is a string, or a []string where
// several may be chosen.
func Values(r Request, a Answers) map[string]any {
	values, asked := map[string]any{}, r.Asked(a)
	for i, item := range r.Items {
		answer := a.at(i)
		if item.ID == "" || !asked[i] || item.whyNotAny(answer) != "" {
			continue
		}
		switch {
		case item.Field != nil:
			values[item.ID] = item.Field.Kind.Value(answer)
		case item.Multiple:
			values[item.ID] = fields.Multiselect.Value(answer)
		default:
			values[item.ID] = fields.String.Value(answer)
		}
	}
	return values
}

// AnswersOf is the inverse of Values, for what OpenCode says was answered: values as encoding/json reads them into any, or
// as Values gives them. A value that is none of the field's kind is left out.
func AnswersOf(r Request, values map[string]any) Answers {
	answers := make(Answers, len(r.Items))
	for i, item := range r.Items {
		text := stringOrList
		if item.Field != nil {
			text = item.Field.Kind.Text
		}
		if value, ok := values[item.ID]; ok && item.ID != "" {
			answers[i], _ = text(value)
		}
	}
	return answers
}

// stringOrList reads the value of an item that is no field.
func stringOrList(value any) ([]string, bool) {
	if text, ok := fields.String.Text(value); ok {
		return text, true
	}
	return fields.Multiselect.Text(value)
}
