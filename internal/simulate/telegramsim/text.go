package telegramsim

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of the Bot API, and of Telegram behind it.
const (
	maxRawText  = 32768 // bytes before parsing
	maxText     = 4096  // code points after parsing (MessageContent.cpp:4757), or UTF-16 units: see Options.CountUnits
	maxCaption  = 1024  // code points after parsing
	maxEntities = 100   // MAX_USER_ENTITY_COUNT, "server-side limit" (MessageEntity.cpp:4747)
)

// Entity is a formatted stretch of a text, as the Bot API's MessageEntity.
// Offset and Length count UTF-16 units.
type Entity struct {
	Type           string `json:"type"`
	Offset         int    `json:"offset"`
	Length         int    `json:"length"`
	User           *User  `json:"user,omitempty"`
	Language       string `json:"language,omitempty"`
	UnixTime       int64  `json:"unix_time,omitempty"`
	DateTimeFormat string `json:"date_time_format,omitempty"`
}

// sortEntities puts outer entities before inner ones.
func sortEntities(es []Entity) {
	slices.SortStableFunc(es, func(a, b Entity) int {
		if a.Offset != b.Offset {
			return a.Offset - b.Offset
		}
		return b.Length - a.Length
	})
}

// keptEntities drops, without a word, those above a hundred: first of all those that may overlap others, such as bold, then the last
// ones (MessageEntity.cpp:4742-4826).
func keptEntities(es []Entity) []Entity {
	var kept, last []Entity
	n := 0
	for _, e := range es {
		switch {
		case e.Type == "bold":
			last = append(last, e)
		case n < maxEntities:
			kept, n = append(kept, e), n+1
		}
	}
	kept = append(kept, last[:min(len(last), maxEntities-n)]...)
	sortEntities(kept)
	return kept
}

var mention = regexp.MustCompile(`\B@[a-zA-Z0-9_]{2,32}\b`)

// withMentions adds the names that Telegram finds in a text, and tells of it: all but those in code (MessageEntity.cpp:268, 1352, 1753).
// Those of three letters or fewer are no names; \B and \b know ASCII alone, where Telegram looks for any letter.
func withMentions(text string, es []Entity) []Entity {
	for _, at := range mention.FindAllStringIndex(text, -1) {
		e := Entity{Type: "mention", Offset: utf16Len(text[:at[0]]), Length: at[1] - at[0]}
		inCode := slices.ContainsFunc(es, func(c Entity) bool {
			return (c.Type == "code" || c.Type == "pre") && c.Offset < e.Offset+e.Length && e.Offset < c.Offset+c.Length
		})
		if !inCode && e.Length > len("@abc") {
			es = append(es, e)
		}
	}
	sortEntities(es)
	return es
}

func utf16Len(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// formatted is a text as Telegram keeps it.
type formatted struct {
	text     string
	entities []Entity
}

func (f formatted) equal(other formatted) bool {
	same := func(a, b Entity) bool { return reflect.DeepEqual(a, b) }
	return f.text == other.text && slices.EqualFunc(f.entities, other.entities, same)
}

// parseText reads a text with its parse_mode. Markup is parsed before the chat is looked at, as Telegram does; the rest is checked by
// finish.
func (p params) parseText(name string) (formatted, *refusal) {
	raw := p.text(name)
	if len(raw) > maxRawText {
		return formatted{}, wrong("text is too long")
	}
	if !utf8.ValidString(raw) {
		return formatted{}, wrong("strings must be encoded in UTF-8")
	}
	switch p.text("parse_mode") {
	case "":
		return formatted{text: raw}, nil
	case "HTML":
		text, entities, err := parseHTML(raw)
		if err != nil {
			return formatted{}, wrong("can't parse entities: " + err.Error())
		}
		return formatted{text, entities}, nil
	}
	return formatted{}, wrong("unsupported parse_mode")
}

// messageText is parseText for a message that must have a text.
func (p params) messageText() (formatted, *refusal) {
	f, refused := p.parseText("text")
	if refused == nil && p.text("text") == "" {
		return f, wrong("message text is empty")
	}
	return f, refused
}

// finish cleans the text as Telegram does before it keeps it, and applies the
// limit of a message.
func (f formatted) finish(countUnits bool) (formatted, *refusal) {
	f = f.cleanInput().clean()
	if f.text == "" {
		return f, wrong("text must be non-empty")
	}
	if utf8.RuneCountInString(f.text) > maxText || countUnits && utf16Len(f.text) > maxText {
		return f, wrong("message is too long")
	}
	f.entities = withMentions(f.text, keptEntities(f.entities))
	return f, nil
}

// edited is a refusal as an edit gets it. Nothing before Telegram's servers looks how long
// the text is (MessagesManager.cpp:23405), and their own words come through.
func (r *refusal) edited() *refusal {
	if r.text == "Bad Request: message is too long" {
		return wrong("MESSAGE_TOO_LONG")
	}
	return r
}

// finishCaption is finish for a caption, which may be empty.
func (f formatted) finishCaption() (formatted, *refusal) {
	f = f.cleanInput().clean()
	if utf8.RuneCountInString(f.text) > maxCaption {
		return f, wrong("message caption is too long")
	}
	return f, nil
}

// clean drops white space at the end, and at the start as far as no entity
// covers it, and moves the entities along.
func (f formatted) clean() formatted {
	text := strings.TrimRight(f.text, " \t\r\n\u200b")
	lead := len(text) - len(strings.TrimLeft(text, " \t\r\n\u200b"))
	if len(f.entities) > 0 {
		lead = min(lead, f.entities[0].Offset)
	}
	text = text[lead:]
	end := utf16Len(text)
	var kept []Entity
	for _, e := range f.entities {
		e.Offset -= lead
		e.Length = min(e.Length, end-e.Offset)
		if e.Length > 0 {
			kept = append(kept, e)
		}
	}
	return formatted{text, kept}
}

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
		at += utf16.RuneLen(r)
	}
	kept := slices.Clone(f.entities)
	for i, e := range kept {
		before := lessThan(gone, e.Offset)
		kept[i].Offset, kept[i].Length = e.Offset-before, e.Length-(lessThan(gone, e.Offset+e.Length)-before)
	}
	kept = slices.DeleteFunc(kept, func(e Entity) bool { return e.Length <= 0 })
	return formatted{oneMark(out.String()), kept}
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
