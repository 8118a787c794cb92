package relay

import (
	"bytes"
	"encoding/json"
	"errors"

	"hermes/opencode/wire"
)

// shape is what of a JSON value crosses the link; nil: nothing of it does.
type shape func(value any) any

// plain keeps a text, a number or a flag.
func plain(value any) any {
	switch value.(type) {
	case map[string]any, []any:
		return nil
	}
	return value
}

// whole keeps everything.
func whole(value any) any { return value }

// maxValue bounds one thing that an ask says of itself, such as the difference of a file: the ask must cross.
const maxValue = 256 << 10

// moderate keeps the values of an object that are not too large, and says under [wire.Unsent] how large the others are.
func moderate(value any) any {
	from, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	kept, left := make(map[string]any, len(from)), map[string]any{}
	for name, one := range from {
		text, err := encode(one)
		if err == nil && len(text) <= maxValue {
			kept[name] = one
			continue
		}
		left[name] = len(text)
	}
	if len(left) > 0 {
		kept[wire.Unsent] = left
	}
	return kept
}

// nothing keeps an empty object in the place of whatever there is.
func nothing(any) any { return map[string]any{} }

// fields keeps these fields of an object.
type fields map[string]shape

// of keeps the fields.
func (f fields) of(value any) any {
	from, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	kept := make(map[string]any, len(f))
	for name, keep := range f {
		if one, ok := from[name]; ok {
			if k := keep(one); k != nil {
				kept[name] = k
			}
		}
	}
	return kept
}

// plainFields keeps these fields of an object, if they are plain.
func plainFields(names ...string) fields {
	f := make(fields, len(names))
	for _, name := range names {
		f[name] = plain
	}
	return f
}

// with are the fields and more.
func (f fields) with(more fields) fields {
	all := make(fields, len(f)+len(more))
	for name, keep := range f {
		all[name] = keep
	}
	for name, keep := range more {
		all[name] = keep
	}
	return all
}

// list keeps a list, with this of each of its values.
func list(of shape) shape {
	return func(value any) any {
		from, ok := value.([]any)
		if !ok {
			return nil
		}
		kept := make([]any, 0, len(from))
		for _, one := range from {
			kept = append(kept, of(one))
		}
		return kept
	}
}

// named keeps an object with any names, with this of each of its values.
func named(of shape) shape {
	return func(value any) any {
		from, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		kept := make(map[string]any, len(from))
		for name, one := range from {
			kept[name] = of(one)
		}
		return kept
	}
}

// either keeps a plain value, or this of any other: a field that has two forms.
func either(of shape) shape {
	return func(value any) any {
		if kept := plain(value); kept != nil {
			return kept
		}
		return of(value)
	}
}

// data is how OpenCode 2 wraps what it answers.
func data(of shape) shape { return fields{"data": of}.of }

// errForm: an answer is not of the form that hermes reads.
var errForm = errors.New("the answer of OpenCode is not of the expected form")

// reduce keeps of a JSON text what crosses.
func (s shape) reduce(text []byte) (json.RawMessage, error) {
	value, err := decode(text)
	if err != nil {
		return nil, errForm
	}
	kept := s(value)
	if kept == nil {
		return nil, errForm
	}
	return encode(kept)
}

// decode decodes a JSON text. Numbers stay as they are written.
func decode(text []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

// encode writes JSON as short as it can be.
func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}
