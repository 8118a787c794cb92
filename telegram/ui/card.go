package ui

import (
	"fmt"
	"time"

	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// Body is all that a message shows, which may take several messages of Telegram.
type Body struct {
	File     string        // the whole text, for a document before the parts; empty: none
	FileName string        // of the file
	Caption  string        // what the file holds; with one, the file may be all
	Parts    []markup.Text // messages: at least one, or a file with a caption
	First    bool          // the first of them has the buttons, and says that others follow; else the last has them
	Rows     [][]Button    // none: the message takes no input
	Unfiled  *Body         // with File: what a chat that takes no files gets in its place; it says what is missing
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
		return newPermissionCard(f, withoutFile)
	}
	return newQuestionCard(f, withoutFile)
}

// Render makes the card of a view. It is pure.
func Render(v question.View, w words.Table, now time.Time) Body {
	f := newFrame(v, w, now)
	a := askOf(f, false)
	c := render(f, a)
	if a.tooLong() {
		c.File, c.FileName, c.Caption = a.file()
		unfiled := renderWithoutFile(v, w, now)
		c.Unfiled = &unfiled
	}
	return c
}

// renderWithoutFile makes the card for a chat that takes no files: it says so where something is left out.
func renderWithoutFile(v question.View, w words.Table, now time.Time) Body {
	f := newFrame(v, w, now)
	return render(f, askOf(f, true))
}

func render(f frame, a ask) Body {
	head, front, tail := a.layout()
	front = f.addSaid(head, front, tail)
	c := Body{Parts: arrange(head, front, tail, a.tooLong())}
	if f.Request.Permission != nil {
		c = Body{Parts: f.buttonsFirst(head, front, tail), First: true}
	}
	if !f.Watches || f.Phase != question.PhaseAsking {
		c.Rows = a.keyboard()
	}
	return c
}

// arrange puts the card into as few messages as hold it. The one with the
// buttons always begins with the first line, so that it is clear by itself.
func arrange(head, front, tail markup.Text, filed bool) []markup.Text {
	whole := markup.Join("\n", head, markup.Join("\n\n", front, tail))
	if whole.Units() <= markup.MaxUnits || tail.Empty() || front.Empty() || filed {
		return markup.Split(whole)
	}
	return append(markup.Split(markup.Join("\n", head, front)), markup.Split(markup.Join("\n", head, tail))...)
}

// roomForAsked is the least of what is asked for that the first message shows, in UTF-16 units.
const roomForAsked = 500

// buttonsFirst puts a permission into as few messages as hold it. The first has the buttons, so that nobody waits for the
// others to decide, and says how many follow, so that nobody takes it for all.
func (f frame) buttonsFirst(head, front, tail markup.Text) []markup.Text {
	whole := markup.Join("\n", head, markup.Join("\n\n", front, tail))
	if whole.Units() <= markup.MaxUnits {
		return []markup.Text{whole}
	}
	follows := func(parts int) markup.Text { return markup.Plain("↓ " + fmt.Sprintf(f.w.Permission.Follows, parts)) }
	room := markup.MaxUnits - markup.Join("\n\n", head, follows(999), tail).Units() - len("\n")
	if room < roomForAsked {
		front, tail = markup.Join("\n\n", front, tail), nil
		room = markup.MaxUnits - markup.Join("\n\n", head, follows(999)).Units() - len("\n")
	}
	parts := markup.SplitFirst(front, room)
	parts[0] = markup.Join("\n\n", markup.Join("\n", head, parts[0]), follows(len(parts)), tail)
	return parts
}

// LongRunes is how much text is sent as messages, about ten of them. What is longer is a file.
const LongRunes = 9 * markup.MaxUnits

// closedParts is the layout of a card that takes no more input: what was asked, and what became of it.
func closedParts(head, asked markup.Text, became []markup.Text) (first, front, tail markup.Text) {
	lines := markup.Join("\n", became...)
	if markup.Join("\n", head, asked, lines).Units() <= markup.MaxUnits {
		// One paragraph: the end stands right below the question.
		return head, nil, markup.Join("\n", asked, lines)
	}
	return head, asked, lines
}
