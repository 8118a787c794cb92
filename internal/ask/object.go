package ask

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Fault says why an ask is not taken.
type Fault struct {
	Path   string // of the fault, like questions[0].options[1].id; empty: the body as a whole
	Reason string
}

func (f *Fault) Error() string {
	if f.Path == "" {
		return f.Reason
	}
	return f.Path + ": " + f.Reason
}

// decodeObject reads the object at a path, each field into the place of its name: a *string,
// **string, *bool, *json.RawMessage, *[]json.RawMessage, *[]string or *map[string]string. A field that has no place is
// a fault, and null is as if it were not there.
func decodeObject(path string, raw json.RawMessage, into map[string]any) error {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || fields == nil {
		return &Fault{path, "must be one JSON object"}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		at := name
		if path != "" {
			at = path + "." + name
		}
		place, ok := into[name]
		if !ok {
			return &Fault{at, "is not a field that hermes knows"}
		}
		if string(fields[name]) == "null" {
			continue
		}
		if json.Unmarshal(fields[name], place) != nil {
			return &Fault{at, "must be " + kindOf(place)}
		}
	}
	return nil
}

func kindOf(place any) string {
	switch place.(type) {
	case *string, **string:
		return "text"
	case *bool:
		return "true or false"
	case *[]string:
		return "a list of texts"
	case *map[string]string:
		return "an object of texts"
	}
	return "a list"
}

func indexPath(list string, n int) string { return fmt.Sprintf("%s[%d]", list, n) }
