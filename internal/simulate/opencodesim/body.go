package opencodesim

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// body reads a JSON body into a generic value, as either version does, and
// answers the request itself (ok is false) when it cannot. An absent body is
// nil; on 1.1.53 so is one whose content type is not JSON.
func (is behaviour) body(w http.ResponseWriter, r *http.Request) (v any, ok bool) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	isJSON := kind == "application/json"
	switch {
	case is.modern && len(raw) > 0 && !isJSON:
		writeText(w, http.StatusUnsupportedMediaType, "Unsupported content-type: "+kind)
		return nil, false
	case len(raw) == 0 || !isJSON:
		return nil, true
	}
	if json.Unmarshal(raw, &v) != nil {
		is.malformed(w)
		return nil, false
	}
	return v, true
}

func (is behaviour) malformed(w http.ResponseWriter) {
	if is.modern {
		is.writeUnknownError(w)
		return
	}
	writeText(w, http.StatusBadRequest, "Malformed JSON in request body")
}

// object is body for the routes that want an object.
func (is behaviour) object(w http.ResponseWriter, r *http.Request) (map[string]any, bool) {
	v, ok := is.body(w, r)
	if !ok {
		return nil, false
	}
	if o, is := v.(map[string]any); is {
		return o, true
	}
	if v == nil && !is.modern {
		return map[string]any{}, true
	}
	badRequest(w, "Payload", "Expected object, got "+show(v))
	return nil, false
}

// answers reads {"answers": string[][]} and refuses what is of another shape.
func (is behaviour) answers(w http.ResponseWriter, r *http.Request) ([][]string, bool) {
	o, ok := is.object(w, r)
	if !ok {
		return nil, false
	}
	list, ok := o["answers"].([]any)
	if !ok {
		is.refuse(w, o, "array", "Expected array", o["answers"], "answers")
		return nil, false
	}
	answers := make([][]string, len(list))
	for i, item := range list {
		labels, ok := item.([]any)
		if !ok {
			is.refuse(w, o, "array", "Expected QuestionAnswer", item, "answers", i)
			return nil, false
		}
		answers[i] = make([]string, len(labels))
		for j, label := range labels {
			if answers[i][j], ok = label.(string); !ok {
				is.refuse(w, o, "string", "Expected string", label, "answers", i, j)
				return nil, false
			}
		}
	}
	return answers, true
}

// refuse answers 400 in the shape of the version: expected is the JSON type
// that was wanted, wanted how newer versions say it, got the value at path.
func (is behaviour) refuse(w http.ResponseWriter, body any, expected, wanted string, got any, path ...any) {
	switch {
	case !is.modern:
		writeZod(w, body, invalidType(expected, typeName(got), path...))
	case got == nil:
		badRequest(w, "Payload", "Missing key\n  at "+showPath(path))
	default:
		badRequest(w, "Payload", fmt.Sprintf("%s, got %s\n  at %s", wanted, show(got), showPath(path)))
	}
}

func show(v any) string {
	if v == nil {
		return "undefined"
	}
	return string(encode(v))
}

func showPath(path []any) string {
	var b strings.Builder
	for _, p := range path {
		fmt.Fprintf(&b, "[%s]", encode(p))
	}
	return b.String()
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "undefined"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	}
	return "object"
}
