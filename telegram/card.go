package telegram

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/words"
)

// card is what a chat shows of a thread, ready to be sent.
type card struct {
	file  string     // the whole text, for a document before the parts; empty: none
	name  string     // of the file
	about string     // what the file holds
	parts []rich     // messages, at least one; the last has the buttons
	rows  [][]button // none: the card takes no input
}

// button is one button of a row.
type button struct {
	label string
	move  question.Move
	order question.Order // in place of a move: what it asks of sessions; zero: nothing
	style string         // how clients that know styles show it; empty: as all others
}

// page renders one view.
type page struct {
	question.View
	w    words.Table
	now  time.Time // its zone is that of times on screen
	long bool      // the whole text goes into a file

	unfiled bool // and the chat takes none
}

func newPage(v question.View, w words.Table, now time.Time) page {
	return page{View: v, w: w, now: now, long: long(v.Request)}
}

// render makes the card of a view. It is pure.
func render(v question.View, w words.Table, now time.Time) card { return newPage(v, w, now).card() }

// renderUnfiled makes the card for a chat that takes no files: it says so where something is left out.
func renderUnfiled(v question.View, w words.Table, now time.Time) card {
	p := newPage(v, w, now)
	p.unfiled = true
	return p.card()
}

func (p page) card() card {
	c := card{rows: p.keyboard()}
	if p.long && !p.unfiled {
		c.file, c.name, c.about = p.whole()
	}
	head, front, tail := p.layout()
	c.parts = arrange(head, front, tail, p.long)
	return c
}

// layout returns the first line, what the agent asks, and what belongs beside
// the buttons.
func (p page) layout() (head, front, tail rich) {
	switch {
	case p.Request.Admission != nil:
		return p.admission()
	case p.Phase != question.PhaseAsking:
		return p.closed()
	case p.Request.Permission != nil:
		return p.leave()
	case p.Review():
		return p.review()
	}
	return p.ask()
}

// arrange puts the card into as few messages as hold it. The one with the
// buttons always begins with the first line, so that it is clear by itself.
func arrange(head, front, tail rich, filed bool) []rich {
	whole := join("\n", head, join("\n\n", front, tail))
	if whole.runes() <= maxRunes || tail.empty() || front.empty() || filed {
		return split(whole)
	}
	return append(split(join("\n", head, front)), split(join("\n", head, tail))...)
}

// Beyond about ten messages a question is sent as a file.
const longRunes = 9 * maxRunes

// long reports whether some step of the request is too long for messages. It
// looks at the request alone, so all steps of a thread agree.
func long(r question.Request) bool {
	if r.Permission != nil {
		return subjectOf(*r.Permission).long()
	}
	for _, item := range r.Items {
		n := utf8.RuneCountInString(r.Context) + utf8.RuneCountInString(item.Text)
		for _, o := range item.Options {
			n += utf8.RuneCountInString(o.Label) + utf8.RuneCountInString(o.Description) + len("99. \n    ")
		}
		if n > longRunes {
			return true
		}
	}
	return false
}

// whole is the text of all items, or what a permission is asked for, for a file.
func (p page) whole() (text, name, about string) {
	if per := p.Request.Permission; per != nil {
		s := subjectOf(*per)
		return s.text + "\n", s.file, p.w.Permission.File
	}
	var b strings.Builder
	where := oneLine(p.Project)
	if where != "" {
		where = " · " + where
	}
	if p.Request.Context != "" {
		b.WriteString(letters.Clean(p.Request.Context) + "\n\n")
	}
	for i, item := range p.Request.Items {
		b.WriteString(strings.TrimSpace(p.header(i)+where) + "\n\n" + letters.Clean(item.Text) + "\n\n")
		for n, o := range item.Options {
			b.WriteString(option(n, o).plain() + "\n")
		}
		b.WriteString("\n")
	}
	return b.String(), "question.txt", p.w.File
}

// headline is the first line: a sign, what is asked, and where.
func (p page) headline(sign, header string, more ...string) rich {
	rest := ""
	if project := shorten(oneLine(p.Project), 100); project != "" {
		rest = " · " + apart(project)
	}
	for _, m := range more {
		rest += " · " + m
	}
	return rich{{text: sign + " "}, {text: apart(shorten(header, 200)), bold: true}, {text: rest}}
}

