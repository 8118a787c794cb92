package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// frame is the view of a thread, in a language and at a time, with what all cards of threads show of it.
type frame struct {
	question.View
	requestText
	now time.Time // its zone is that of times on screen
}

func newFrame(v question.View, w words.Table, now time.Time) frame {
	if v.Request.Form != nil {
		w = w.ForForm()
	}
	return frame{View: v, requestText: requestText{v.Request, w}, now: now}
}

// endedWithoutAnswer says why a question has ended without an answer.
func (f frame) endedWithoutAnswer(o question.Outcome) string {
	if o.Kind == question.OutcomeRestarted && o.WentOn {
		return f.w.WentOn
	}
	return f.w.Ended[o.Kind]
}

// remarks are the lines that say why the card looks as it does.
func (f frame) remarks() markup.Text {
	var lines []markup.Text
	if f.Wizard.Notice.Kind != "" {
		lines = append(lines, markup.Plain("❗ "+noticeText(f.Wizard.Notice, f.Request, f.w)))
	}
	if f.Offline > 0 {
		lines = append(lines, markup.Plain("📡 "+fmt.Sprintf(f.w.Offline, f.w.Duration(f.Offline))))
	}
	if f.Unshown && f.Phase == question.PhaseAsking {
		lines = append(lines, markup.Plain("⚠️ "+f.w.Unshown))
	}
	if f.Escalated {
		lines = append(lines, f.escalation())
	}
	if f.Expired {
		lines = append(lines, markup.Plain("⌛ "+fmt.Sprintf(f.w.Expired, f.w.Duration(f.TTL))))
	}
	return markup.Join("\n", lines...)
}

// noticeText says why a step is asked again.
func noticeText(n question.Notice, r question.Request, w words.Table) string {
	switch n.Kind {
	case question.PickOne:
		return w.PickOne
	case question.Ambiguous:
		return ambiguousText(n, r, w)
	case question.NotAnOption:
		if n.Item < len(r.Items) && ownOptions(r.Items[n.Item]) {
			return w.Form.TapButton
		}
		return w.NotAnOption
	case question.NoNumber:
		return noNumberText(n, r, w)
	case question.OnlyOne:
		if n.Item < len(r.Items) {
			return addQuoting(w.OnlyOne, n, r.Items[n.Item], w)
		}
		return w.OnlyOne
	case question.TapButton:
		if r.Admission != nil {
			return w.Admission.TapButton
		}
		return w.Permission.TapButton
	case question.TapSend:
		return w.TapSend
	case question.LostRight:
		return markup.Phrase(w.Hold.LostRight, personName(question.Actor{Name: n.Text})).String()
	case question.NotAccepted, question.TooFew, question.TooMany, question.Refused:
		return fieldNotice(n, r, w)
	case question.NotAsked: // of answers by programs alone
	}
	return ""
}

// ambiguousText names up to five of the options that a text may mean.
func ambiguousText(n question.Notice, r question.Request, w words.Table) string {
	if n.Item >= len(r.Items) {
		return w.NotAnOption
	}
	item := r.Items[n.Item]
	var names []string
	for _, o := range n.Options {
		if len(names) == 5 {
			names = append(names, "…")
			break
		}
		if o < len(item.Options) {
			names = append(names, strconv.Itoa(o+1)+". "+markup.Isolate(markup.Shorten(markup.OneLine(item.Options[o].Label), 60)))
		}
	}
	return addQuoting(fmt.Sprintf(w.Ambiguous, strings.Join(names, w.Or)), n, item, w)
}

// noNumberText names the numbers that no option has.
func noNumberText(n question.Notice, r question.Request, w words.Table) string {
	if n.Item >= len(r.Items) {
		return w.NotAnOption
	}
	item := r.Items[n.Item]
	none := markup.Shorten(strings.Join(item.NoOptions(strings.TrimSpace(n.Text)), w.Comma), 60)
	return addQuoting(fmt.Sprintf(w.NoNumber, none, len(item.Options)), n, item, w)
}

// addQuoting adds how the text can be sent as it is, where the item takes any text.
func addQuoting(text string, n question.Notice, item question.Item, w words.Table) string {
	if !item.TakesText() {
		return text
	}
	return text + markup.Gap(text) + fmt.Sprintf(w.QuoteIt, quote(markup.Shorten(markup.OneLine(n.Text), 60)))
}

