package inprocess

import (
	"encoding/json"
	"strings"
)

// JSON is a value as JavaScript writes it: no HTML escapes, no line end. It
// panics on what is no JSON: stand-ins write only what they made.
func JSON(v any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("simulator: " + err.Error())
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
