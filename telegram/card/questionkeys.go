package card

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/fields"
	"hermes/internal/question"
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
