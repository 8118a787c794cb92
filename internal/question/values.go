package question

import "hermes/internal/fields"

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
