package ui

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/fields"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/callback"
	"hermes/telegram/markup"
)

// keyboard is the rows of buttons of the step on screen.
func (c questionCard) keyboard() [][]Button {
	switch {
	case c.Phase != question.PhaseAsking:
		return c.closedRows()
	case c.Wizard.Dismissing:
		return c.dismissalRows()
	case c.Review():
		return withoutEmpty(append(c.reviewRows(), c.claimRow()))
	}
	return withoutEmpty(append(c.itemRows(), c.claimRow()))
}

// itemRows are the buttons of an item.
func (c questionCard) itemRows() [][]Button {
	rows := append([][]Button{c.openRow()}, c.optionRows()...)
	rows = append(rows, c.textRows()...)
	rows = append(rows, c.pageRow(), c.fieldRow())
	if c.Wizard.Typing {
		rows = append(rows, []Button{c.moveButton("◀ "+c.w.Back, question.Type, 0, false), c.dismissButton()})
	} else {
		rows = append(rows, c.typeRow(), c.stepRow())
	}
	return rows
}

// optionRows has the options of the page on screen: two a row if all are short.
func (c questionCard) optionRows() [][]Button {
	item := c.Item()
	from, to := c.optionRange()
	pairs := true
	var all []Button
	for n := from; n < to; n++ {
		label := markup.OneLine(c.optionName(item, n))
		pairs = pairs && markup.Width(label) <= pairWidth
		all = append(all, c.optionButton(n, label))
	}
	if pairs {
		return inRows(all, 2)
	}
	return inRows(all, 1)
}

func (c questionCard) optionButton(n int, label string) Button {
	text := strings.TrimSpace(strconv.Itoa(n+1) + ". " + label)
	switch item := c.Item(); {
	case item.Field != nil && item.Field.Kind == fields.External:
		text = "✅ " + label
	case ownOptions(item):
		text = label
	}
	if !c.Item().Multiple {
		if c.Choice(c.Wizard.Step).Has(n) {
			text = "✓ " + text
		}
		return c.moveButton(markup.Shorten(text, LabelWidth), question.Pick, n, false)
	}
	box, on := "☐ ", c.Choice(c.Wizard.Step).Has(n)
	if on {
		box = "☑ "
	}
	return c.moveButton(markup.Shorten(box+text, LabelWidth), question.Pick, n, !on)
}

// textRows has the typed answers of an item that takes several, to be removed.
func (c questionCard) textRows() [][]Button {
	if !c.Item().Multiple {
		return nil
	}
	var all []Button
	for n, text := range c.Choice(c.Wizard.Step).Texts {
		if n < editButtons {
			all = append(all, c.moveButton(markup.Shorten("✕ "+quote(markup.OneLine(text)), LabelWidth), question.Drop, n, false))
		}
	}
	return inRows(all, 1)
}

// pageRow leads to the options before and after.
func (c questionCard) pageRow() []Button {
	from, to := c.optionRange()
	n, now := len(c.Item().Options), from/question.PageSize
	var row []Button
	if from > 0 {
		row = append(row, c.moveButton(fmt.Sprintf("◀ %d–%d", from-question.PageSize+1, from), question.Page, now-1, false))
	}
	if to < n {
		row = append(row, c.moveButton(fmt.Sprintf("%d–%d ▶", to+1, min(n, to+question.PageSize)), question.Page, now+1, false))
	}
	return row
}

// typeRow is for those who want to type, or to dismiss.
func (c questionCard) typeRow() []Button {
	if c.Item().TakesText() {
		return []Button{c.moveButton("✏️ "+c.w.TypeAnswer, question.Type, 0, true), c.dismissButton()}
	}
	return []Button{c.dismissButton()}
}

// stepRow leads to the steps before and after.
func (c questionCard) stepRow() []Button {
	step, several := c.Wizard.Step, len(c.Request.Items) > 1
	chosen := len(c.Labels(step))
	var row []Button
	if before := c.askedBefore(step); before >= 0 {
		row = append(row, c.itemButton("◀ "+c.w.Back, before))
	}
	switch {
	case c.Item().Field != nil && !c.Enough():
	case several && (c.Item().Multiple || chosen > 0 || c.Item().Field != nil):
		row = append(row, c.moveButton(c.w.Next+" ▶", question.Done, 0, false))
	case !several && c.Item().Multiple && chosen > 0:
		row = append(row, c.moveButton("✅ "+fmt.Sprintf(c.w.DoneCount, chosen), question.Done, 0, false))
	case !several && c.Item().Multiple:
		row = append(row, c.moveButton("✅ "+c.w.Done, question.Done, 0, false))
	}
	return row
}

