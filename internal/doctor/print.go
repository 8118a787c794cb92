package doctor

import (
	"encoding/json"
	"fmt"
	"io"

	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/secret"
)

// report writes results: a line each as they come, or all in one JSON value.
// Secrets are taken out, and text from elsewhere cannot steer a terminal.
type report struct {
	out    io.Writer
	redact secret.Redactor
	style  console.Style
	width  int // of the longest name
	all    []result
}

func (r *report) add(d result) {
	d.Detail, d.Remedy = r.clean(d.Detail), r.clean(d.Remedy)
	r.all = append(r.all, d)
	if !r.style.JSON {
		fmt.Fprintln(r.out, r.line(d))
	}
}

// line is one result for people.
func (r *report) line(d result) string {
	text := fmt.Sprintf("%s  %-*s  %s", r.mark(d.Status), r.width, d.Name, d.Detail)
	if d.Remedy == "" {
		return text
	}
	if r.style.Signs {
		return text + " → " + d.Remedy
	}
	return text + " -> " + d.Remedy
}

// mark is the grade as a sign, or as a word of four letters.
func (r *report) mark(g grade) string {
	if !r.style.Signs {
		return fmt.Sprintf("%-4s", g)
	}
	sign, color := "-", "2"
	switch g {
	case gradeOK:
		sign, color = "✓", "32"
	case gradeWarn:
		sign, color = "!", "33"
	case gradeFail:
		sign, color = "✗", "31"
	case gradeSkip:
	}
	if !r.style.Color {
		return sign
	}
	return "\x1b[" + color + "m" + sign + "\x1b[0m"
}

// clean takes the secrets out, and makes visible what a terminal does not print as it is.
func (r *report) clean(s string) string { return letters.Printable(r.redact.Text(s)) }

// finish completes the report. The error says how many checks failed, nil for none.
func (r *report) finish() error {
	if r.style.JSON {
		e := json.NewEncoder(r.out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(map[string]any{"checks": r.all}); err != nil {
			return err
		}
	}
	failed := 0
	for _, d := range r.all {
		if d.Status == gradeFail {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, len(r.all))
	}
	return nil
}
