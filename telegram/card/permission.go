package card

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// What a card shows of a command or a change itself; what is longer goes into a file,
// and the card shows how it begins and how it ends.
const (
	bodyRunes = 2000
	edgeRunes = 700
)

// permissionCard is the card of a permission ask.
type permissionCard struct {
	permissionEnding
	subject     subject
	withoutFile bool // the chat takes no files
}

func (c permissionCard) tooLong() bool { return c.subject.isLong() }

// file is what the permission is asked for.
func (c permissionCard) file() (text, name, caption string) {
	return c.subject.text + "\n", c.subject.file, c.w.Permission.File
}

func (c permissionCard) layout() (head, front, tail markup.Text) {
	if c.Phase != question.PhaseAsking {
		return closedParts(c.headline(c.sign(), c.name(), equalAsks(c.frame)...), c.subjectAndDetails(), c.lines())
	}
	return c.headline("🔐", c.name(), equalAsks(c.frame)...), c.subjectAndDetails(), markup.Join("\n\n", c.whereAndHowLong(), c.confirmation(), c.team().lines(), c.remarks())
}

func (c permissionCard) keyboard() [][]Button {
	if c.Phase != question.PhaseAsking {
		return c.closedRows()
	}
	return withoutEmpty(append(c.askingRows(), c.claimRow()))
}

// subject is what a permission is asked for: the one thing that has to be read
// before it is allowed.
type subject struct {
	text string // whole, as package letters exposes it
	code string // how it is set, as in span
	file string // its name when it goes into a file
}

