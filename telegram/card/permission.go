package card

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// What a card shows of a command or a change itself; what is longer goes into a file,
// and the card shows how it begins and how it ends.
const (
	bodyRunes = 2000
	edgeRunes = 700
)

// subject is what a permission is asked for: the one thing that has to be read
// before it is allowed.
type subject struct {
	text string // whole, as package letters exposes it
	code string // how it is set, as in span
	file string // its name when it goes into a file
}

func subjectOf(p question.Permission) subject {
	switch {
	case p.Diff != "":
		return subject{letters.Diff(strings.Trim(unindexed(p.Diff), "\n")), "diff", "changes.diff"}
	case p.Command != "":
		return subject{letters.Exposed(strings.Trim(p.Command, "\n")), "bash", "command.txt"}
	}
	return subject{strings.Join(eachOnOneLine(p.Patterns), "\n"), "", "asked.txt"}
}

// unindexed leaves out the two lines "Index: FILE" and "===…" before a diff whose
// next line names the same file.
func unindexed(diff string) string {
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

func (s subject) long() bool { return utf8.RuneCountInString(s.text) > bodyRunes }

// subject is what the permission is for, as far as it fits on a card.
func (p page) subject() markup.Text {
	s := subjectOf(*p.Request.Permission)
	if !s.long() {
		return markup.Text{s.span(s.text)}
	}
	r := []rune(s.text)
	between := fmt.Sprintf("⋯ "+p.w.Permission.Omitted+" ⋯", len(r)-2*edgeRunes)
	if p.unfiled {
		between = "⋯ ❗ " + p.without(fmt.Sprintf(p.w.Permission.Missing, len(r)-2*edgeRunes)) + " ⋯"
	}
	return markup.Text{
		s.span(string(r[:edgeRunes])),
		{Text: "\n" + between + "\n"},
		s.span(string(r[len(r)-edgeRunes:])),
	}
}

// span sets a part of it apart from the card's own lines.
func (s subject) span(part string) markup.Span {
	return markup.Span{Text: part, Code: s.code, Quote: s.code == ""}
}

// leave is the card of a permission that waits.
func (p page) leave() (head, front, tail markup.Text) {
	return p.headline("🔐", p.headers(), p.times()...), p.wanted(), markup.Join("\n\n", p.where(), p.step(), p.team(), p.remarks())
}

// times says how many equal asks the card stands for, if that is more than one.
func (p page) times() []string {
	if p.Count < 2 {
		return nil
	}
	return []string{fmt.Sprintf(p.w.Permission.Times, p.Count)}
}

// wanted is the subject with all else that OpenCode tells of the call. What an agent may
// have written is set as code or as a quotation, whole: without that its line breaks, or
// spaces up to the edge of the screen, could draw lines that look like the card's own.
func (p page) wanted() markup.Text {
	per := *p.Request.Permission
	var lines []markup.Text
	if per.Command != "" && per.Kind != "bash" || per.Diff != "" {
		lines = append(lines, patterns(per.Patterns))
	}
	if per.Kind == "bash" && per.Command == "" {
		lines = append(lines, markup.Plain(p.w.Permission.Parts))
	}
	lines = append(lines, p.subject())
	for _, d := range per.Details {
		text := letters.OneLine(d.Name) + ": " + strings.Trim(letters.Exposed(d.Text), "\n")
		lines = append(lines, markup.Text{{Text: text, Quote: true}})
	}
	return markup.Join("\n", lines...)
}

func patterns(list []string) markup.Text {
	return markup.Text{{Text: strings.Join(eachOnOneLine(list), "\n"), Quote: true}}
}

// where says which directory and session it is about, how long it waits, and what Always would add.
func (p page) where() markup.Text {
	folder := letters.OneLine(p.Origin.Directory)
	if p.Origin.Resolved != "" {
		folder += " → " + letters.OneLine(p.Origin.Resolved)
	}
	place := markup.Phrase(p.w.Permission.In, markup.Plain(folder))
	if p.Origin.Directory == "" {
		place = nil
	}
	lines := []markup.Text{markup.Join(" · ", place, p.title(), p.deadline())}
	if p.Wizard.Step == question.StepGrant && len(p.Request.Permission.Always) > 0 {
		lines = append(lines, markup.Phrase(p.scope(p.w.Permission.Would, p.w.Permission.WouldKeep), p.always()))
	}
	return markup.Join("\n", lines...)
}

// always are the patterns that Always adds. They are never cut.
func (p page) always() markup.Text {
	return markup.Plain(strings.Join(eachOnOneLine(p.Request.Permission.Always), p.w.Comma))
}

func eachOnOneLine(list []string) []string {
	all := make([]string, 0, len(list))
	for _, s := range list {
		all = append(all, letters.OneLine(s))
	}
	return all
}

// scope chooses by how long Always holds.
func (p page) scope(memory, kept string) string {
	if p.Request.Protocol.KeepsAlways() {
		return kept
	}
	return memory
}

// step asks again before what cannot be taken back.
func (p page) step() markup.Text {
	switch p.Wizard.Step {
	case question.StepAlways:
		return markup.Phrase(p.scope(p.w.Permission.Sure, p.w.Permission.SureKeep), markup.Plain(letters.OneLine(p.Origin.Directory)), p.always())
	case question.StepNote:
		return markup.Phrase(p.w.Permission.Note, markup.Plain(quoted(letters.Exposed(p.Wizard.Note()))))
	}
	if p.Wizard.Typing {
		return markup.Plain(p.w.Permission.Reply)
	}
	return nil
}

// leaveRows are the buttons of a permission.
func (p page) leaveRows() [][]Button {
	back := Button{Label: "◀ " + p.w.Back, Move: question.Move{Action: question.Go, Rev: p.Step}}
	send := question.Move{Action: question.Send, Rev: p.Step}
	switch {
	case p.Wizard.Step == question.StepAlways:
		return [][]Button{{{Label: "♾ " + p.w.Permission.Always, Move: send}, back}}
	case p.Wizard.Step == question.StepNote:
		return [][]Button{{{Label: "💬 " + p.w.Permission.RejectNote, Move: send, Style: StyleDanger}}, {back}}
	case p.Wizard.Typing:
		return [][]Button{{p.to("◀ "+p.w.Back, question.Type, 0, false)}}
	}
	once := p.to("✅ "+p.w.Permission.Once, question.Pick, question.PickOnce, false)
	once.Style = styleSuccess
	reject := Button{Label: "🚫 " + p.w.Permission.Reject, Move: question.Move{Action: question.Dismiss, Rev: p.Step}, Style: StyleDanger}
	first := []Button{once}
	if len(p.Request.Permission.Always) > 0 {
		first = append(first, p.to("♾ "+p.w.Permission.Always, question.Pick, question.PickAlways, false))
	}
	if !p.Request.TakesNote() {
		return [][]Button{first, {reject}}
	}
	return [][]Button{first, {reject, p.to("💬 "+p.w.Permission.RejectNote, question.Type, 0, true)}}
}

// grantName is what an answer to a permission is called.
func (p page) grantName(answers question.Answers) string {
	switch {
	case answers.Equal(question.Answers{{question.Once}}):
		return p.w.Permission.Once
	case answers.Equal(question.Answers{{question.Always}}):
		return p.w.Permission.Always
	case answers == nil:
		return p.w.Permission.Allowed
	}
	return strconv.Quote(fmt.Sprint(answers))
}

// permissionTitle says what is wanted, by OpenCode's word for it.
func permissionTitle(kind string, w words.Permission) string {
	if known := map[string]string{
		"bash": w.Bash, "edit": w.Edit, "read": w.Read, "glob": w.Search, "grep": w.Search, "list": w.Search,
		"webfetch": w.Webfetch, "websearch": w.Websearch, "codesearch": w.Websearch,
		"external_directory": w.Outside, "task": w.Task, "skill": w.Skill, "doom_loop": w.Loop,
	}[kind]; known != "" {
		return known
	}
	return fmt.Sprintf(w.Other, markup.OneLine(kind))
}
