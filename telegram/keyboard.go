package telegram

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/question"
	"hermes/telegram/markup"
)

// Widths of button labels that phones show whole: alone in a row, and in pairs.
const (
	labelWidth = 30
	pairWidth  = 14
)

// Styles of buttons (Bot API 9.4, InlineKeyboardButton.style); older clients ignore
// them.
const (
	styleSuccess = "success"
	styleDanger  = "danger"
)

// editButtons bounds the buttons of a review: Telegram takes 100 on a message.
const editButtons = 80

// keyboard is the rows of buttons of the step on screen.
func (p page) keyboard() [][]button {
	switch {
	case p.Phase != question.PhaseAsking:
		return filled([][]button{p.undoRow(), p.lateRow()})
	case p.Request.Admission != nil:
		return p.admissionRows()
	case p.Request.Permission != nil:
		return filled(append(p.leaveRows(), p.claimRow()))
	case p.Review():
		return filled(append(p.reviewRows(), p.claimRow()))
	}
	return filled(append(p.itemRows(), p.claimRow()))
}

// itemRows are the buttons of an item.
func (p page) itemRows() [][]button {
	rows := p.optionRows()
	rows = append(rows, p.textRows()...)
	rows = append(rows, p.pageRow())
	if p.Wizard.Typing {
		rows = append(rows, []button{p.to("◀ "+p.w.Back, question.Type, 0, false), p.dismissal()})
	} else {
		rows = append(rows, p.wordsRow(), p.stepRow())
	}
	return rows
}

// to is a button for a move on the item on screen.
func (p page) to(label string, a question.Action, option int, on bool) button {
	return button{label: label, move: question.Move{Action: a, Rev: p.Step, Item: p.Wizard.Step, Option: option, On: on}}
}

// jump is a button to the step of another item.
func (p page) jump(label string, item int) button {
	return button{label: label, move: question.Move{Action: question.Go, Rev: p.Step, Item: item}}
}

func (p page) dismissal() button {
	return button{label: "🚫 " + p.w.Dismiss, move: question.Move{Action: question.Dismiss, Rev: p.Step}}
}

// optionRows has the options of the page on screen: two a row if all are short.
func (p page) optionRows() [][]button {
	item := p.Item()
	from, to := p.span()
	pairs := true
	var all []button
	for n := from; n < to; n++ {
		label := markup.OneLine(item.Options[n].Label)
		pairs = pairs && markup.Width(label) <= pairWidth
		all = append(all, p.optionButton(n, label))
	}
	if pairs {
		return inRows(all, 2)
	}
	return inRows(all, 1)
}

func (p page) optionButton(n int, label string) button {
	text := strings.TrimSpace(strconv.Itoa(n+1) + ". " + label)
	if !p.Item().Multiple {
		return p.to(markup.Shorten(text, labelWidth), question.Pick, n, false)
	}
	box, on := "☐ ", p.Choice(p.Wizard.Step).Has(n)
	if on {
		box = "☑ "
	}
	return p.to(markup.Shorten(box+text, labelWidth), question.Pick, n, !on)
}

// textRows has the typed answers of an item that takes several, to be removed.
func (p page) textRows() [][]button {
	if !p.Item().Multiple {
		return nil
	}
	var all []button
	for n, text := range p.Choice(p.Wizard.Step).Texts {
		if n < editButtons {
			all = append(all, p.to(markup.Shorten("✕ "+quoted(markup.OneLine(text)), labelWidth), question.Drop, n, false))
		}
	}
	return inRows(all, 1)
}

// pageRow leads to the options before and after.
func (p page) pageRow() []button {
	from, to := p.span()
	n, now := len(p.Item().Options), from/question.PageSize
	var row []button
	if from > 0 {
		row = append(row, p.to(fmt.Sprintf("◀ %d–%d", from-question.PageSize+1, from), question.Page, now-1, false))
	}
	if to < n {
		row = append(row, p.to(fmt.Sprintf("%d–%d ▶", to+1, min(n, to+question.PageSize)), question.Page, now+1, false))
	}
	return row
}

func (p page) wordsRow() []button {
	if p.Item().TakesText() {
		return []button{p.to("✏️ "+p.w.TypeAnswer, question.Type, 0, true), p.dismissal()}
	}
	return []button{p.dismissal()}
}

// stepRow leads to the steps before and after.
func (p page) stepRow() []button {
	step, several := p.Wizard.Step, len(p.Request.Items) > 1
	chosen := len(p.Labels(step))
	var row []button
	if several && step > 0 {
		row = append(row, p.jump("◀ "+p.w.Back, step-1))
	}
	switch {
	case several && (p.Item().Multiple || chosen > 0):
		row = append(row, p.to(p.w.Next+" ▶", question.Done, 0, false))
	case !several && p.Item().Multiple && chosen > 0:
		row = append(row, p.to("✅ "+fmt.Sprintf(p.w.DoneCount, chosen), question.Done, 0, false))
	case !several && p.Item().Multiple:
		row = append(row, p.to("✅ "+p.w.Done, question.Done, 0, false))
	}
	return row
}

func (p page) reviewRows() [][]button {
	n := len(p.Request.Items)
	if n == 0 {
		return [][]button{{p.dismissal()}}
	}
	var edits []button
	for i := range min(n, editButtons) {
		edits = append(edits, p.jump("✏️ "+strconv.Itoa(i+1), i))
	}
	send := button{label: "✅ " + p.w.Send, move: question.Move{Action: question.Send, Rev: p.Step}}
	return append(inRows(edits, 5), []button{p.jump("◀ "+p.w.Back, n-1), send}, []button{p.dismissal()})
}

func inRows(all []button, each int) [][]button {
	var rows [][]button
	for len(all) > 0 {
		n := min(each, len(all))
		rows = append(rows, all[:n])
		all = all[n:]
	}
	return rows
}

// filled leaves out rows without buttons.
func filled(rows [][]button) [][]button {
	var out [][]button
	for _, row := range rows {
		if len(row) > 0 {
			out = append(out, row)
		}
	}
	return out
}