func subjectOf(p question.Permission) subject {
	diff, command := letters.Diff(strings.Trim(withoutIndex(p.Diff), "\n")), letters.Exposed(strings.Trim(p.Command, "\n"))
	switch {
	case p.Diff != "" && p.Command != "":
		return subject{command + "\n\n" + diff, "bash", "asked.txt"}
	case p.Diff != "":
		return subject{diff, "diff", "changes.diff"}
	case p.Command != "":
		return subject{command, "bash", "command.txt"}
	}
	return subject{strings.Join(eachOnOneLine(p.Patterns), "\n"), "", "asked.txt"}
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

func (s subject) isLong() bool { return utf8.RuneCountInString(s.text) > bodyRunes }

// subjectOnCard is what the permission is for, as far as it fits on a card.
func (c permissionCard) subjectOnCard() markup.Text {
	s := c.subject
	if !s.isLong() {
		return markup.Text{s.asSpan(s.text)}
	}
	r := []rune(s.text)
	between := fmt.Sprintf("⋯ "+c.w.Permission.Omitted+" ⋯", len(r)-2*edgeRunes)
	if c.withoutFile {
		between = "⋯ ❗ " + c.addWhereToRead(fmt.Sprintf(c.w.Permission.Missing, len(r)-2*edgeRunes)) + " ⋯"
	}
	return markup.Text{
		s.asSpan(string(r[:edgeRunes])),
		{Text: "\n" + between + "\n"},
		s.asSpan(string(r[len(r)-edgeRunes:])),
	}
}

// asSpan sets a part of it apart from the card's own lines.
func (s subject) asSpan(part string) markup.Span {
	return markup.Span{Text: part, Code: s.code, Quote: s.code == ""}
}

// equalAsks says how many equal asks the card stands for, if that is more than one.
func equalAsks(f frame) []string {
	if f.Count < 2 {
		return nil
	}
	return []string{fmt.Sprintf(f.w.Permission.Times, f.Count)}
}

// subjectAndDetails is the subject with all else that OpenCode tells of the call. What an agent may
// have written is set as code or as a quotation, whole: without that its line breaks, or
// spaces up to the edge of the screen, could draw lines that look like the card's own.
func (c permissionCard) subjectAndDetails() markup.Text {
	if c.Withheld {
		return markup.Plain("❗ " + c.w.Permission.Withheld)
	}
	per := *c.Request.Permission
	var lines []markup.Text
	file, change, once := c.subject.fileOnce(per, c.Origin.Directory)
	if beside := question.PatternsBeside(per.Kind, per.Command, per.Patterns); (per.Command != "" || per.Diff != "") && len(beside) > 0 {
		lines = append(lines, patternLines(beside))
	}
	lines = append(lines, c.fileLines(per))
	if per.Kind == "bash" && per.Command == "" {
		lines = append(lines, markup.Plain(c.w.Permission.Parts))
	}
	if once {
		c.subject.text = change
	}
	lines = append(lines, c.subjectOnCard())
	for _, d := range per.Details {
		if once && d.Text == file {
			continue
		}
		text := cmp.Or(c.w.Permission.Details[d.Name], letters.OneLine(d.Name)) + c.w.Colon + strings.Trim(letters.Exposed(d.Text), "\n")
		lines = append(lines, markup.Text{{Text: text, Quote: true}})
	}
	return markup.Join("\n", lines...)
}

func patternLines(list []string) markup.Text {
	return markup.Text{{Text: strings.Join(eachOnOneLine(list), "\n"), Quote: true}}
}

// whereAndHowLong says which directory and session it is about, how long it waits, and what Always would add.
func (c permissionCard) whereAndHowLong() markup.Text {
	folder := letters.OneLine(c.Origin.Directory)
	if c.Origin.Resolved != "" {
		folder += " → " + letters.OneLine(c.Origin.Resolved)
	}
	place := markup.Phrase(c.w.Permission.In, markup.Plain(folder))
	if c.Origin.Directory == "" {
		place = nil
	}
	lines := []markup.Text{markup.Join(" · ", place, c.sessionTitle(), c.deadline())}
	if c.Wizard.Step == question.StepGrant && len(c.Request.Permission.Always) > 0 {
		lines = append(lines, markup.Phrase(c.chooseByLifetime(c.w.Permission.Would, c.w.Permission.WouldKeep), c.alwaysPatterns()))
	}
	return markup.Join("\n", lines...)
}

func eachOnOneLine(list []string) []string {
	all := make([]string, 0, len(list))
	for _, s := range list {
		all = append(all, letters.OneLine(s))
	}
	return all
}

// confirmation asks again before what cannot be taken back.
func (c permissionCard) confirmation() markup.Text {
	switch c.Wizard.Step {
	case question.StepAlways:
		return markup.Phrase(c.sureText(), markup.Plain(letters.OneLine(c.Origin.Directory)), c.alwaysPatterns())
	case question.StepNote:
		return markup.Phrase(c.w.Permission.Note, markup.Plain(quote(letters.Exposed(c.Wizard.Note()))))
	}
	if c.Wizard.Typing {
		return markup.Plain(c.w.Permission.Reply)
	}
	return nil
}

// askingRows are the buttons of a permission.
func (c permissionCard) askingRows() [][]Button {
	back := Button{Label: "◀ " + c.w.Back, Move: question.WizardInput{Action: question.Go, Rev: c.Step}}
	send := question.WizardInput{Action: question.Send, Rev: c.Step}
	switch {
	case c.Wizard.Step == question.StepAlways:
		return [][]Button{{{Label: "🔓 " + c.w.Permission.Always, Move: send}, back}}
	case c.Wizard.Step == question.StepNote:
		return [][]Button{{{Label: "💬 " + c.w.Permission.RejectNote, Move: send, Style: StyleDanger}}, {back}}
	case c.Wizard.Typing:
		return [][]Button{{c.moveButton("◀ "+c.w.Back, question.Type, 0, false)}}
	}
	once := c.moveButton("✅ "+c.w.Permission.Once, question.Pick, question.PickOnce, false)
	once.Style = styleSuccess
	reject := Button{Label: "🚫 " + c.w.Permission.Reject, Move: question.WizardInput{Action: question.Dismiss, Rev: c.Step}, Style: StyleDanger}
	first := []Button{once}
	if len(c.Request.Permission.Always) > 0 {
		first = append(first, c.moveButton("🔓 "+c.w.Permission.Always, question.Pick, question.PickAlways, false))
	}
	if !c.Request.TakesNote() {
		return [][]Button{first, {reject}}
	}
	return [][]Button{first, {reject, c.moveButton("💬 "+c.w.Permission.RejectNote, question.Type, 0, true)}}
}
