package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// requestText says in a language what a request and its answers are called.
type requestText struct {
	request question.Request
	w       words.Table
}

// answerLines is the answers below the question: one with an arrow, several as a list.
func (r requestText) answerLines(answers question.Answers) markup.Text {
	if len(r.request.Items) > 1 {
		return r.answerList(answers)
	}
	return append(markup.Plain("→ "), r.answersInline(answers)...)
}

// answerList has one line an item.
func (r requestText) answerList(answers question.Answers) markup.Text {
	var lines []markup.Text
	numbers, asked := numbered(r.request.Asked(answers))
	for i := range max(len(r.request.Items), len(answers)) {
		number := asked + 1 + i - len(numbers)
		if i < len(numbers) {
			number = numbers[i]
		}
		if number == 0 {
			continue // it was not asked
		}
		name := markup.Plain(strconv.Itoa(number) + ". " + markup.Isolate(markup.Shorten(r.itemName(i), 200)) + " → ")
		lines = append(lines, append(name, r.itemAnswer(i, answerAt(answers, i))...))
	}
	return markup.Join("\n", lines...)
}

// answersInline is all answers in one line.
func (r requestText) answersInline(answers question.Answers) markup.Text {
	if r.request.Permission != nil {
		return markup.Plain(r.grantName(answers))
	}
	var all []markup.Text
	for i := range max(1, len(answers)) {
		if r.request.Form != nil && len(answers) > 1 && len(answerAt(answers, i)) == 0 {
			continue // it was skipped, or not asked
		}
		all = append(all, r.itemAnswer(i, answerAt(answers, i)))
	}
	return markup.Join(r.w.Semicolon, all...)
}

// itemAnswer is one item's answer: labels as they are, typed text in quotes.
func (r requestText) itemAnswer(item int, labels []string) markup.Text {
	if len(labels) == 0 {
		return markup.Plain("–")
	}
	var all []markup.Text
	for _, label := range labels {
		if item < len(r.request.Items) && r.request.Items[item].Field != nil {
			all = append(all, r.fieldValue(r.request.Items[item], label))
			continue
		}
		text := quote(letters.Clean(label))
		if r.offers(item, label) {
			text = markup.Isolate(label)
		}
		all = append(all, markup.Plain(text))
	}
	return markup.Join(r.w.Comma, all...)
}

// offers reports whether an answer is the label of one of the item's options.
func (r requestText) offers(item int, label string) bool {
	return item < len(r.request.Items) &&
		slices.ContainsFunc(r.request.Items[item].Options, func(o question.Option) bool { return o.Label == label })
}

func answerAt(a question.Answers, i int) []string {
	if i < len(a) {
		return a[i]
	}
	return nil
}

func quote(s string) string { return `"` + s + `"` }

// itemName is an item's header, or words in its place.
func (r requestText) itemName(item int) string {
	if item < len(r.request.Items) {
		if h := markup.OneLine(r.request.Items[item].Header); h != "" {
			return h
		}
		if r.request.Items[item].Field != nil {
			if name := r.fieldName(r.request.Items[item]); name != "" {
				return name
			}
		}
	}
	if len(r.request.Items) < 2 {
		return r.w.Question
	}
	return strings.Replace(r.w.Numbered, "%d", strconv.Itoa(item+1), 1)
}

// name is what the whole request is called, in one line.
func (r requestText) name() string {
	if r.request.Permission != nil {
		return permissionTitle(r.request.Permission.Kind, r.w.Permission)
	}
	if len(r.request.Items) < 2 {
		return r.itemName(0)
	}
	names := make([]string, len(r.request.Items))
	for i := range names {
		names[i] = r.itemName(i)
	}
	return markup.Shorten(strings.Join(names, r.w.Comma), 60)
}

// grantName is what an answer to a permission is called.
func (r requestText) grantName(answers question.Answers) string {
	switch {
	case answers.Equal(question.Answers{{question.Once}}):
		return r.w.Permission.Once
	case answers.Equal(question.Answers{{question.Always}}):
		return r.w.Permission.Always
	case answers == nil:
		return r.w.Permission.Allowed
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

// fileLines say what becomes of the files of an edit where the patterns and the diff do not: which are added, deleted and
// moved, and which are elsewhere than their names say.
func (e permissionEnding) fileLines(p question.Permission) string {
	var lines []string
	for _, f := range p.Files {
		switch f.Kind {
		case question.FileAdded:
			lines = append(lines, fmt.Sprintf(e.w.Permission.Adds, letters.Name(f.Path)))
		case question.FileDeleted:
			lines = append(lines, fmt.Sprintf(e.w.Permission.Deletes, letters.Name(f.Path)))
		case question.FileMoved:
			lines = append(lines, fmt.Sprintf(e.w.Permission.Moves, letters.Name(f.Path), letters.Name(f.To)))
		}
	}
	for _, l := range p.Links {
		lines = append(lines, letters.Name(l.Path)+" → "+letters.Name(l.Target))
	}
	return strings.Join(lines, "\n")
}

const (
	saidRunes = 600 // how much of the agent's last words a card shows at most
	leastSaid = 40  // with room for fewer it shows none
)

// addSaid puts what the agent wrote before it asked below what is asked, folded, as far as there is
// room in one message: what people decide about comes first. A card that is decided leaves it out.
func (f frame) addSaid(head, front, tail markup.Text) markup.Text {
	text := f.said()
	if text == "" || utf8.RuneCountInString(front.String()) == 0 {
		return front
	}
	before := markup.Plain("💬 " + f.w.SaidBefore)
	whole := markup.Join("\n", head, markup.Join("\n\n", front, markup.Join("\n", before, markup.Plain("x")), tail))
	room := min(saidRunes, markup.MaxUnits-whole.Units())
	if room < leastSaid {
		return front
	}
	folded := markup.Span{Text: endOf(text, room), Quote: true, Folded: true}
	return markup.Join("\n\n", front, markup.Join("\n", before, markup.Text{folded}))
}

// said is what the agent wrote, where that is shown and is no repetition of what is asked.
func (f frame) said() string {
	switch {
	case f.Phase != question.PhaseAsking, f.Request.Admission != nil, f.Request.Permission == nil && f.Review():
		return ""
	}
	text := strings.TrimSpace(letters.Clean(f.Said))
	if f.Request.Permission == nil && strings.Contains(f.Item().Text, text) {
		return ""
	}
	return text
}

// endOf is the end of a text of at most limit UTF-16 units. One that is cut says so.
func endOf(text string, limit int) string {
	if markup.Units(text) <= limit {
		return text
	}
	return "…" + strings.TrimLeft(markup.LastUnits(text, limit-1), " \n")
}