// header is an item's header, or words in its place.
func (p page) header(item int) string {
	if item < len(p.Request.Items) {
		if h := oneLine(p.Request.Items[item].Header); h != "" {
			return h
		}
	}
	if len(p.Request.Items) < 2 {
		return p.w.Question
	}
	return strings.Replace(p.w.Numbered, "%d", strconv.Itoa(item+1), 1)
}

// headers names all items.
func (p page) headers() string {
	if p.Request.Permission != nil {
		return permissionTitle(p.Request.Permission.Kind, p.w.Permission)
	}
	if len(p.Request.Items) < 2 {
		return p.header(0)
	}
	names := make([]string, len(p.Request.Items))
	for i := range names {
		names[i] = p.header(i)
	}
	return shorten(strings.Join(names, p.w.Comma), 60)
}

// What a card shows of a long request, in runes.
const (
	textRunes    = 1000
	contextRunes = 500
	optionRunes  = 200 // of a label, and of a description
)

// text is an item's whole text; of a long request it is the beginning, and where the rest
// is. A header too long for the first line stands before it.
func (p page) text(item int) rich {
	text := p.itemText(item)
	switch {
	case !p.long:
		return plain(text)
	case !p.unfiled:
		return plain(beginning(text, textRunes) + "\n\n" + p.w.Above)
	case !p.cut(item):
		return plain(text)
	}
	return plain(beginning(text, textRunes) + "\n\n❗ " + p.without(p.w.NoFile))
}

func (p page) itemText(item int) string {
	text := strings.Trim(letters.Clean(p.Request.Items[item].Text), "\n")
	if h := p.header(item); widthOf(h) > 200 {
		text = h + "\n" + text
	}
	return text
}

// context is what the asker wants people to know before they answer.
func (p page) context() rich {
	if p.long {
		return plain(beginning(p.contextText(), contextRunes))
	}
	return plain(p.contextText())
}

func (p page) contextText() string { return strings.Trim(letters.Clean(p.Request.Context), "\n") }

// cut reports whether something is left out of what a card of a long request shows of an item.
// Choices on other pages are not left out, and an end shows none at all.
func (p page) cut(item int) bool {
	asking := p.Phase == question.PhaseAsking
	switch {
	case longer(p.itemText(item), textRunes):
		return true
	case longer(p.contextText(), contextRunes) && (asking || len(p.Request.Items) == 1):
		return true
	}
	return asking && slices.ContainsFunc(p.Request.Items[item].Options, func(o question.Option) bool {
		return longer(o.Label, optionRunes) || longer(o.Description, optionRunes)
	})
}

// without is the sentence that something is left out as the chat takes no files, and where
// all of it can be read, as far as that is known: hermes answer shows what a program asks
// while it waits, but no permission that is left to people in chats.
func (p page) without(sentence string) string {
	switch {
	case p.Origin.Way != question.AskAPI:
		return sentence + " " + p.w.WholeAt
	case p.Phase == question.PhaseAsking && p.Request.Permission == nil:
		return sentence + " " + p.w.WholeAtAsk
	}
	return sentence
}

func longer(s string, n int) bool { return utf8.RuneCountInString(s) > n }

func beginning(s string, n int) string {
	if longer(s, n) {
		return string([]rune(s)[:n]) + "…"
	}
	return s
}

// foot is the last line: whose session it is, and how long it waits.
func (p page) foot() rich { return join(" · ", p.title(), p.deadline()) }

// title names the session, and the subagent's.
func (p page) title() rich {
	title := apart(shorten(oneLine(p.Place.Title), 200))
	if sub := apart(shorten(oneLine(p.Place.Subagent), 200)); sub != "" {
		title = strings.TrimSpace(title + " › " + sub)
	}
	return plain(title)
}

// deadline is how long it waits, nothing when that is for ever or over.
func (p page) deadline() rich {
	if p.Deadline.IsZero() || p.Phase != question.PhaseAsking {
		return nil
	}
	return phrase(p.w.Waits, clock(p.Deadline, p.now))
}
