package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"hermes/internal/console"
	"hermes/internal/secret"
)

// report writes diagnoses: a line each as they come, or all in one JSON value.
// Secrets are taken out, and text from elsewhere cannot steer a terminal.
type report struct {
	out    io.Writer
	redact secret.Redactor
	style  console.Style
	width  int // of the longest name
	all    []result
}

func (r *report) tell(d result) {
	d.Detail, d.Remedy = r.clean(d.Detail), r.clean(d.Remedy)
	r.all = append(r.all, d)
	if !r.style.JSON {
		fmt.Fprintln(r.out, r.line(d))
	}
}

// line is one diagnosis for people.
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
func (r *report) mark(g Grade) string {
	if !r.style.Signs {
		return fmt.Sprintf("%-4s", g)
	}
	sign, color := "-", "2"
	switch g {
	case GradeOK:
		sign, color = "✓", "32"
	case GradeWarn:
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

// clean takes the secrets out and makes visible what is not printed as it is:
// control characters, and those that change the direction of text.
func (r *report) clean(s string) string {
	var b strings.Builder
	for _, c := range r.redact.Text(s) {
		if unicode.IsPrint(c) {
			b.WriteRune(c)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(c)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// end completes the report. The error says how many exams failed, nil for none.
func (r *report) end() error {
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
