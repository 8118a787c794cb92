// Package openapi holds what is said over hermes' HTTP interface to the description of it: an OpenAPI 3.1 document. Tests give it every
// request and every answer that they see.
//
// It is stricter than a program that uses the interface must be. An answer may have no status, field, kind of content or value that the
// document does not have; and a request that hermes takes, no parameter, field or value. Of OpenAPI it knows what that document uses.
package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Document is a description. It is safe for concurrent use.
type Document struct {
	operations map[string]operation // by method and path, as in "GET /v1/ask/{id}"
	responses  map[string]response
	schemas    map[string]any

	mux *http.ServeMux // finds the operation of a request

	mu    sync.Mutex
	ready map[string]*jsonschema.Resolved // by the schema's text
}

type operation struct {
	Security   []map[string][]string
	Parameters []struct {
		Name, In string
		Schema   json.RawMessage
	}
	RequestBody *struct{ Content map[string]content }
	Responses   map[string]response
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]content
}

type content struct{ Schema json.RawMessage }

// Parse reads a document.
func Parse(text []byte) (*Document, error) {
	var in struct {
		Paths      map[string]map[string]operation
		Components struct {
			Responses map[string]response
			Schemas   map[string]any
		}
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	d := &Document{
		operations: map[string]operation{}, responses: in.Components.Responses, schemas: in.Components.Schemas,
		mux: http.NewServeMux(), ready: map[string]*jsonschema.Resolved{},
	}
	for path, methods := range in.Paths {
		for method, o := range methods {
			pattern := strings.ToUpper(method) + " " + path
			d.operations[pattern] = o
			d.mux.HandleFunc(pattern, http.NotFound)
		}
	}
	return d, nil
}

// Patterns are the methods and paths of the document, sorted, as http.ServeMux has them.
func (d *Document) Patterns() []string { return slices.Sorted(maps.Keys(d.operations)) }

// Tokens are the names of the tokens of which one opens the pattern; none: it needs no token.
func (d *Document) Tokens(pattern string) []string {
	var names []string
	for _, one := range d.operations[pattern].Security {
		names = slices.AppendSeq(names, maps.Keys(one))
	}
	slices.Sort(names)
	return names
}

// Statuses are those that a pattern may answer with, sorted.
func (d *Document) Statuses(pattern string) []string {
	return slices.Sorted(maps.Keys(d.operations[pattern].Responses))
}

// form is a schema that is ready to use, in which an object has no other fields than those that are named.
func (d *Document) form(schema json.RawMessage) (*jsonschema.Resolved, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ready := d.ready[string(schema)]; ready != nil {
		return ready, nil
	}
	var root any
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{"$ref": "#/$defs/root", "$defs": d.definitions(root)})
	if err != nil {
		return nil, err
	}
	var parsed jsonschema.Schema
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), "#/components/schemas/", "#/$defs/")), &parsed); err != nil {
		return nil, err
	}
	ready, err := parsed.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("the schema %s: %w", schema, err)
	}
	d.ready[string(schema)] = ready
	return ready, nil
}

func (d *Document) definitions(root any) map[string]any {
	all := map[string]any{"root": closed(root)}
	for name, schema := range d.schemas {
		all[name] = closed(schema)
	}
	return all
}

// closed is a copy of a schema in which objects with properties have no others, unless it says so.
func closed(schema any) any {
	switch s := schema.(type) {
	case []any:
		list := make([]any, len(s))
		for i := range s {
			list[i] = closed(s[i])
		}
		return list
	case map[string]any:
		out := make(map[string]any, len(s))
		for name, value := range s {
			out[name] = closed(value)
		}
		if _, says := out["additionalProperties"]; out["type"] == "object" && out["properties"] != nil && !says {
			out["additionalProperties"] = false
		}
		return out
	}
	return schema
}
