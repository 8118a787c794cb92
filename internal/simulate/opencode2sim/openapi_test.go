package opencode2sim_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// document is what is kept of the OpenAPI document that Preview serves: the answers of
// the routes that are simulated, and the events that were captured.
type document struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema any }
		}
	}
	Components struct{ Schemas map[string]any }

	compiled map[string]*regexp.Regexp
}

// pattern compiles a regular expression once.
func (d *document) pattern(text string) *regexp.Regexp {
	if d.compiled[text] == nil {
		d.compiled[text] = regexp.MustCompile(text)
	}
	return d.compiled[text]
}

func readDocument(t *testing.T) *document {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{compiled: map[string]*regexp.Regexp{}}
	if err := json.Unmarshal(raw, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// answer is what is wrong with the answer to a request, if the document knows the route.
func (d *document) answer(method, path, status, body string) string {
	path, _, _ = strings.Cut(path, "?")
	route, ok := d.Paths[d.template(path)]
	if !ok || body == "" || status == "401" {
		return ""
	}
	described, ok := route[strings.ToLower(method)].Responses[status]
	if !ok {
		return fmt.Sprintf("the document knows no %s answer to %s %s", status, method, path)
	}
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return ""
	}
	return d.check(described.Content["application/json"].Schema, v, "")
}

// template is the path of the document that a path is of.
func (d *document) template(path string) string {
	if _, ok := d.Paths[path]; ok {
		return path
	}
	for _, t := range slices.Sorted(maps.Keys(d.Paths)) {
		pattern := d.pattern(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(t), `[^/]+`)
		if d.pattern("^" + pattern + "$").MatchString(path) {
			return t
		}
	}
	return ""
}

// event is what is wrong with an event, if the document knows its type.
func (d *document) event(f map[string]any) string {
	kind := fmt.Sprint(f["type"])
	for _, name := range []string{kind, "V2Event." + kind} {
		if schema, ok := d.Components.Schemas[name]; ok {
			return d.check(schema, f, kind)
		}
	}
	return ""
}

// check is a small part of JSON Schema: what the document needs.
func (d *document) check(schema, v any, path string) string {
	s, ok := schema.(map[string]any)
	if !ok {
		return ""
	}
	if ref, ok := s["$ref"].(string); ok {
		name := ref[strings.LastIndex(ref, "/")+1:]
		return d.check(d.Components.Schemas[name], v, path)
	}
	for _, all := range listOf(s["allOf"]) {
		if wrong := d.check(all, v, path); wrong != "" {
			return wrong
		}
	}
	if wrong := d.checkAny(listOf(s["anyOf"]), v, path); wrong != "" {
		return wrong
	}
	if enum := listOf(s["enum"]); enum != nil && !slices.ContainsFunc(enum, func(e any) bool { return reflect.DeepEqual(e, v) }) {
		return fmt.Sprintf("%s: %v is none of %v", path, v, enum)
	}
	if pattern, ok := s["pattern"].(string); ok && !d.pattern(pattern).MatchString(fmt.Sprint(v)) {
		return fmt.Sprintf("%s: %v does not match %s", path, v, pattern)
	}
	return d.checkType(s, v, path)
}

func (d *document) checkAny(any []any, v any, path string) string {
	var wrongs []string
	for _, one := range any {
		wrong := d.check(one, v, path)
		if wrong == "" {
			return ""
		}
		wrongs = append(wrongs, wrong)
	}
	return strings.Join(wrongs, "\n  or ")
}

func (d *document) checkType(s map[string]any, v any, path string) string {
	kind, _ := s["type"].(string)
	if is := typeOf(v); kind != "" && is != kind && !(kind == "integer" && is == "number") {
		return fmt.Sprintf("%s: %s is no %s", path, show(v), kind)
	}
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			if wrong := d.check(s["items"], item, fmt.Sprintf("%s[%d]", path, i)); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		return d.checkObject(s, v, path)
	}
	return ""
}

func (d *document) checkObject(s, v map[string]any, path string) string {
	for _, key := range listOf(s["required"]) {
		if _, ok := v[fmt.Sprint(key)]; !ok {
			return fmt.Sprintf("%s: %v is missing in %s", path, key, show(v))
		}
	}
	known, _ := s["properties"].(map[string]any)
	for key, value := range v {
		schema, ok := known[key]
		if !ok {
			schema = s["additionalProperties"]
		}
		if schema == false {
			return fmt.Sprintf("%s: %s is not known", path, key)
		}
		if wrong := d.check(schema, value, path+"."+key); wrong != "" {
			return wrong
		}
	}
	return ""
}

func listOf(v any) []any {
	l, _ := v.([]any)
	return l
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}
