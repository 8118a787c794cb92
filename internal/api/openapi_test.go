package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"hermes/internal/api"
	"hermes/internal/standby"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// The description is made of the types of the interface and the table of its operations; -update makes it anew.
func TestOpenAPI_IsCurrent(t *testing.T) {
	want := description(t)
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(api.OpenAPI(), want) {
		t.Error("openapi.json is not what the types and the table of operations say; go test ./internal/api -run TestOpenAPI -update")
	}
}

// The document is one of OpenAPI 3.1, by the schema of the OpenAPI Initiative.
func TestOpenAPI_IsOpenAPI(t *testing.T) {
	if *update {
		return // the program still has the one from before
	}
	text, err := os.ReadFile("testdata/openapi-3.1-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	form, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(api.OpenAPI(), &document); err != nil {
		t.Fatal(err)
	}
	if err := form.Validate(document); err != nil {
		t.Error(err)
	}
	document.(object)["paths"].(object)["/healthz"].(object)["get"].(object)["respones"] = 1
	if form.Validate(document) == nil {
		t.Error("it takes a word that OpenAPI does not have")
	}
}

const about = "The interface of a running hermes, at HERMES_LISTEN. docs/http.md says more. Objects may get further fields; a body with a field that hermes does not know is refused, except by the paths of the plugin. " +
	"Every path may answer 405 to another method. With HERMES_TELEGRAM_WEBHOOK_URL the path of that URL is Telegram's, and for nobody else."

// description is the document, in one order.
func description(t *testing.T) []byte {
	t.Helper()
	s := &schemas{comments: fieldComments(t), made: object{}}
	s.refer(reflect.TypeFor[sentence]())
	s.refer(reflect.TypeFor[standby.Reply]())
	paths := object{}
	for _, o := range operations() {
		method, path, _ := strings.Cut(o.pattern, " ")
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path].(object)[strings.ToLower(method)] = s.operationOf(o)
	}
	s.make()
	s.closeBodies(operations())
	bearer := func(text string) object { return object{"type": "http", "scheme": "bearer", "description": text} }
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(object{
		"openapi": "3.1.0",
		"info":    object{"title": "hermes", "version": "1", "description": about, "license": object{"name": "MIT", "identifier": "MIT"}},
		"servers": []any{object{"url": "http://127.0.0.1:4097"}},
		"paths":   paths,
		"components": object{"schemas": s.made, "responses": sharedResponses(), "securitySchemes": object{
			"api":  bearer("HERMES_HOOK_TOKEN, or what the file hook-token beside the database has"),
			"link": bearer("the token of a link: hermes link add"),
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// sharedSentences are what statuses mean wherever an operation does not say more.
func sharedSentences() map[int]string {
	return map[int]string{
		400: "what is wrong with the request",
		401: "the token is missing or wrong",
		403: "the token is one of a link, which does not open this, or the request comes from a web page",
		410: "hermes cannot read what it kept of this",
		413: "the body is too large",
		500: "hermes could not do that; its log says why",
		503: "hermes has as many connections, or links, as it takes, is stopping, or is a standby (HERMES_STORE), which answers so on every path and keeps no connection",
	}
}

func sharedResponses() object {
	all := object{}
	for status, text := range sharedSentences() {
		body := ref(reflect.TypeFor[sentence]())
		if status == http.StatusServiceUnavailable {
			body = object{"anyOf": []any{body, ref(reflect.TypeFor[standby.Reply]())}}
		}
		all[strconv.Itoa(status)] = object{"description": text, "content": inJSON(body)}
	}
	return all
}

func inJSON(schema object) object { return object{"application/json": object{"schema": schema}} }

var inPath = regexp.MustCompile(`\{(\w+)\}`)

func (s *schemas) operationOf(o operation) object {
	parameters := []any{}
	for _, name := range inPath.FindAllStringSubmatch(o.pattern, -1) {
		parameters = append(parameters, object{"name": name[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, p := range o.query {
		parameters = append(parameters, object{"name": p.name, "in": "query", "description": p.description, "schema": p.schema})
	}
	out := object{"operationId": operationID(o.pattern), "summary": o.summary, "security": security(o.caller), "responses": s.responses(o)}
	if len(parameters) > 0 {
		out["parameters"] = parameters
	}
	if o.body != nil {
		out["requestBody"] = object{"required": true, "content": inJSON(s.refer(o.body))}
	}
	return out
}

// operationID is made of the method and the path, for the names of what programs generate.
func operationID(pattern string) string {
	id := ""
	for n, word := range regexp.MustCompile(`\w+`).FindAllString(strings.Replace(pattern, "/v1", "", 1), -1) {
		if n == 0 {
			id = strings.ToLower(word)
			continue
		}
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return id
}

// security is one of these tokens; none, if the list is empty.
func security(c api.Caller) []any {
	one := func(name string) object { return object{name: []any{}} }
	switch c {
	case api.TokenHolder:
		return []any{one("api")}
	case api.LinkHolder:
		return []any{one("link"), one("api")}
	}
	return []any{}
}

func (s *schemas) responses(o operation) object {
	all := maps.Clone(o.answers)
	if o.caller != api.Anybody {
		for _, status := range []int{401, 403, 503} {
			if _, ok := all[status]; !ok {
				all[status] = answer{}
			}
		}
	}
	out := object{}
	for _, status := range slices.Sorted(maps.Keys(all)) {
		out[strconv.Itoa(status)] = s.response(status, all[status])
	}
	return out
}

func (s *schemas) response(status int, a answer) object {
	switch {
	case a.lines != nil:
		var one []any
		for _, t := range a.lines {
			one = append(one, s.refer(t))
		}
		return object{"description": a.text, "content": object{"application/x-ndjson": object{"schema": object{"oneOf": one}}}}
	case a.media != "":
		return object{"description": a.text, "content": object{a.media: object{"schema": object{"type": "string"}}}}
	case a.of != nil:
		return object{"description": a.text, "content": inJSON(s.refer(a.of))}
	case a.fields != nil:
		return object{"description": a.text, "content": inJSON(object{"type": "object", "required": slices.Sorted(maps.Keys(a.fields)), "properties": a.fields})}
	case status == 204:
		return object{"description": a.text}
	case a.text == "":
		return object{"$ref": "#/components/responses/" + strconv.Itoa(status)}
	}
	return object{"description": a.text, "content": inJSON(object{"$ref": "#/components/schemas/Error"})}
}
