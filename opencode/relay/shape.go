package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"hermes/opencode/wire"
)

// shape is what of a JSON value crosses the link; of nil nothing does.
type shape func(value any) any

// whole keeps everything.
func whole(value any) any { return value }

// plain keeps a text, a number or a flag, and lists of them.
func plain(value any) any {
	if _, ok := value.(map[string]any); ok {
		return nil
	}
	return each(value, plain)
}

// each keeps of a list this of each of its values. What is no list stays as it is.
func each(value any, keep shape) any {
	list, ok := value.([]any)
	if !ok {
		return value
	}
	kept := make([]any, 0, len(list))
	for _, one := range list {
		kept = append(kept, keep(one))
	}
	return kept
}

// fields are those of an object that cross, and what of each does.
type fields map[string]shape

// only has fields with these names, which are plain.
func only(names string) fields {
	f := fields{}
	for _, name := range strings.Fields(names) {
		f[name] = plain
	}
	return f
}

// with has more fields.
func (f fields) with(more fields) fields {
	all := maps.Clone(f)
	maps.Copy(all, more)
	return all
}

// of keeps these fields of an object, or of each object of a list.
func (f fields) of(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return each(value, f.of)
	}
	kept := map[string]any{}
	for name, keep := range f {
		one, ok := object[name]
		if ok {
			one = keep(one)
		}
		if one != nil {
			kept[name] = one
		}
	}
	return kept
}

// data is how OpenCode 2 wraps what it answers.
func data(of shape) shape { return fields{"data": of}.of }

// maxValue bounds one thing that a permission request says of itself, such as the difference of a file: the request must cross.
const maxValue = 256 << 10

// moderate keeps the values of an object that are not too large, and says under [wire.Unsent] how large the others are.
func moderate(value any) any {
	object, _ := value.(map[string]any)
	kept, left := map[string]any{}, map[string]any{}
	for name, one := range object {
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

// errForm: an answer is not of the form that hermes reads.
var errForm = errors.New("the answer of OpenCode is not of the expected form")

// reduce keeps of a JSON text, which is an object, what crosses.
func (s shape) reduce(text []byte) (json.RawMessage, error) {
	var object map[string]any
	if decode(text, &object) != nil || object == nil {
		return nil, errForm
	}
	return encode(s(object))
}

// decode decodes a JSON text. Numbers stay as they are written.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// encode writes JSON as short as it can be.
func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}
