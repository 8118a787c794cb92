package ui

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// What a card shows of what is asked for, in runes. What is longer goes into a file, and the card shows how
// it begins; of a command or a change also how it ends.
const (
	askedRunes  = 3500 // of all: with what else a card says it is one message
	bodyRunes   = 2000 // of a command or a change itself
	edgeRunes   = 700
	beginRunes  = 300 // of all else, each
	alwaysRunes = 500 // of the patterns that Always adds
)

// asked is what a permission is asked for, as package letters exposes it.
type asked struct {
	subject                  subject
	patterns, files, details string // beside the subject; empty: none
	always                   string // what Always adds
}

func newAsked(e permissionEnding) asked {
	p := *e.Request.Permission
	a := asked{subject: subjectOf(p), files: e.fileLines(p), always: e.alwaysList(e.w.Comma)}
	if beside := question.PatternsBeside(p.Kind, p.Command, p.Patterns); p.Command != "" || p.Diff != "" {
		a.patterns = strings.Join(eachOnOneLine(beside), "\n")
	}
	file, change, once := a.subject.fileOnce(p, e.Origin.Directory)
	if once {
		a.subject.short = change
	}
	var lines []string
	for _, d := range p.Details {
		if !once || d.Text != file {
			lines = append(lines, cmp.Or(e.w.Permission.Details[d.Name], letters.Name(d.Name))+e.w.Colon+onOwnLines(d.Text))
		}
	}
	a.details = strings.Join(lines, "\n")
	return a
}

// folded is what the card shows of it: long runs of blank lines and spaces are counted.
func (a asked) folded(fold func(text string, diff bool) string) asked {
	a.subject.text, a.subject.short = fold(a.subject.text, a.subject.file != "command.txt"), fold(a.subject.short, true)
	a.patterns, a.files, a.details, a.always = fold(a.patterns, false), fold(a.files, false), fold(a.details, false), fold(a.always, false)
	return a
}

// onOwnLines is a detail behind its name: its further lines are set in, so that none begins as another detail does.
func onOwnLines(text string) string {
	return strings.ReplaceAll(strings.Trim(letters.Exposed(text), "\n"), "\n", "\n  ")
}

// beside are the parts that are set as quotations, in the card's order.
func (a asked) beside() []string { return []string{a.patterns, a.files, a.details} }

// isCut reports whether what is beside the subject is too long for the card.
func (a asked) isCut() bool {
	room := askedRunes - a.subject.runesOnCard()
	for _, text := range a.beside() {
		room -= utf8.RuneCountInString(text)
	}
	return room < 0
}

// tooLong reports whether a file has some of it. It looks at the request alone.
func (c permissionCard) tooLong() bool {
	return c.subject.isLong() || c.isCut() || markup.Longer(c.always, alwaysRunes) || c.asked != c.all
}

// file is all that the permission is asked for. No text of an agent has a line like those that tell the parts apart: of ⋯ in it the
// number is written.
func (c permissionCard) file() (text, name, caption string) {
	w := c.w.Permission
	text = c.all.subject.text + "\n"
	for _, part := range [][2]string{{w.Patterns, c.all.patterns}, {w.Files, c.all.files}, {w.Others, c.all.details}, {w.Adding, c.all.always}} {
		if part[1] != "" {
			text += "\n⋯ " + part[0] + " ⋯\n" + part[1] + "\n"
		}
	}
	return text, c.subject.file, w.File
}

// askedFor is what the permission is for, as far as it fits on a card. What an agent may have written is set as code or as a
// quotation, whole: without that its line breaks, or spaces up to the edge of the screen, could draw lines that look like
// the card's own.
func (c permissionCard) askedFor() markup.Text {
	if c.Withheld {
		return markup.Plain("❗ " + c.w.Permission.Withheld)
	}
	p := *c.Request.Permission
	var parts, unread markup.Text
	if p.Unread {
		unread = markup.Plain("❗ " + c.w.Permission.Unread)
	}
	if p.Kind == "bash" && p.Command == "" {
		parts = markup.Plain(c.w.Permission.Parts)
	}
	return markup.Join("\n", c.quoted(c.patterns), c.quoted(c.files), unread, parts, c.subjectOnCard(), c.quoted(c.details))
}