func (c questionCard) reviewRows() [][]Button {
	n := len(c.Request.Items)
	if n == 0 {
		return [][]Button{{c.dismissButton()}}
	}
	var edits []Button
	numbers, _ := numbered(c.Wizard.Asked(c.Request))
	for i := range min(n, editButtons) {
		if numbers[i] > 0 {
			edits = append(edits, c.itemButton("✏️ "+strconv.Itoa(numbers[i]), i))
		}
	}
	send := Button{Label: "✅ " + c.w.Send, Move: question.WizardInput{Action: question.Send, Rev: c.Step}}
	return append(inRows(edits, 5), []Button{c.itemButton("◀ "+c.w.Back, c.askedBefore(n)), send}, []Button{c.dismissButton()})
}

// askedBefore is the last item before a step that is asked, -1 for none.
func (c questionCard) askedBefore(step int) int {
	for before := step - 1; before >= 0; before-- {
		if c.Wizard.Asked(c.Request)[before] {
			return before
		}
	}
	return -1
}

// Button is one button of a row.
type Button struct {
	Label string
	Move  question.WizardInput
	Order inbound.Button // in place of a move: what it asks of sessions; zero: nothing
	URL   string         // in place of both: the address that it opens, which nobody tells hermes of
	Style string         // how clients that know styles show it; empty: as all others
}

// Data is what the button carries; empty where no data can stand for it.
func (b Button) Data(thread question.ID) string {
	if b.Order.Kind != "" {
		return callback.EncodeOrder(b.Order)
	}
	return callback.EncodeMove(thread, b.Move)
}

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

func inRows(all []Button, each int) [][]Button {
	var rows [][]Button
	for len(all) > 0 {
		n := min(each, len(all))
		rows = append(rows, all[:n])
		all = all[n:]
	}
	return rows
}

// withoutEmpty leaves out rows without buttons.
func withoutEmpty(rows [][]Button) [][]Button {
	var out [][]Button
	for _, row := range rows {
		if len(row) > 0 {
			out = append(out, row)
		}
	}
	return out
}

// dismissButton asks whether to end the question without an answer.
func (c questionCard) dismissButton() Button {
	return Button{Label: "🚫 " + c.dismissLabel(), Move: question.WizardInput{Action: question.Dismiss, Rev: c.Step}}
}

// dismissLabel says that several questions are dismissed together. A form is one thing.
func (c questionCard) dismissLabel() string {
	if len(c.Request.Items) > 1 && c.Request.Form == nil {
		return c.w.Dismissal.All
	}
	return c.w.Dismiss
}

// dismissalRows are the buttons of the second step of a dismissal.
func (c questionCard) dismissalRows() [][]Button {
	sure := Button{Label: "🚫 " + c.dismissLabel(), Move: question.WizardInput{Action: question.Dismiss, Rev: c.Step, On: true}, Style: StyleDanger}
	return [][]Button{{sure, c.itemButton("◀ "+c.w.Back, c.Wizard.Step)}}
}

// dismissal asks whether to dismiss, and says what that does.
func (c questionCard) dismissal() markup.Text {
	text := c.w.Dismissal.Sure
	if n := len(c.Request.Items); n > 1 && c.Request.Form == nil {
		text = fmt.Sprintf(c.w.Dismissal.SureAll, n)
	}
	text += markup.Gap(text) + c.dismissalEffect()
	if c.Wizard.Prepared() {
		text += markup.Gap(text) + c.w.Dismissal.Discards
	}
	return markup.Plain("🚫 " + text)
}

// dismissalEffect says what becomes of who has asked. That a dismissal ends the turn is OpenCode 1's default (it has
// experimental.continue_loop_on_deny), and all that OpenCode 2 does; an agent that called a subagent goes on in both
// (measured on 1.18.33 and on 2.0).
func (c questionCard) dismissalEffect() string {
	switch {
	case c.Request.Form != nil, c.Origin.Way == session.AskAPI:
		return c.w.Dismissal.Program
	case c.Place.Subagent != "":
		return c.w.Dismissal.Subagent
	case c.Request.Protocol.EndsTurns():
		return c.w.Dismissal.EndsTurn
	}
	return c.w.Dismissal.ByDefault
}
