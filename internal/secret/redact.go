package secret

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// NewLogger returns a logger of lines at this level and above, which a [slog.LevelVar] can change, as JSON or else as text. None of
// the secrets appears in what it writes: not in messages, keys, texts, errors or
// other values, and not in URL-escaped or quoted form.
func NewLogger(w io.Writer, level slog.Leveler, format string, r Redactor) *slog.Logger {
	opts := &slog.HandlerOptions{Level: level, ReplaceAttr: r.attr}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// Redactor takes secrets out of text. It may be used concurrently.
type Redactor struct{ replace *strings.Replacer }

// NewRedactor returns a redactor for the secrets; empty ones are left out.
func NewRedactor(secrets ...Text) Redactor {
	var forms []string
	for _, s := range secrets {
		raw := s.Reveal()
		quoted := strconv.Quote(raw)
		forms = append(forms, raw, url.QueryEscape(raw), url.PathEscape(raw), quoted[1:len(quoted)-1])
	}
	forms = slices.DeleteFunc(forms, func(form string) bool { return form == "" })
	// The longest first: a replacer takes the first that fits.
	slices.SortStableFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, form := range slices.Compact(forms) {
		pairs = append(pairs, form, Mask)
	}
	return Redactor{strings.NewReplacer(pairs...)}
}

// Text returns the text with *** for each secret.
func (r Redactor) Text(s string) string { return r.replace.Replace(s) }

// Error is err with its text redacted; nil for nil. errors.Is and errors.As see err itself, whose own text is not for people.
func (r Redactor) Error(err error) error {
	if err == nil {
		return nil
	}
	return redacted{err, r.Text(err.Error())}
}

type redacted struct {
	err  error
	text string
}

func (r redacted) Error() string { return r.text }

func (r redacted) Unwrap() error { return r.err }

// attr redacts one attribute; log/slog calls it for the message too. Values that
// are not of log/slog's own kinds are logged as their text, so that nothing
// inside them can get past.
func (r Redactor) attr(_ []string, a slog.Attr) slog.Attr {
	a.Key = r.Text(a.Key)
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(r.Text(a.Value.String()))
	case slog.KindAny:
		if level, ok := a.Value.Any().(slog.Level); ok {
			a.Value = slog.StringValue(level.String())
		} else {
			a.Value = slog.StringValue(r.Text(fmt.Sprintf("%+v", a.Value.Any())))
		}
	}
	return a
}
