package telegramsim

import (
	"slices"
	"strings"
)

// cleanInput changes a text of the bot as Telegram does before anything else (td 022d602, misc.cpp:76-160
// clean_input_string, MessageEntity.cpp:4124-4265 with entities), also in code: control characters and tabs become
// spaces, CR, U+2028 to U+202E, U+030A, U+0333 and U+033F go, and of several marks of direction in a row all but the
// last become U+200C.
func (f formatted) cleanInput() formatted {
	var out strings.Builder
	gone := []int{} // UTF-16 offsets of what goes; each is one unit
	at := 0
	for _, r := range f.text {
		switch {
		case r == '\r', r >= 0x2028 && r <= 0x202E, r == 0x030A, r == 0x0333, r == 0x033F:
			gone = append(gone, at)
		case r < 0x20 && r != '\n':
			out.WriteByte(' ')
		default:
			out.WriteRune(r)
		}
		at += len(utf16Of(r))
	}
	kept := slices.Clone(f.entities)
	for i, e := range kept {
		before := lessThan(gone, e.Offset)
		kept[i].Offset, kept[i].Length = e.Offset-before, e.Length-(lessThan(gone, e.Offset+e.Length)-before)
	}
	kept = slices.DeleteFunc(kept, func(e Entity) bool { return e.Length <= 0 })
	return formatted{oneMark(out.String()), kept}
}

func utf16Of(r rune) string {
	if r > 0xFFFF {
		return "xx"
	}
	return "x"
}

func lessThan(sorted []int, n int) int {
	i, _ := slices.BinarySearch(sorted, n)
	return i
}

// oneMark leaves the last of several marks of direction in a row (misc.cpp:62-74 replace_offending_characters).
func oneMark(text string) string {
	runes := []rune(text)
	mark := func(i int) bool { return i < len(runes) && (runes[i] == 0x200E || runes[i] == 0x200F) }
	for i := range runes {
		if mark(i) && mark(i+1) {
			runes[i] = 0x200C
		}
	}
	return string(runes)
}
