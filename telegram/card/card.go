package card

import (
	"time"

	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// Card is what a chat shows of a thread, ready to be sent.
type Card struct {
	File     string        // the whole text, for a document before the parts; empty: none
	FileName string        // of the file
	Caption  string        // what the file holds
	Parts    []markup.Text // messages, at least one; the last has the buttons
	Rows     [][]Button    // none: the card takes no input
}

// ask is what a thread asks for, as its card shows it.
type ask interface {
	// layout returns the first line, what is asked, and what belongs beside the buttons.
	layout() (head, front, tail markup.Text)
	// keyboard is the rows of buttons.
	keyboard() [][]Button
	// tooLong reports whether some step of it is too long for messages. It looks at the
	// request alone, so all steps of a thread agree.
	tooLong() bool
	// file is the text of a document that holds all of it, with its name and caption.
	file() (text, name, caption string)
}

// askOf is what a frame's thread asks for. Without files, the card says where something is left out.
func askOf(f frame, withoutFile bool) ask {
	switch {
	case f.Request.Admission != nil:
		return admissionCard{f}
	case f.Request.Permission != nil:
		return permissionCard{permissionEnding{ending{f}}, subjectOf(*f.Request.Permission), withoutFile}
	}
	return newQuestionCard(f, withoutFile)
}

// Render makes the card of a view. It is pure.
func Render(v question.View, w words.Table, now time.Time) Card {
	f := newFrame(v, w, now)
	a := askOf(f, false)
	c := render(f, a)
	if a.tooLong() {
		c.File, c.FileName, c.Caption = a.file()
	}
	return c
}

// RenderWithoutFile makes the card for a chat that takes no files: it says so where something is left out.
func RenderWithoutFile(v question.View, w words.Table, now time.Time) Card {
	f := newFrame(v, w, now)
	return render(f, askOf(f, true))
}

func render(f frame, a ask) Card {
	head, front, tail := a.layout()
	front = f.addSaid(head, front, tail)
	return Card{Parts: arrange(head, front, tail, a.tooLong()), Rows: a.keyboard()}
}

// arrange puts the card into as few messages as hold it. The one with the
// buttons always begins with the first line, so that it is clear by itself.
func arrange(head, front, tail markup.Text, filed bool) []markup.Text {
	whole := markup.Join("\n", head, markup.Join("\n\n", front, tail))
	if whole.Runes() <= markup.MaxRunes || tail.Empty() || front.Empty() || filed {
		return markup.Split(whole)
	}
	return append(markup.Split(markup.Join("\n", head, front)), markup.Split(markup.Join("\n", head, tail))...)
}

// LongRunes is how much text is sent as messages, about ten of them. What is longer is a file.
const LongRunes = 9 * markup.MaxRunes

// closedParts is the layout of a card that takes no more input: what was asked, and what became of it.
func closedParts(head, asked markup.Text, became []markup.Text) (first, front, tail markup.Text) {
	lines := markup.Join("\n", became...)
	if asked.Runes() < markup.MaxRunes {
		// One paragraph: the end stands right below the question.
		return head, nil, markup.Join("\n", asked, lines)
	}
	return head, asked, lines
}
