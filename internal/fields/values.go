package fields

import "strconv"

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

func trueValue(answer []string) any { return answer[0] == True }

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

func noText(any) ([]string, bool) { return nil, false }
