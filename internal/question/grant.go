package question

import "strings"

// The steps of a permission ask. The conversation has one choice, made in one of
// them, and what cannot be taken back is asked for twice.
const (
	StepGrant  = 0 // allow once, allow always, reject, reject with a note
	StepAlways = 1 // always: sure? It says what that adds
	StepNote   = 2 // this text as the note of a rejection: sure?
)

// The options of StepGrant, as Pick names them.
const (
	PickOnce   = 0
	PickAlways = 1
)

// fitsGrant reports whether the step on screen can have had a button for this move.
func (w Wizard) fitsGrant(r Request, m WizardInput) bool {
	first := w.Step == StepGrant
	switch m.Action {
	case Pick:
		return first && (m.Option == PickOnce || m.Option == PickAlways && len(r.Permission.Always) > 0)
	case Type:
		return first && r.TakesNote()
	case Dismiss:
		return first
	case Go:
		return !first && m.Item == StepGrant
	case Send:
		return !first
	case Say, Drop, Done, Page:
	}
	return false
}

// grant is the conversation about a permission.
func (w *Wizard) grant(r Request, m WizardInput) Notice {
	switch m.Action {
	case Pick:
		w.Choices[0] = Choice{Options: []int{m.Option}}
		if m.Option == PickAlways {
			w.goTo(StepAlways)
			return Notice{}
		}
		w.close(Answered)
	case Type:
		w.Typing = m.On
	case Go:
		w.Choices[0] = Choice{}
		w.goTo(StepGrant)
	case Send:
		if w.Step == StepAlways {
			w.close(Answered)
			return Notice{}
		}
		w.close(Dismissed)
	case Dismiss:
		w.Choices[0] = Choice{}
		w.close(Dismissed)
	case Say:
		return w.note(r, m.Text)
	case Drop, Done, Page:
	}
	return Notice{}
}

// note takes typed text: as the note of a rejection if that was asked for, else as
// the draft of one, for words alone must not end the agent's turn.
func (w *Wizard) note(r Request, text string) Notice {
	if !r.TakesNote() {
		return Notice{Kind: TapButton, Text: text}
	}
	if strings.TrimSpace(text) == "" {
		return Notice{Kind: PickOne, Text: text}
	}
	asked := w.Typing
	w.Choices[0] = Choice{Texts: []string{text}}
	if asked {
		w.close(Dismissed)
		return Notice{}
	}
	w.goTo(StepNote)
	return Notice{}
}

// Note is the text that goes with a rejection, empty for none.
func (w Wizard) Note() string {
	if c := w.choice(0); len(c.Texts) > 0 {
		return c.Texts[0]
	}
	return ""
}

// granted is how a permission was given.
func (w Wizard) granted() Answers {
	switch c := w.choice(0); {
	case c.Has(PickOnce):
		return Answers{{Once}}
	case c.Has(PickAlways):
		return Answers{{Always}}
	}
	return nil
}

// TakesNote reports whether a rejection can tell the agent something.
func (r Request) TakesNote() bool { return r.Permission != nil && r.Protocol.TakesNotes() }

// Grants reports whether the answer gives a permission. Where there is nothing that Always
// would add, it is no answer.
func (r Request) Grants(a Answers) bool {
	return r.Permission != nil && (a.Equal(Answers{{Once}}) || a.Equal(Answers{{Always}}) && len(r.Permission.Always) > 0)
}
