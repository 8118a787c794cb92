package question

import "strconv"

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
			values[item.ID] = item.Field.Kind.rule().value(answer)
		case item.Multiple:
			values[item.ID] = listValue(answer)
		default:
			values[item.ID] = stringValue(answer)
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
			text = item.Field.Kind.rule().text
		}
		if value, ok := values[item.ID]; ok && item.ID != "" {
			answers[i], _ = text(value)
		}
	}
	return answers
}

func stringValue(answer []string) any { return answer[0] }

func stringText(value any) ([]string, bool) {
	text, ok := value.(string)
	if !ok {
		return nil, false
	}
	return []string{text}, true
}

func numberValue(answer []string) any {
	n, _ := strconv.ParseFloat(answer[0], 64)
	return n
}

func integerValue(answer []string) any {
	n, _ := strconv.ParseFloat(answer[0], 64)
	return int64(n)
}

func numberText(value any) ([]string, bool) {
	switch n := value.(type) {
	case float64:
		return []string{numberOf(n)}, true
	case int64:
		return []string{numberOf(float64(n))}, true
	}
	return nil, false
}

func trueValue(answer []string) any { return answer[0] == ValueTrue }

func trueText(value any) ([]string, bool) {
	yes, ok := value.(bool)
	if !ok {
		return nil, false
	}
	return []string{strconv.FormatBool(yes)}, true
}

func listValue(answer []string) any { return append([]string{}, answer...) }

func listText(value any) ([]string, bool) {
	switch list := value.(type) {
	case []string:
		return list, true
	case []any:
		var all []string
		for _, one := range list {
			text, ok := one.(string)
			if !ok {
				return nil, false
			}
			all = append(all, text)
		}
		return all, true
	}
	return nil, false
}

func stringOrList(value any) ([]string, bool) {
	if text, ok := stringText(value); ok {
		return text, true
	}
	return listText(value)
}

func noText(any) ([]string, bool) { return nil, false }
