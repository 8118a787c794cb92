package question

import (
	"testing"

	"hermes/internal/fields"
)

func TestRequest_Size(t *testing.T) {
	for want, r := range map[int]Request{
		0: {ID: "que_1"},
		6: {Context: "c", Items: []Item{{Header: "h", Text: "t", Options: []Option{{ID: "i", Label: "l", Description: "d"}}}}},
		4: {Items: []Item{{Field: &fields.Field{Pattern: "p", URL: "u", Default: []string{"a", "b"}}}}},
		7: {Permission: &Permission{Command: "c", Diff: "d", Patterns: []string{"p"}, Always: []string{"a", "b"}, Details: []Detail{{Name: "n", Text: "t"}}}},
	} {
		if got := r.Size(); got != want {
			t.Errorf("%+v has %d bytes, want %d", r, got, want)
		}
	}
}
