// Package secret holds texts that must not be shown.
package secret

import (
	"fmt"
	"io"
	"log/slog"
)

// Mask is what is shown in place of a secret.
const Mask = "***"

// Text is a text that no print, log or marshaller shows: it gives *** instead, and
// nothing if it is empty, so that one can see that it is unset. The field that
// holds it must be exported: else fmt cannot see its methods.
type Text string

// Reveal returns the text itself, for the one place that must send it.
func (s Text) Reveal() string { return string(s) }

// String masks the secret.
func (s Text) String() string {
	if s == "" {
		return ""
	}
	return Mask
}

// GoString masks the secret under %#v.
func (s Text) GoString() string { return s.String() }

// Format masks the secret under every verb, fitting or not.
func (s Text) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue masks the secret in log/slog.
func (s Text) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText masks the secret in JSON and the like.
func (s Text) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
