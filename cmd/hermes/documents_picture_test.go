package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"hermes/internal/simulate/rig"
)

// Between these lines the READMEs have the picture of a chat.
const (
	pictureBegins = "<!-- TestDocuments_ChatPicture -update draws this picture -->\n"
	pictureEnds   = "<!-- the picture ends -->\n"
)

// The picture of a chat in the READMEs is drawn of a conversation that the daemon had in a test.
func TestDocuments_ChatPicture(t *testing.T) {
	for document, conversation := range map[string]string{"README.md": "single-choice.en.txt", "README.zh.md": "single-choice.zh.txt"} {
		text := readFile(t, document)
		before, rest, begins := strings.Cut(text, pictureBegins)
		_, after, ends := strings.Cut(rest, pictureEnds)
		if !begins || !ends {
			t.Fatalf("%s has no place for the picture", document)
		}
		drawn := before + pictureBegins + "```\n" + chatPicture(t, readFile(t, "internal/daemon/testdata/conversations/"+conversation)) + "```\n" + pictureEnds + after
		if drawn == text {
			continue
		}
		if !*rig.Update {
			t.Errorf("the picture in %s is not what %s shows; -update draws it anew", document, conversation)
			continue
		}
		if err := os.WriteFile("../../"+document, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// chatPicture draws the card of a transcript before and after the tap, and what the agent gets.
func chatPicture(t *testing.T, transcript string) string {
	t.Helper()
	asked := messageFrom(transcript, "Hermes: ❓")
	answered := messageFrom(transcript, "Hermes changes “❓")
	_, tapped, taps := strings.Cut(transcript, "Ada taps [2. ")
	label, _, _ := strings.Cut(tapped, "]\n")
	if len(asked) < 5 || len(answered) < 3 || !taps {
		t.Fatalf("the transcript is another one:\n%s", transcript)
	}
	right := slices.Concat(box("Telegram", 44, answered[1:]), []string{""}, box("OpenCode", 44, []string{"# Questions", asked[1], label}))
	left := box("Telegram", 44, asked)
	var b strings.Builder
	for i := range max(len(left), len(right)) {
		arrow := "     "
		if i == 3 {
			arrow = "  →  "
		}
		b.WriteString(strings.TrimRight(at(left, i, 48)+arrow+at(right, i, 0), " ") + "\n")
	}
	return b.String()
}

// at is a line, blank to a width where there is none.
func at(lines []string, i, width int) string {
	if i < len(lines) {
		return lines[i]
	}
	return strings.Repeat(" ", width)
}

// messageFrom is the message of a transcript that begins so: the first line without who wrote it,
// and what is indented below it.
func messageFrom(transcript, begin string) []string {
	_, rest, _ := strings.Cut(transcript, begin)
	first, rest, _ := strings.Cut(rest, "\n")
	lines := []string{begin[strings.LastIndex(begin, " ")+1:] + first}
	for line := range strings.Lines(rest) {
		text, indented := strings.CutPrefix(line, "  ")
		if !indented && line != "\n" {
			break
		}
		lines = append(lines, strings.TrimRight(text, "\n"))
	}
	return lines
}

// box draws a box with a title around lines, whose buttons fill its width.
func box(title string, width int, lines []string) (drawn []string) {
	drawn = append(drawn, "┌─ "+title+" "+strings.Repeat("─", width-len(title)-1)+"┐")
	for _, line := range lines {
		if strings.HasPrefix(line, "[") {
			line = buttonRow(line, width)
		}
		drawn = append(drawn, "│ "+line+strings.Repeat(" ", max(0, width-columns(line)))+" │")
	}
	return append(drawn, "└"+strings.Repeat("─", width+2)+"┘")
}

// buttonRow widens the buttons of a line to the same width.
func buttonRow(line string, width int) string {
	labels := strings.Split(strings.Trim(line, "[]"), "] [")
	each := (width - (len(labels) - 1)) / len(labels)
	var row []string
	for _, label := range labels {
		row = append(row, "[ "+label+strings.Repeat(" ", max(0, each-4-columns(label)))+" ]")
	}
	return strings.Join(row, " ")
}

// columns is how wide a text is in a terminal.
func columns(text string) (n int) {
	for _, r := range text {
		switch {
		case r == '\ufe0f':
		case unicode.Is(unicode.Han, r), r >= 0x3000 && r <= 0x303f, r >= 0xff00 && r <= 0xff60, r >= 0x1f000, r >= 0x2705 && r <= 0x2764:
			n += 2
		default:
			n++
		}
	}
	return n
}
