package card

import (
	"strings"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

const (
	saidRunes = 600 // how much of the agent's last words a card shows at most
	leastSaid = 40  // with room for fewer it shows none
)

// addSaid puts what the agent wrote before it asked below what is asked, folded, as far as there is
// room in one message: what people decide about comes first. A card that is decided leaves it out.
func (f frame) addSaid(head, front, tail markup.Text) markup.Text {
	text := f.said()
	if text == "" || utf8.RuneCountInString(front.String()) == 0 {
		return front
	}
	before := markup.Plain("💬 " + f.w.SaidBefore)
	whole := markup.Join("\n", head, markup.Join("\n\n", front, markup.Join("\n", before, markup.Plain("x")), tail))
	room := min(saidRunes, markup.MaxRunes-whole.Runes())
	if room < leastSaid {
		return front
	}
	folded := markup.Span{Text: endOf(text, room), Quote: true, Folded: true}
	return markup.Join("\n\n", front, markup.Join("\n", before, markup.Text{folded}))
}

// said is what the agent wrote, where that is shown and is no repetition of what is asked.
func (f frame) said() string {
	switch {
	case f.Phase != question.PhaseAsking, f.Request.Admission != nil, f.Request.Permission == nil && f.Review():
		return ""
	}
	text := strings.TrimSpace(letters.Clean(f.Said))
	if f.Request.Permission == nil && strings.Contains(f.Item().Text, text) {
		return ""
	}
	return text
}

// endOf is the end of a text of at most limit code points. One that is cut says so.
func endOf(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return "…" + strings.TrimLeft(string(runes[len(runes)-limit+1:]), " \n")
}
