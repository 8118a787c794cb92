package sessionview

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/card"
	"hermes/telegram/markup"
)

// turn is what a session did last: in numbers, and in its own words, whole.
func (p teller) turn() Message {
	words := strings.TrimSpace(letters.Clean(p.Turn.Text))
	t := Message{}
	body := markup.Plain(words)
	if utf8.RuneCountInString(words) > card.LongRunes {
		t.File, t.FileName = words, "answer.txt"
		body = markup.Plain(p.w.Sessions.InFile)
	}
	if words == "" {
		body = markup.Plain(p.w.Sessions.NoWords)
	}
	sign, state := p.state()
	head := markup.Join("\n", p.headline(sign), markup.Join(" · ", append([]markup.Text{state}, p.numbers()...)...), p.trouble())
	t.Parts = markup.Split(markup.Join("\n\n", head, body, markup.Plain(p.w.Sessions.GoOn)))
	if t.File != "" {
		begins := markup.Plain(markup.Beginning(words, unfiledRunes) + "\n\n❗ " + p.w.Sessions.NoFile)
		t.WithoutFile = markup.Split(markup.Join("\n\n", head, begins, markup.Plain(p.w.Sessions.GoOn)))
	}
	return t
}

// state says whether the session works, is done, or was stopped, as far as that is known.
func (p teller) state() (sign string, state markup.Text) {
	r := p.w.Sessions
	switch {
	case p.Session.Busy && p.Kind == question.TellLast:
		return "⚙️", markup.Plain(r.Works)
	case p.Turn.Aborted:
		return "⏹", markup.Plain(r.WasStopped)
	case p.Turn.Unfinished:
		return "❔", markup.Plain(r.EndUnknown)
	case p.Turn.Error != "":
		return "⚠️", markup.Plain(r.WithError)
	case p.Turn.Message == "":
		return "💤", markup.Plain(r.IsIdle)
	case !p.Turn.Ended.IsZero() && !p.Turn.Began.IsZero() && p.Turn.Ended.Sub(p.Turn.Began) >= time.Second:
		return "💤", markup.Plain(fmt.Sprintf(r.DoneIn, p.w.Duration(p.Turn.Ended.Sub(p.Turn.Began))))
	}
	return "💤", markup.Plain(r.Done)
}

// numbers are those that are known.
func (p teller) numbers() []markup.Text {
	r, t := p.w.Sessions, p.Turn
	var all []markup.Text
	if t.Files > 0 {
		all = append(all, markup.Plain(r.FileCount(t.Files)+fmt.Sprintf(" +%d −%d", t.Added, t.Removed)))
	}
	if len(t.Todos) > 0 {
		all = append(all, markup.Plain(fmt.Sprintf(r.TodosDone, finished(t.Todos), len(t.Todos))))
	}
	switch {
	case t.Cost > 0:
		all = append(all, markup.Plain(dollars(t.Cost)))
	case t.Tokens > 0:
		all = append(all, markup.Plain(fmt.Sprintf(r.Tokens, t.Tokens)))
	}
	return all
}

func dollars(cost float64) string {
	if cost < 0.01 {
		return "< $0.01"
	}
	return fmt.Sprintf("$%.2f", cost)
}

func finished(todos []question.Todo) int {
	n := 0
	for _, t := range todos {
		if t.State == "completed" {
			n++
		}
	}
	return n
}

func (p teller) trouble() markup.Text {
	if p.Turn.Error == "" {
		return nil
	}
	return markup.Plain(letters.Clean(p.Turn.Error))
}

// todos is the session's list.
func (p teller) todos() markup.Text {
	if len(p.Turn.Todos) == 0 {
		return markup.Plain(p.w.Sessions.NoTodos)
	}
	var lines []markup.Text
	for _, t := range p.Turn.Todos {
		lines = append(lines, markup.Plain(boxOf(t.State)+" "+markup.Isolate(t.Text)))
	}
	return markup.Join("\n", lines...)
}

func boxOf(state string) string {
	switch state {
	case "completed":
		return "☑"
	case "in_progress":
		return "▶"
	case "cancelled":
		return "☒"
	}
	return "☐"
}

// unfiledRunes is how much is shown of what belongs into a file, where a chat takes none.
const unfiledRunes = 2500

// diffInline is how much of a diff is shown as a message; more is a file.
const diffInline = 3000

// diff is what the session changed.
func (p teller) diff() Message {
	text := letters.Diff(p.Text)
	head := p.headline("📝")
	switch {
	case strings.TrimSpace(text) == "":
		return Message{Parts: markup.Split(markup.Join("\n", head, markup.Plain(p.w.Sessions.NoDiff)))}
	case utf8.RuneCountInString(text) > diffInline:
		begins := append(append(head, markup.Span{Text: "\n"}), markup.Span{Text: markup.Beginning(text, unfiledRunes), Code: "diff"})
		return Message{
			File: p.Text, FileName: "changes.diff", Parts: markup.Split(markup.Join("\n", head, markup.Plain(p.w.Sessions.InFile))),
			WithoutFile: markup.Split(markup.Join("\n\n", begins, markup.Plain("❗ "+p.w.Sessions.NoFile))),
		}
	}
	return Message{Parts: markup.Split(append(append(head, markup.Span{Text: "\n"}), markup.Span{Text: text, Code: "diff"}))}
}
