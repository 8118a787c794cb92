package plugin

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a text that no print, log or marshaller shows: it gives *** instead,
// and nothing if it is empty. It must not be an unexported field of a struct that
// is printed: there fmt cannot see its methods.
type Secret string

// String masks the secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "***"
}

// GoString masks the secret under %#v.
func (s Secret) GoString() string { return s.String() }

// Format masks the secret under every verb, fitting or not.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue masks the secret in log/slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText masks the secret in JSON and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
