package bridge_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/telegram/ui"
)

// A chat that takes no files, and cannot be shown all of a command, allows it by no tap, whoever makes the button, also not in
// two steps that another chat has begun. It may be rejected there, and allowed where it is read.
func TestPermissions_NobodyAllowsWhatTheChatCannotShow(t *testing.T) {
	once := question.WizardInput{Action: question.Pick, Option: question.PickOnce}
	always := question.WizardInput{Action: question.Pick, Option: question.PickAlways}
	send := question.WizardInput{Action: question.Send}
	reject := question.WizardInput{Action: question.Dismiss}
	long, short := "make "+strings.Repeat("x", 50_000), "make "+strings.Repeat("x", 15_000)
	for name, c := range map[string]struct {
		command string
		there   []question.WizardInput // in the chat that has the file, before
		tap     question.WizardInput
		refused bool
	}{
		"once":                         {long, nil, once, true},
		"always":                       {long, nil, always, true},
		"always, begun where it is":    {long, []question.WizardInput{always}, send, true},
		"rejected":                     {long, nil, reject, false},
		"once, which messages hold":    {short, nil, once, false},
		"always, which messages hold":  {short, []question.WizardInput{always}, send, false},
		"rejected, which they hold":    {short, nil, reject, false},
		"going back from what is sure": {long, []question.WizardInput{always}, question.WizardInput{Action: question.Go}, false},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(w *world) {
				w.chat.noFiles = bobChat
				id := w.agent.askLeave("ses_1", c.command)
				w.wait(time.Second)
				for _, m := range c.there {
					w.pressAndWait(adaChat, ada, id, m)
				}
				before := w.thread(id).Wizard.Rev
				w.pressAndWait(bobChat, bob, id, c.tap)
				alert := w.lastAlert()
				if refused := alert == told(ui.NotPartly()) && w.thread(id).Wizard.Rev == before && w.thread(id).Decision == nil; refused != c.refused {
					t.Errorf("the tap was answered %q, and led to %+v", alert, w.thread(id).Wizard)
				}
				if len(w.agent.requests[id].leave.sent) > 0 == (c.refused || c.tap.Action == question.Go) {
					t.Errorf("OpenCode got %+v", w.agent.requests[id].leave.sent)
				}
			})
		})
	}
}
