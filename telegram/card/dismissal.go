package card

import (
	"fmt"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/markup"
)

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
