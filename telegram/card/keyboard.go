package card

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/question"
	"hermes/telegram/markup"
)

// Widths of button labels that phones show whole: alone in a row, and in pairs.
const (
	LabelWidth = 30
	pairWidth  = 14
)

// Styles of buttons (Bot API 9.4, InlineKeyboardButton.style); older clients ignore
// them.
const (
	styleSuccess = "success"
	StyleDanger  = "danger"
)

// editButtons bounds the buttons of a review: Telegram takes 100 on a message.
const editButtons = 80

// keyboard is the rows of buttons of the step on screen.
func (p page) keyboard() [][]Button {
	switch {
	case p.Phase != question.PhaseAsking:
		return filled([][]Button{p.undoRow(), p.lateRow()})
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
func (p page) itemRows() [][]Button {
	rows := p.optionRows()
	rows = append(rows, p.textRows()...)
	rows = append(rows, p.pageRow())
	if p.Wizard.Typing {
		rows = append(rows, []Button{p.to("◀ "+p.w.Back, question.Type, 0, false), p.dismissal()})
	} else {
		rows = append(rows, p.wordsRow(), p.stepRow())
	}
	return rows
}

// to is a button for a move on the item on screen.
func (p page) to(label string, a question.Action, option int, on bool) Button {
	return Button{Label: label, Move: question.Move{Action: a, Rev: p.Step, Item: p.Wizard.Step, Option: option, On: on}}
}

// jump is a button to the step of another item.
func (p page) jump(label string, item int) Button {
	return Button{Label: label, Move: question.Move{Action: question.Go, Rev: p.Step, Item: item}}
}

func (p page) dismissal() Button {
	return Button{Label: "🚫 " + p.w.Dismiss, Move: question.Move{Action: question.Dismiss, Rev: p.Step}}
}

// optionRows has the options of the page on screen: two a row if all are short.
func (p page) optionRows() [][]Button {
	item := p.Item()
	from, to := p.span()
	pairs := true
	var all []Button
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

func (p page) optionButton(n int, label string) Button {
	text := strings.TrimSpace(strconv.Itoa(n+1) + ". " + label)
	if !p.Item().Multiple {
		return p.to(markup.Shorten(text, LabelWidth), question.Pick, n, false)
	}
	box, on := "☐ ", p.Choice(p.Wizard.Step).Has(n)
	if on {
		box = "☑ "
	}
	return p.to(markup.Shorten(box+text, LabelWidth), question.Pick, n, !on)
}

// textRows has the typed answers of an item that takes several, to be removed.
func (p page) textRows() [][]Button {
	if !p.Item().Multiple {
		return nil
	}
	var all []Button
	for n, text := range p.Choice(p.Wizard.Step).Texts {
		if n < editButtons {
			all = append(all, p.to(markup.Shorten("✕ "+quoted(markup.OneLine(text)), LabelWidth), question.Drop, n, false))
		}
	}
	return inRows(all, 1)
}

// pageRow leads to the options before and after.
func (p page) pageRow() []Button {
	from, to := p.span()
	n, now := len(p.Item().Options), from/question.PageSize
	var row []Button
	if from > 0 {
		row = append(row, p.to(fmt.Sprintf("◀ %d–%d", from-question.PageSize+1, from), question.Page, now-1, false))
	}
	if to < n {
		row = append(row, p.to(fmt.Sprintf("%d–%d ▶", to+1, min(n, to+question.PageSize)), question.Page, now+1, false))
	}
	return row
}

func (p page) wordsRow() []Button {
	if p.Item().TakesText() {
		return []Button{p.to("✏️ "+p.w.TypeAnswer, question.Type, 0, true), p.dismissal()}
	}
	return []Button{p.dismissal()}
}

// stepRow leads to the steps before and after.
func (p page) stepRow() []Button {
	step, several := p.Wizard.Step, len(p.Request.Items) > 1
	chosen := len(p.Labels(step))
	var row []Button
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

func (p page) reviewRows() [][]Button {
	n := len(p.Request.Items)
	if n == 0 {
		return [][]Button{{p.dismissal()}}
	}
	var edits []Button
	for i := range min(n, editButtons) {
		edits = append(edits, p.jump("✏️ "+strconv.Itoa(i+1), i))
	}
	send := Button{Label: "✅ " + p.w.Send, Move: question.Move{Action: question.Send, Rev: p.Step}}
	return append(inRows(edits, 5), []Button{p.jump("◀ "+p.w.Back, n-1), send}, []Button{p.dismissal()})
}

func inRows(all []Button, each int) [][]Button {
	var rows [][]Button
	for len(all) > 0 {
		n := min(each, len(all))
		rows = append(rows, all[:n])
		all = all[n:]
	}
	return rows
}

// filled leaves out rows without buttons.
func filled(rows [][]Button) [][]Button {
	var out [][]Button
	for _, row := range rows {
		if len(row) > 0 {
			out = append(out, row)
		}
	}
	return out
}
