package opencode2sim

import (
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"
)

// check says what is wrong with an answer whose values are strings, numbers, bools
// or lists of strings; empty is nothing. The words are those of captures 03 and 12;
// for what these do not show they are made alike.
func check(fields []data, answer data) string {
	for key := range answer {
		if fieldOf(fields, key) == nil {
			return "Unknown form field: " + key
		}
	}
	for _, f := range fields {
		if wrong := checkField(fields, f, answer); wrong != "" {
			return wrong
		}
	}
	return ""
}

func checkField(fields []data, f, answer data) string {
	key, _ := f["key"].(string)
	value, given := answer[key]
	active := isActive(f, answer)
	switch {
	case given && !active:
		return "Form field is not active: " + key
	case !active:
		return ""
	case f["type"] == "external":
		if value != true {
			return "External form field must be acknowledged: " + key
		}
		return ""
	case !given && f["required"] == true:
		return "Missing required form field: " + key
	case !given:
		return ""
	}
	return checkValue(f, key, value)
}

func fieldOf(fields []data, key string) data {
	for _, f := range fields {
		if f["key"] == key {
			return f
		}
	}
	return nil
}

// isActive tells whether all conditions of a field hold (section 3.4).
func isActive(f, answer data) bool {
	for _, when := range objects(f["when"]) {
		key, _ := when["key"].(string)
		if (answer[key] == when["value"]) != (when["op"] == "eq") {
			return false
		}
	}
	return true
}

func checkValue(f data, key string, value any) string {
	switch f["type"] {
	case "string":
		return checkString(f, key, value)
	case "number", "integer":
		return checkNumber(f, key, value)
	case "boolean":
		if _, ok := value.(bool); !ok {
			return "Expected boolean for form field: " + key
		}
	case "multiselect":
		return checkMany(f, key, value)
	}
	return ""
}

func checkString(f data, key string, value any) string {
	text, ok := value.(string)
	if !ok {
		return "Expected string for form field: " + key
	}
	if !offered(f, text) {
		return "Invalid option for form field: " + key
	}
	length := float64(utf8.RuneCountInString(text))
	if least, ok := number(f["minLength"]); ok && length < least {
		return "Form field is too short: " + key
	}
	if most, ok := number(f["maxLength"]); ok && length > most {
		return "Form field is too long: " + key
	}
	if pattern, ok := f["pattern"].(string); ok && !matches(pattern, text) {
		return "Form field does not match the pattern: " + key
	}
	if format, ok := f["format"].(string); ok && !hasFormat(format, text) {
		return fmt.Sprintf("Expected %s for form field: %s", format, key)
	}
	return ""
}

// offered tells whether a value is one of the options, or need not be one.
func offered(f data, text string) bool {
	options := objects(f["options"])
	if f["options"] == nil || f["custom"] == true {
		return true
	}
	return slices.ContainsFunc(options, func(o data) bool { return o["value"] == text })
}

func matches(pattern, text string) bool {
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString(text)
}

func hasFormat(format, text string) bool {
	switch format {
	case "email":
		a, err := mail.ParseAddress(text)
		return err == nil && a.Address == text
	case "uri":
		u, err := url.Parse(text)
		return err == nil && u.Scheme != ""
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339, text)
		return err == nil
	}
	return true
}

func checkNumber(f data, key string, value any) string {
	n, ok := value.(float64)
	if !ok {
		return fmt.Sprintf("Expected %s for form field: %s", f["type"], key)
	}
	if f["type"] == "integer" && n != math.Trunc(n) {
		return "Expected integer for form field: " + key
	}
	if least, ok := number(f["minimum"]); ok && n < least {
		return "Form field is too small: " + key
	}
	if most, ok := number(f["maximum"]); ok && n > most {
		return "Form field is too large: " + key
	}
	return ""
}

func checkMany(f data, key string, value any) string {
	items, ok := value.([]any)
	if !ok {
		return "Expected string array for form field: " + key
	}
	for _, item := range items {
		if text, _ := item.(string); !offered(f, text) {
			return "Invalid option for form field: " + key
		}
	}
	if least, ok := number(f["minItems"]); ok && float64(len(items)) < least {
		return "Form field has too few items: " + key
	}
	if most, ok := number(f["maxItems"]); ok && float64(len(items)) > most {
		return "Form field has too many items: " + key
	}
	return ""
}

// number reads a limit, which Go code may give as an int.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	}
	return 0, false
}

// objects reads a list of objects, from JSON or from Go.
func objects(v any) []data {
	switch l := v.(type) {
	case []data:
		return l
	case []any:
		var all []data
		for _, item := range l {
			if o, ok := item.(data); ok {
				all = append(all, o)
			}
		}
		return all
	}
	return nil
}
