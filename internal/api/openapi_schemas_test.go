package api_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/internal/fields"
	asked "hermes/internal/question"
	"hermes/internal/storage"
)

type object = map[string]any

func typeOf[T any]() any { return reflect.TypeFor[T]() }

// words are the values of a closed set.
func words[T ~string](of []T) (all []any) {
	for _, w := range of {
		all = append(all, string(w))
	}
	return all
}

// closedSets are the types whose values are closed words.
func closedSets() map[any][]any {
	return map[any][]any{
		typeOf[asked.ActorKind]():   words(asked.ActorKinds()),
		typeOf[storage.EntryKind](): words(storage.EntryKinds()),
		typeOf[fields.Kind]():       words(fields.Kinds()),
		typeOf[ask.Status]():        words([]ask.Status{ask.Pending, ask.Answered, ask.Cancelled, ask.Aborted}),
	}
}

// closedFields are fields of text whose values are closed words.
func closedFields() map[string][]any {
	by := []any{api.LinkedByPlugin, api.LinkedByProcess}
	return map[string][]any{
		"Question.state":    append([]any{"open", "deciding"}, words(asked.OutcomeKinds())...),
		"LinkedOpenCode.by": by,
		"OpenLink.by":       by,
		"When.op":           {"eq", "neq"},
		"LinkHello.kind":    {"", "service"},
	}
}

// schemas collects the types that operations name.
type schemas struct {
	comments map[string]string // of fields, by type and name in Go
	made     object
	todo     []reflect.Type
}

func nameOf(t reflect.Type) string {
	if name := componentNames()[t]; name != "" {
		return name
	}
	return t.Name()
}

func ref(t reflect.Type) object { return object{"$ref": "#/components/schemas/" + nameOf(t)} }

// refer is the reference to a type, which is among the schemas then.
func (s *schemas) refer(t reflect.Type) object {
	s.todo = append(s.todo, t)
	return ref(t)
}

// make makes what was referred to, and what that refers to.
func (s *schemas) make() {
	for len(s.todo) > 0 {
		t := s.todo[0]
		s.todo = s.todo[1:]
		if s.made[nameOf(t)] == nil {
			s.made[nameOf(t)] = s.schemaOf(t)
		}
	}
}

func (s *schemas) schemaOf(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[askBody]():
		return askBodySchema()
	case reflect.TypeFor[answerBody]():
		return answerBodySchema()
	case reflect.TypeFor[eventsBody]():
		return eventsBodySchema()
	}
	properties, there := object{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		property := s.valueOf(f.Type)
		if set := closedFields()[nameOf(t)+"."+name]; set != nil {
			property["enum"] = set
		}
		if text := s.comments[t.Name()+"."+f.Name]; text != "" && property["$ref"] == nil {
			property["description"] = text
		}
		properties[name] = property
		if option == "" {
			there = append(there, name)
		}
	}
	if list, ok := required()[nameOf(t)]; ok {
		there = list
	}
	return object{"type": "object", "properties": properties, "required": there}
}

func (s *schemas) valueOf(t reflect.Type) object {
	if set := closedSets()[t]; set != nil {
		return object{"type": "string", "enum": set}
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return object{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.valueOf(t.Elem())
	case reflect.Struct:
		return s.refer(t)
	case reflect.Slice:
		return object{"type": "array", "items": s.valueOf(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.valueOf(t.Elem())}
	case reflect.Interface:
		return object{}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return object{"type": "integer", "format": "int64"}
	}
	panic(fmt.Sprintf("the description cannot say what a %v is", t))
}

// fieldComments reads what the source says of the fields of wire types, in the line or above it.
func fieldComments(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, folder := range []string{"../question", ".", "../ask", "../standby", "../../opencode/link"} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, e.Name()), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			addComments(all, file)
		}
	}
	return all
}

func addComments(all map[string]string, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		body, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range body.Fields.List {
			text := strings.TrimSpace(f.Comment.Text() + f.Doc.Text())
			for _, name := range f.Names {
				all[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(text), " ")
			}
		}
		return true
	})
}

// closeBodies says of bodies whether hermes takes fields that it does not know.
func (s *schemas) closeBodies(all []operation) {
	for _, o := range all {
		if o.body != nil {
			s.made[nameOf(o.body)].(object)["additionalProperties"] = slices.Contains(openBodies(), nameOf(o.body))
		}
	}
}
