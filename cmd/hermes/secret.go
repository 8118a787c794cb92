package main

import (
	"fmt"
	"log/slog"
)

// mask is what is shown in place of a secret.
const mask = "***"

// secret is text that must not be shown: printing, logging and marshalling it
// all give ***. The field that holds it must be exported, or fmt sees a plain
// string. An empty secret shows as nothing, so that one can see that it is unset.
type secret string

// reveal returns the text itself, for the one place that must send it.
func (s secret) reveal() string { return string(s) }

// String masks the secret.
func (s secret) String() string {
	if s == "" {
		return ""
	}
	return mask
}

// GoString masks the secret under %#v.
func (s secret) GoString() string { return s.String() }

// Format masks the secret under every verb, fitting or not.
func (s secret) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, s.String()) }

// MarshalText masks the secret in JSON and the like.
func (s secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue masks the secret in log/slog.
func (s secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
