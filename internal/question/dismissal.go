package question

// A dismissal of questions cannot be taken back and may end the agent's turn, so it is asked for twice. The second
// step belongs to no item: it stands before the step that it was asked from, with all that was chosen, and Back
// returns there. Words never dismiss: whoever types goes on with the question.

// asksBeforeDismissal reports whether dismissing the request takes a second step. A permission that is rejected, and
// somebody who is not let in, can ask again; they take none.
func (r Request) asksBeforeDismissal() bool { return r.Permission == nil && r.Admission == nil }

// fitsDismissal reports whether the second step can have had a button for this move.
func (w Wizard) fitsDismissal(m WizardInput) bool {
	return m.Action == Dismiss && m.On || m.Action == Go && m.Item == w.Step
}

// dismiss asks before it dismisses, or dismisses.
func (w *Wizard) dismiss(r Request, sure bool) {
	if r.asksBeforeDismissal() && !sure {
		w.Dismissing = true
		w.Rev++
		return
	}
	w.Dismissing = false
	w.close(Dismissed)
}

// leaveDismissal returns to the step that the second step was asked from.
func (w *Wizard) leaveDismissal() {
	if w.Dismissing {
		w.Dismissing = false
		w.Rev++
	}
}

// Prepared reports whether anything was chosen so far that a dismissal discards.
func (w Wizard) Prepared() bool {
	for _, c := range w.Choices {
		if !c.empty() {
			return true
		}
	}
	return false
}
