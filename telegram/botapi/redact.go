package botapi

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"hermes/internal/secret"
	"hermes/internal/sorting"
)

// newRedactor returns a function that takes the secrets out of a text, as they are and as
// URLs spell them, and the part of the token after its colon.
func newRedactor(token secret.Text, secrets ...secret.Text) func(string) string {
	var forms []string
	_, key, _ := strings.Cut(token.Reveal(), ":")
	for _, s := range append([]secret.Text{token, secret.Text(key)}, secrets...) {
		raw := s.Reveal()
		forms = append(forms, raw, url.PathEscape(raw), url.QueryEscape(raw))
	}
	forms = slices.DeleteFunc(forms, func(form string) bool { return form == "" })
	// The longest first: a replacer takes the first that fits.
	sorting.By(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, form := range slices.Compact(forms) {
		pairs = append(pairs, form, "***")
	}
	return strings.NewReplacer(pairs...).Replace
}
