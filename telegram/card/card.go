package card

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/callback"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// Card is what a chat shows of a thread, ready to be sent.
type Card struct {
	File     string        // the whole text, for a document before the parts; empty: none
	FileName string        // of the file
	Caption  string        // what the file holds
	Parts    []markup.Text // messages, at least one; the last has the buttons
	Rows     [][]Button    // none: the card takes no input
}

// Button is one button of a row.
type Button struct {
	Label string
	Move  question.Move
	Order question.Order // in place of a move: what it asks of sessions; zero: nothing
	Style string         // how clients that know styles show it; empty: as all others
}

// Data is what the button carries; empty where no data can stand for it.
func (b Button) Data(thread question.ID) string {
	if b.Order.Kind != "" {
		return callback.EncodeOrder(b.Order)
	}
	return callback.EncodeMove(thread, b.Move)
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

// Render makes the card of a view. It is pure.
func Render(v question.View, w words.Table, now time.Time) Card { return newPage(v, w, now).card() }

// RenderWithoutFile makes the card for a chat that takes no files: it says so where something is left out.
func RenderWithoutFile(v question.View, w words.Table, now time.Time) Card {
	p := newPage(v, w, now)
	p.unfiled = true
	return p.card()
}

func (p page) card() Card {
	c := Card{Rows: p.keyboard()}
	if p.long && !p.unfiled {
		c.File, c.FileName, c.Caption = p.whole()
	}
	head, front, tail := p.layout()
	c.Parts = arrange(head, front, tail, p.long)
	return c
}

// layout returns the first line, what the agent asks, and what belongs beside
// the buttons.
func (p page) layout() (head, front, tail markup.Text) {
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
func arrange(head, front, tail markup.Text, filed bool) []markup.Text {
	whole := markup.Join("\n", head, markup.Join("\n\n", front, tail))
	if whole.Runes() <= markup.MaxRunes || tail.Empty() || front.Empty() || filed {
		return markup.Split(whole)
	}
	return append(markup.Split(markup.Join("\n", head, front)), markup.Split(markup.Join("\n", head, tail))...)
}

// Beyond about ten messages a question is sent as a file.
const LongRunes = 9 * markup.MaxRunes

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
		if n > LongRunes {
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
	where := markup.OneLine(p.Project)
	if where != "" {
		where = " · " + where
	}
	if p.Request.Context != "" {
		b.WriteString(letters.Clean(p.Request.Context) + "\n\n")
	}
	for i, item := range p.Request.Items {
		b.WriteString(strings.TrimSpace(p.header(i)+where) + "\n\n" + letters.Clean(item.Text) + "\n\n")
		for n, o := range item.Options {
			b.WriteString(option(n, o).String() + "\n")
		}
		b.WriteString("\n")
	}
	return b.String(), "question.txt", p.w.File
}

// headline is the first line: a sign, what is asked, and where.
func (p page) headline(sign, header string, more ...string) markup.Text {
	rest := ""
	if project := markup.Shorten(markup.OneLine(p.Project), 100); project != "" {
		rest = " · " + markup.Isolate(project)
	}
	for _, m := range more {
		rest += " · " + m
	}
	return markup.Text{{Text: sign + " "}, {Text: markup.Isolate(markup.Shorten(header, 200)), Bold: true}, {Text: rest}}
}

// header is an item's header, or words in its place.
func (p page) header(item int) string {
	if item < len(p.Request.Items) {
		if h := markup.OneLine(p.Request.Items[item].Header); h != "" {
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
	return markup.Shorten(strings.Join(names, p.w.Comma), 60)
}

// What a card shows of a long request, in runes.
const (
	textRunes    = 1000
	contextRunes = 500
	optionRunes  = 200 // of a label, and of a description
)

// text is an item's whole text; of a long request it is the beginning, and where the rest
// is. A header too long for the first line stands before it.
func (p page) text(item int) markup.Text {
	text := p.itemText(item)
	switch {
	case !p.long:
		return markup.Plain(text)
	case !p.unfiled:
		return markup.Plain(markup.Beginning(text, textRunes) + "\n\n" + p.w.Above)
	case !p.cut(item):
		return markup.Plain(text)
	}
	return markup.Plain(markup.Beginning(text, textRunes) + "\n\n❗ " + p.without(p.w.NoFile))
}

func (p page) itemText(item int) string {
	text := strings.Trim(letters.Clean(p.Request.Items[item].Text), "\n")
	if h := p.header(item); markup.Width(h) > 200 {
		text = h + "\n" + text
	}
	return text
}

// context is what the asker wants people to know before they answer.
func (p page) context() markup.Text {
	if p.long {
		return markup.Plain(markup.Beginning(p.contextText(), contextRunes))
	}
	return markup.Plain(p.contextText())
}

func (p page) contextText() string { return strings.Trim(letters.Clean(p.Request.Context), "\n") }

// cut reports whether something is left out of what a card of a long request shows of an item.
// Choices on other pages are not left out, and an end shows none at all.
func (p page) cut(item int) bool {
	asking := p.Phase == question.PhaseAsking
	switch {
	case markup.Longer(p.itemText(item), textRunes):
		return true
	case markup.Longer(p.contextText(), contextRunes) && (asking || len(p.Request.Items) == 1):
		return true
	}
	return asking && slices.ContainsFunc(p.Request.Items[item].Options, func(o question.Option) bool {
		return markup.Longer(o.Label, optionRunes) || markup.Longer(o.Description, optionRunes)
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

// foot is the last line: whose session it is, and how long it waits.
func (p page) foot() markup.Text { return markup.Join(" · ", p.title(), p.deadline()) }

// title names the session, and the subagent's.
func (p page) title() markup.Text {
	title := markup.Isolate(markup.Shorten(markup.OneLine(p.Place.Title), 200))
	if sub := markup.Isolate(markup.Shorten(markup.OneLine(p.Place.Subagent), 200)); sub != "" {
		title = strings.TrimSpace(title + " › " + sub)
	}
	return markup.Plain(title)
}

// deadline is how long it waits, nothing when that is for ever or over.
func (p page) deadline() markup.Text {
	if p.Deadline.IsZero() || p.Phase != question.PhaseAsking {
		return nil
	}
	return markup.Phrase(p.w.Waits, markup.Clock(p.Deadline, p.now))
}
