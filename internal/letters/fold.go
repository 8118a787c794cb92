package letters

import (
	"fmt"
	"regexp"
	"strings"
)

// What of an exposed text is shown as it is: more blank lines, or more spaces, push what is behind them off the screen. Code may be indented by more.
const (
	blankLines = 3
	spaces     = 20
	indented   = 40
)

var (
	manySpaces  = regexp.MustCompile(fmt.Sprintf(" {%d,}", spaces+1))
	indentation = regexp.MustCompile(fmt.Sprintf("^[-+ ]? {0,%d}", indented-1))
)

// Fold puts, into a text that is exposed, ⋯ and their number in place of too many blank lines or spaces. The two formats say what was
// counted. The text has no ⋯ of its own, so nothing in it looks like that. In a diff a blank line is one with its sign alone.
func Fold(exposed string, diff bool, linesFormat, spacesFormat string) string {
	var out []string
	lines, many := strings.Split(exposed, "\n"), strings.Repeat(" ", spaces+1)
	for at := 0; at < len(lines); {
		sign, n := blank(lines[at], diff), 0
		for sign != notBlank && at+n < len(lines) && blank(lines[at+n], diff) == sign {
			n++
		}
		if n > blankLines {
			out, at = append(out, sign+"⋯ "+fmt.Sprintf(linesFormat, n)+" ⋯"), at+n
			continue
		}
		line := lines[at]
		if strings.Contains(line, many) {
			begin := indentation.FindString(line)
			if strings.HasPrefix(line[len(begin):], " ") {
				begin = "" // it is more than code has
			}
			line = begin + manySpaces.ReplaceAllStringFunc(line[len(begin):], func(run string) string { return "⋯ " + fmt.Sprintf(spacesFormat, len(run)) + " ⋯" })
		}
		out, at = append(out, line), at+1
	}
	return strings.Join(out, "\n")
}

const notBlank = "x"

// blank is the sign of a blank line, which in a diff may be + or -.
func blank(line string, diff bool) string {
	sign := strings.Trim(line, " ␉")
	if sign == "" || diff && (sign == "+" || sign == "-") {
		return sign
	}
	return notBlank
}