// headline is the first line: a sign, what is asked, and where.
func (f frame) headline(sign, header string, more ...string) markup.Text {
	rest := ""
	if project := markup.Shorten(markup.OneLine(f.Project), 100); project != "" {
		rest = " · " + markup.Isolate(project)
	}
	for _, m := range more {
		rest += " · " + m
	}
	return markup.Text{{Text: sign + " "}, {Text: markup.Isolate(markup.Shorten(header, 200)), Bold: true}, {Text: rest}}
}

// addWhereToRead adds to a sentence, which says that something is left out as the chat takes no
// files, where all of it can be read, as far as that is known: hermes answer shows what a program
// asks while it waits, but no permission that is left to people in chats.
func (f frame) addWhereToRead(sentence string) string {
	switch {
	case f.Origin.Way != session.AskAPI:
		return sentence + markup.Gap(sentence) + f.w.WholeAt
	case f.Phase == question.PhaseAsking && f.Request.Permission == nil:
		return sentence + markup.Gap(sentence) + f.w.WholeAtAsk
	}
	return sentence
}

// foot is the last line: whose session it is, and how long it waits.
func (f frame) foot() markup.Text { return markup.Join(" · ", f.sessionTitle(), f.deadline()) }

// sessionTitle names the session, and the subagent's, after whose agent it is and on which machine.
func (f frame) sessionTitle() markup.Text {
	return markup.Join(" · ", ownerLine(f.Owner), f.titleOnly())
}

// whose is the line of a card that takes no more input which says whose agent it was, on which machine and in which session: where
// others than the owner see it.
func (f frame) whose() []markup.Text {
	if !f.Whose {
		return nil
	}
	return []markup.Text{f.sessionTitle()}
}

func (f frame) titleOnly() markup.Text {
	title := markup.Isolate(markup.Shorten(markup.OneLine(f.Place.Title), 200))
	if sub := markup.Isolate(markup.Shorten(markup.OneLine(f.Place.Subagent), 200)); sub != "" {
		title = strings.TrimSpace(title + " › " + sub)
	}
	return markup.Plain(title)
}

// deadline is how long it waits, nothing when that is for ever or over.
func (f frame) deadline() markup.Text {
	if f.Deadline.IsZero() || f.Phase != question.PhaseAsking {
		return nil
	}
	return markup.Phrase(f.w.Waits, markup.Clock(f.Deadline, f.now))
}

// waitingFor names the machine whose OpenCode is not there.
func (f frame) waitingFor() markup.Text {
	if host := markup.OneLine(f.Origin.Host); host != "" {
		return markup.Phrase(f.w.WaitingAt, markup.Plain(markup.Isolate(host)))
	}
	return markup.Plain(f.w.Waiting)
}

// moveButton is a button for a move on the item on screen.
func (f frame) moveButton(label string, a question.Action, option int, on bool) Button {
	return Button{Label: label, Move: question.WizardInput{Action: a, Rev: f.Step, Item: f.Wizard.Step, Option: option, On: on}}
}

// itemButton is a button to the step of another item.
func (f frame) itemButton(label string, item int) Button {
	return Button{Label: label, Move: question.WizardInput{Action: question.Go, Rev: f.Step, Item: item}}
}

// undoRow is the button that takes back what is held, or what a rule has decided. It is there only as
// long as that is certain to work.
func (f frame) undoRow() []Button {
	if f.Phase != question.PhaseHeld && f.Phase != question.PhaseWaiting || !f.Undoable {
		return nil
	}
	return []Button{{Label: "↩️ " + f.w.Rule.Undo, Move: question.WizardInput{Action: question.Undo, Rev: f.Step}}}
}

// claimRow is the button that says "I am on it", in groups where a rule has one.
func (f frame) claimRow() []Button {
	take := question.WizardInput{Action: question.Take, Rev: f.Step}
	switch {
	case f.Claim != nil:
		return []Button{{Label: "✋ " + f.w.Team.Release, Move: take}}
	case f.Claimable:
		take.On = true
		return []Button{{Label: "🙋 " + f.w.Team.Claim, Move: take}}
	}
	return nil
}

// closedRows are the buttons of a thread that takes no more input.
func (f frame) closedRows() [][]Button { return withoutEmpty([][]Button{f.undoRow(), f.lateRow()}) }
