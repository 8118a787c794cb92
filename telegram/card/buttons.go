package card

import (
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/telegram/callback"
)

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
