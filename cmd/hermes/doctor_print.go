package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
)

// report writes diagnoses: a line each as they come, or all in one JSON value.
// Secrets are taken out, and text from elsewhere cannot steer a terminal.
type report struct {
	out    io.Writer
	redact redactor
	style  reportStyle
	width  int // of the longest name
	all    []diagnosis
}

// reportStyle is how a report looks.
type reportStyle struct{ json, signs, color bool }

// styleFor looks at where the report goes. A terminal gets signs, and colours
// unless NO_COLOR is set or the terminal is a dumb one.
func styleFor(out io.Writer, asJSON bool, getenv func(string) string) reportStyle {
	f, ok := out.(*os.File)
	if !ok || asJSON {
		return reportStyle{json: asJSON}
	}
	info, err := f.Stat()
	signs := err == nil && info.Mode()&os.ModeCharDevice != 0
	return reportStyle{signs: signs, color: signs && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}

func (r *report) tell(d diagnosis) {
	d.Detail, d.Remedy = r.clean(d.Detail), r.clean(d.Remedy)
	r.all = append(r.all, d)
	if !r.style.json {
		fmt.Fprintln(r.out, r.line(d))
	}
}

// line is one diagnosis for people.
func (r *report) line(d diagnosis) string {
	text := fmt.Sprintf("%s  %-*s  %s", r.mark(d.Status), r.width, d.Name, d.Detail)
	if d.Remedy == "" {
		return text
	}
	if r.style.signs {
		return text + " → " + d.Remedy
	}
	return text + " -> " + d.Remedy
}

// mark is the grade as a sign, or as a word of four letters.
func (r *report) mark(g grade) string {
	if !r.style.signs {
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
	if !r.style.color {
		return sign
	}
	return "\x1b[" + color + "m" + sign + "\x1b[0m"
}

// clean takes the secrets out and makes visible what is not printed as it is:
// control characters, and those that change the direction of text.
func (r *report) clean(s string) string {
	var b strings.Builder
	for _, c := range r.redact.text(s) {
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
	if r.style.json {
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
