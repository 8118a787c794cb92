package telegram

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
)

// turn is what a session did last: in numbers, and in its own words, whole.
func (p teller) turn() told {
	words := strings.TrimSpace(letters.Clean(p.Turn.Text))
	t := told{}
	body := plain(words)
	if utf8.RuneCountInString(words) > longRunes {
		t.file, t.name = words, "answer.txt"
		body = plain(p.w.Sessions.InFile)
	}
	if words == "" {
		body = plain(p.w.Sessions.NoWords)
	}
	sign, state := p.state()
	head := join("\n", p.headline(sign), join(" · ", append([]rich{state}, p.numbers()...)...), p.trouble())
	t.parts = split(join("\n\n", head, body, plain(p.w.Sessions.GoOn)))
	if t.file != "" {
		begins := plain(beginning(words, unfiledRunes) + "\n\n❗ " + p.w.Sessions.NoFile)
		t.unfiled = split(join("\n\n", head, begins, plain(p.w.Sessions.GoOn)))
	}
	return t
}

// state says whether the session works, is done, or was stopped, as far as that is known.
func (p teller) state() (sign string, state rich) {
	r := p.w.Sessions
	switch {
	case p.Session.Busy && p.Kind == question.TellLast:
		return "⚙️", plain(r.Works)
	case p.Turn.Aborted:
		return "⏹", plain(r.WasStopped)
	case p.Turn.Unfinished:
		return "❔", plain(r.EndUnknown)
	case p.Turn.Error != "":
		return "⚠️", plain(r.WithError)
	case p.Turn.Message == "":
		return "💤", plain(r.IsIdle)
	case !p.Turn.Ended.IsZero() && !p.Turn.Began.IsZero() && p.Turn.Ended.Sub(p.Turn.Began) >= time.Second:
		return "💤", plain(fmt.Sprintf(r.DoneIn, p.w.Duration(p.Turn.Ended.Sub(p.Turn.Began))))
	}
	return "💤", plain(r.Done)
}

// numbers are those that are known.
func (p teller) numbers() []rich {
	r, t := p.w.Sessions, p.Turn
	var all []rich
	if t.Files > 0 {
		all = append(all, plain(r.FileCount(t.Files)+fmt.Sprintf(" +%d −%d", t.Added, t.Removed)))
	}
	if len(t.Todos) > 0 {
		all = append(all, plain(fmt.Sprintf(r.TodosDone, finished(t.Todos), len(t.Todos))))
	}
	switch {
	case t.Cost > 0:
		all = append(all, plain(dollars(t.Cost)))
	case t.Tokens > 0:
		all = append(all, plain(fmt.Sprintf(r.Tokens, t.Tokens)))
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

func (p teller) trouble() rich {
	if p.Turn.Error == "" {
		return nil
	}
	return plain(letters.Clean(p.Turn.Error))
}

// todos is the session's list.
func (p teller) todos() rich {
	if len(p.Turn.Todos) == 0 {
		return plain(p.w.Sessions.NoTodos)
	}
	var lines []rich
	for _, t := range p.Turn.Todos {
		lines = append(lines, plain(boxOf(t.State)+" "+apart(t.Text)))
	}
	return join("\n", lines...)
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
func (p teller) diff() told {
	text := letters.Diff(p.Text)
	head := p.headline("📝")
	switch {
	case strings.TrimSpace(text) == "":
		return told{parts: split(join("\n", head, plain(p.w.Sessions.NoDiff)))}
	case utf8.RuneCountInString(text) > diffInline:
		begins := append(append(head, span{text: "\n"}), span{text: beginning(text, unfiledRunes), code: "diff"})
		return told{
			file: p.Text, name: "changes.diff", parts: split(join("\n", head, plain(p.w.Sessions.InFile))),
			unfiled: split(join("\n\n", begins, plain("❗ "+p.w.Sessions.NoFile))),
		}
	}
	return told{parts: split(append(append(head, span{text: "\n"}), span{text: text, code: "diff"}))}
}
