package card

import (
	"fmt"
	"strings"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// fileLines say what becomes of the files of an edit where the patterns and the diff do not: which are added, deleted and
// moved, and which are elsewhere than their names say.
func (c permissionCard) fileLines(p question.Permission) markup.Text {
	var lines []string
	for _, f := range p.Files {
		switch f.Kind {
		case question.FileAdded:
			lines = append(lines, fmt.Sprintf(c.w.Permission.Adds, letters.Name(f.Path)))
		case question.FileDeleted:
			lines = append(lines, fmt.Sprintf(c.w.Permission.Deletes, letters.Name(f.Path)))
		case question.FileMoved:
			lines = append(lines, fmt.Sprintf(c.w.Permission.Moves, letters.Name(f.Path), letters.Name(f.To)))
		}
	}
	for _, l := range p.Links {
		lines = append(lines, letters.Name(l.Path)+" → "+letters.Name(l.Target))
	}
	var text markup.Text
	if len(lines) > 0 {
		text = markup.Text{{Text: strings.Join(lines, "\n"), Quote: true}}
	}
	if p.Unread {
		return markup.Join("\n", text, markup.Plain("❗ "+c.w.Permission.Unread))
	}
	return text
}
