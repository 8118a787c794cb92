package opencode2sim_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// document is what is kept of the OpenAPI document that Preview serves: the answers of
// the routes that are simulated, and the events that were captured.
type document struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema json.RawMessage }
		}
	}
	Components struct{ Schemas map[string]json.RawMessage }

	resolved map[string]*jsonschema.Resolved // by the schema's text
}

func readDocument(t *testing.T) *document {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{resolved: map[string]*jsonschema.Resolved{}}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(raw), "#/components/schemas/", "#/$defs/")), d); err != nil {
		t.Fatal(err)
	}
	return d
}

// answer is what is wrong with the answer to a request, if the document knows the route.
func (d *document) answer(method, path, status, body string) error {
	path, _, _ = strings.Cut(path, "?")
	route, ok := d.Paths[d.template(path)]
	if !ok || body == "" || status == "401" {
		return nil
	}
	described, ok := route[strings.ToLower(method)].Responses[status]
	if !ok {
		return fmt.Errorf("the document knows no %s answer to %s %s", status, method, path)
	}
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return nil
	}
	return d.check(described.Content["application/json"].Schema, v)
}

var parameter = regexp.MustCompile(`\\\{\w+\\\}`)

// template is the path of the document that a path is of.
func (d *document) template(path string) string {
	if _, ok := d.Paths[path]; ok {
		return path
	}
	for t := range d.Paths {
		if regexp.MustCompile("^" + parameter.ReplaceAllString(regexp.QuoteMeta(t), `[^/]+`) + "$").MatchString(path) {
			return t
		}
	}
	return ""
}

// event is what is wrong with an event, if the document knows its type.
func (d *document) event(f map[string]any) error {
	kind := fmt.Sprint(f["type"])
	for _, name := range []string{kind, "V2Event." + kind} {
		if schema, ok := d.Components.Schemas[name]; ok {
			return d.check(schema, f)
		}
	}
	return nil
}

func (d *document) check(schema json.RawMessage, v any) error {
	if d.resolved[string(schema)] == nil {
		defs := map[string]json.RawMessage{}
		d.needed(schema, defs)
		raw, err := json.Marshal(map[string]any{"allOf": []json.RawMessage{schema}, "$defs": defs})
		if err != nil {
			return err
		}
		var root jsonschema.Schema
		if err := json.Unmarshal(raw, &root); err != nil {
			return err
		}
		resolved, err := root.Resolve(nil)
		if err != nil {
			return err
		}
		d.resolved[string(schema)] = resolved
	}
	return d.resolved[string(schema)].Validate(v)
}

var definition = regexp.MustCompile(`"#/\$defs/([^"]+)"`)

// needed collects the definitions that a schema refers to.
func (d *document) needed(schema json.RawMessage, defs map[string]json.RawMessage) {
	for _, ref := range definition.FindAllSubmatch(schema, -1) {
		if name := string(ref[1]); defs[name] == nil {
			defs[name] = d.Components.Schemas[name]
			d.needed(defs[name], defs)
		}
	}
}
