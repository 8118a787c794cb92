package ui

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// turnView is what a session did last: in numbers, and in its own words, whole.
type turnView struct {
	session session.Session
	turn    session.Turn
	busy    bool // the session works just now
	hint    bool // say how to change what the chat hears
	w       words.Table
}

// TurnEnded tells of the end of a turn. hint: say how to change what the chat hears.
func TurnEnded(s session.Session, turn session.Turn, hint bool) Text {
	return func(r Reader) Body { return turnView{s, turn, false, hint, r.Words}.message() }
}

// LastTurn tells of a turn that may not have ended.
func LastTurn(s session.Session, turn session.Turn) Text {
	return func(r Reader) Body { return turnView{s, turn, s.Busy, false, r.Words}.message() }
}

func (v turnView) message() Body {
	said := strings.TrimSpace(letters.Clean(v.turn.Text))
	m := Body{}
	body := markup.Plain(said)
	if utf8.RuneCountInString(said) > LongRunes {
		m.File, m.FileName = said, "answer.txt"
		body = markup.Plain(v.w.Sessions.InFile)
	}
	if said == "" {
		body = markup.Plain(v.w.Sessions.NoWords)
	}
	sign, state := v.state()
	head := markup.Join("\n", sessionHeadline(v.session, sign), markup.Join(" · ", append([]markup.Text{state}, v.numbers()...)...), v.errorText())
	m.Parts = markup.Split(markup.Join("\n\n", head, body, v.lastLines()))
	if m.File != "" {
		begins := markup.Plain(markup.Beginning(said, withoutFileRunes) + "\n\n❗ " + v.w.Sessions.NoFile)
		unfiled := textMessage(markup.Join("\n\n", head, begins, v.lastLines()))
		m.Unfiled = &unfiled
	}
	return m
}

// lastLines say what a person can do.
func (v turnView) lastLines() markup.Text {
	lines := markup.Plain(v.w.Sessions.GoOn)
	if v.hint {
		lines = markup.Join("\n", lines, markup.Plain(v.w.Sessions.Hint))
	}
	return lines
}

// state says whether the session works, is done, or was stopped, as far as that is known.
func (v turnView) state() (sign string, state markup.Text) {
	r := v.w.Sessions
	switch {
	case v.busy:
		return "⚙️", markup.Plain(r.Works)
	case v.turn.Aborted:
		return "⏹", markup.Plain(r.WasStopped)
	case v.turn.Unfinished:
		return "❔", markup.Plain(r.EndUnknown)
	case v.turn.Error != "":
		return "⚠️", markup.Plain(r.WithError)
	case v.turn.Message == "":
		return "💤", markup.Plain(r.IsIdle)
	}
	if took := v.turn.Worked(time.Time{}, time.Time{}); took >= time.Second {
		return "💤", markup.Plain(fmt.Sprintf(r.DoneIn, v.w.Duration(took)))
	}
	return "💤", markup.Plain(r.Done)
}

// numbers are those that are known.
func (v turnView) numbers() []markup.Text {
	r, t := v.w.Sessions, v.turn
	var all []markup.Text
	switch {
	case t.Files > 0 && t.Added+t.Removed > 0:
		all = append(all, markup.Plain(r.FileCount(t.Files)+fmt.Sprintf(" +%d −%d", t.Added, t.Removed)))
	case t.Files > 0:
		all = append(all, markup.Plain(r.FileCount(t.Files)))
	}
	if len(t.Todos) > 0 {
		all = append(all, markup.Plain(fmt.Sprintf(r.TodosDone, countCompleted(t.Todos), len(t.Todos))))
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

func countCompleted(todos []session.Todo) int {
	n := 0
	for _, t := range todos {
		if t.State == "completed" {
			n++
		}
	}
	return n
}

// errorText is the error that OpenCode reported, if any.
func (v turnView) errorText() markup.Text {
	if v.turn.Error == "" {
		return nil
	}
	return markup.Plain(letters.Clean(v.turn.Error))
}

// Todo is the session's list.
func Todo(s session.Session, todos []session.Todo) Text {
	return func(r Reader) Body {
		lines := []markup.Text{sessionHeadline(s, "📋")}
		if len(todos) == 0 {
			lines = append(lines, markup.Plain(r.Words.Sessions.NoTodos))
		}
		for _, t := range todos {
			lines = append(lines, markup.Plain(boxOf(t.State)+" "+markup.Isolate(t.Text)))
		}
		return textMessage(markup.Join("\n", lines...))
	}
}

// boxOf is a sign for the state of a todo, as OpenCode names it.
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

// withoutFileRunes is how much is shown of what belongs into a file, where a chat takes none.
const withoutFileRunes = 2500

// Live is what a session does just now, in one message: the tool at work, if any, and the end of its words. What does not fit is in the
// message that tells of the end.
func Live(s session.Session, state remote.LiveState, turn session.Turn, tool string) Text {
	return func(r Reader) Body {
		w := r.Words.Sessions
		stands := map[remote.LiveState]string{
			remote.LiveWorks: w.Works, remote.LiveWaits: w.WaitsForYou, remote.LiveRests: w.IsIdle, remote.LiveAway: w.Live.Away,
		}[state]
		if state == remote.LiveWorks {
			if t := r.Now.Sub(turn.Began); !turn.Began.IsZero() && t >= time.Minute {
				stands += " · " + r.Words.Duration(t.Truncate(time.Minute))
			}
			if tool := markup.OneLine(tool); tool != "" {
				stands += " · " + markup.Isolate(markup.Shorten(tool, 200))
			}
		}
		text := markup.Join("\n", sessionHeadline(s, "⚙️"), markup.Plain(stands))
		if said := strings.TrimSpace(letters.Clean(turn.Text)); said != "" {
			text = markup.Join("\n\n", text, markup.Plain(markup.Ending(said, markup.MaxUnits-text.Units()-2)))
		}
		return Body{Parts: []markup.Text{text}}
	}
}

// LiveEnded says in a live message how the turn has ended.
func LiveEnded(s session.Session, turn session.Turn) Text {
	return func(r Reader) Body {
		sign, state := turnView{turn: turn, w: r.Words}.state()
		return textMessage(markup.Join("\n", sessionHeadline(s, sign), state))
	}
}

// LiveClosed says that OpenCode is gone, and the turn with it.
func LiveClosed(s session.Session) Text {
	return under(s, "⚠️", func(w words.Table) string { return w.Sessions.Live.Closed })
}

// LiveGone says that there is no such session any more.
func LiveGone(s session.Session) Text {
	return under(s, "⚠️", func(w words.Table) string { return w.Sessions.Gone })
}

// LiveLeft says that the message follows the session no more.
func LiveLeft(s session.Session) Text {
	return under(s, "⚙️", func(w words.Table) string { return w.Sessions.Live.Left })
}
