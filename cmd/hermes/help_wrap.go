package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// helpWidth is that of a terminal, in characters.
const helpWidth = 80

// wrapHelp has the help of a command and all below it fit the terminal. It takes what cobra prints: a template of hermes' own would link
// text/template.
func wrapHelp(root *cobra.Command) {
	print := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		var text bytes.Buffer
		cmd.SetOut(&text)
		print(cmd, args)
		cmd.SetOut(out)
		_, _ = out.Write([]byte(wrapText(text.String(), helpWidth)))
	})
}

// wrapText breaks the lines of a text that are longer than width. A paragraph with such a line is filled anew; a row with a name before it
// goes on below its text. What is indented and no row is a command to type, and stays.
func wrapText(text string, width int) string {
	var wrapped []string
	lines := strings.Split(text, "\n")
	for len(lines) > 0 {
		n := 1
		if indent := rowText(lines[0]); indent > 0 {
			wrapped = append(wrapped, fill(lines[0][:indent], lines[0][indent:], width)...)
		} else {
			for isProse(lines[0]) && n < len(lines) && isProse(lines[n]) {
				n++
			}
			wrapped = append(wrapped, fillParagraph(lines[:n], width)...)
		}
		lines = lines[n:]
	}
	return strings.Join(wrapped, "\n")
}

func isProse(line string) bool { return line != "" && !strings.HasPrefix(line, " ") }

// row is a line of a list: of a command or a flag, and what it does.
var row = regexp.MustCompile(`^ {2,}\S.*?\s{2,}`)

// rowText is where in a row the text begins, in bytes; 0: the line is no row.
func rowText(line string) int { return len(row.FindString(line)) }

func fillParagraph(lines []string, width int) []string {
	tooLong := func(line string) bool { return utf8.RuneCountInString(line) > width }
	if !isProse(lines[0]) || !slices.ContainsFunc(lines, tooLong) {
		return lines
	}
	return fill("", strings.Join(lines, " "), width)
}

// fill puts as many words into each line as have room, behind head in the first one and below that in the others. A word that is longer
// than a line has one of its own.
func fill(head, text string, width int) (lines []string) {
	line, empty := head, true
	for _, word := range strings.Fields(text) {
		switch {
		case empty:
			line, empty = line+word, false
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = strings.Repeat(" ", utf8.RuneCountInString(head)) + word
		}
	}
	return append(lines, line)
}