// quoted is what is beside the subject: whole, or how it begins.
func (c permissionCard) quoted(text string) markup.Text {
	n := utf8.RuneCountInString(text)
	if n <= beginRunes || c.whole || !c.isCut() {
		return markup.Text{{Text: text, Quote: true}}
	}
	begin := string([]rune(text)[:beginRunes])
	return markup.Text{{Text: begin, Quote: true}, {Text: "\n" + c.leftOut(n-beginRunes)}}
}

// subjectOnCard is the subject: whole, or how it begins and ends.
func (c permissionCard) subjectOnCard() markup.Text {
	s := c.subject
	if c.whole || !s.isLong() {
		return markup.Text{s.asSpan(cmp.Or(s.short, s.text))}
	}
	r := []rune(s.text)
	return markup.Text{
		s.asSpan(string(r[:edgeRunes])),
		{Text: "\n" + c.leftOut(len(r)-2*edgeRunes) + "\n"},
		s.asSpan(string(r[len(r)-edgeRunes:])),
	}
}

// leftOut says how much is not here, and where it is.
func (c permissionCard) leftOut(runes int) string {
	if c.partly {
		return "⋯ ❗ " + c.addWhereToRead(fmt.Sprintf(c.w.Permission.Missing, runes)) + " ⋯"
	}
	return "⋯ " + fmt.Sprintf(c.w.Permission.Omitted, runes) + " ⋯"
}

// subject is what a permission is asked for: the one thing that has to be read
// before it is allowed.
type subject struct {
	text  string // whole, as package letters exposes it
	short string // what the card shows of it, if not all; see fileOnce
	code  string // how it is set, as in span
	file  string // its name when it goes into a file
}

func subjectOf(p question.Permission) subject {
	diff, command := letters.Diff(strings.Trim(withoutIndex(p.Diff), "\n")), letters.Exposed(strings.Trim(p.Command, "\n"))
	switch {
	case p.Diff != "" && p.Command != "":
		return subject{text: command + "\n\n" + diff, code: "bash", file: "asked.txt"}
	case p.Diff != "":
		return subject{text: diff, code: "diff", file: "changes.diff"}
	case p.Command != "":
		return subject{text: command, code: "bash", file: "command.txt"}
	}
	return subject{text: strings.Join(eachOnOneLine(p.Patterns), "\n"), file: "asked.txt"}
}

// withoutIndex leaves out the two lines "Index: FILE" and "===…" before a diff whose
// next line names the same file.
func withoutIndex(diff string) string {
	lines := strings.SplitN(diff, "\n", 4)
	if len(lines) < 4 || strings.Trim(lines[1], "=") != "" {
		return diff
	}
	file, ok := strings.CutPrefix(lines[0], "Index: ")
	if !ok || strings.TrimRight(lines[2], "\t") != "--- "+file {
		return diff
	}
	return lines[2] + "\n" + lines[3]
}

// fileOnce returns the file of a change of one file and the change without the diff's first two lines, which name it. It
// reports whether the pattern names it, too, so that they need not. Only what is on the card leaves them out: a long diff is whole in its file.
func (s subject) fileOnce(p question.Permission, folder string) (file, change string, once bool) {
	lines := strings.SplitN(s.text, "\n", 3)
	if p.Diff == "" || p.Command != "" || s.isLong() || len(lines) < 3 || len(p.Patterns) != 1 || !strings.HasPrefix(lines[2], "@@") {
		return "", "", false
	}
	file, ok := strings.CutPrefix(lines[0], "--- ")
	file = strings.TrimRight(file, "\t")
	named := file == p.Patterns[0] || folder != "" && file == strings.TrimRight(folder, "/")+"/"+p.Patterns[0]
	return file, lines[2], ok && named && strings.TrimRight(lines[1], "\t") == "+++ "+file
}

func (s subject) isLong() bool { return markup.Longer(s.text, bodyRunes) }

// runesOnCard is how much of it the card shows.
func (s subject) runesOnCard() int {
	if s.isLong() {
		return 2 * edgeRunes
	}
	return utf8.RuneCountInString(s.text)
}

// asSpan sets a part of it apart from the card's own lines.
func (s subject) asSpan(part string) markup.Span {
	return markup.Span{Text: part, Code: s.code, Quote: s.code == ""}
}

func eachOnOneLine(list []string) []string {
	all := make([]string, 0, len(list))
	for _, s := range list {
		all = append(all, letters.OneLine(s))
	}
	return all
}
