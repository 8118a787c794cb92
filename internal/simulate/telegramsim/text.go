package telegramsim

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of the Bot API.
const (
	maxRawText = 32768 // bytes before parsing
	maxText    = 4096  // code points after parsing
	maxCaption = 1024  // code points after parsing
)

// formatted is a text as Telegram keeps it.
type formatted struct {
	text     string
	entities []Entity
}

func (f formatted) equal(other formatted) bool {
	return f.text == other.text && slices.EqualFunc(f.entities, other.entities, sameEntity)
}

func sameEntity(a, b Entity) bool {
	if (a.User == nil) != (b.User == nil) || a.User != nil && a.User.ID != b.User.ID {
		return false
	}
	a.User, b.User = nil, nil
	return a == b
}

// parseText reads text, parse_mode and entities. Markup is parsed before the chat
// is looked at, as Telegram does; the rest is checked by finish.
func (p params) parseText(name, entities string) (formatted, *refusal) {
	raw := p.text(name)
	if len(raw) > maxRawText {
		return formatted{}, wrong("text is too long")
	}
	if !utf8.ValidString(raw) {
		return formatted{}, wrong("strings must be encoded in UTF-8")
	}
	var f formatted
	var err error
	switch mode := strings.ToLower(p.text("parse_mode")); mode {
	case "", "none":
		es, refused := givenEntities(p.text(entities), raw)
		return formatted{raw, es}, refused
	case "html":
		f.text, f.entities, err = parseHTML(raw)
	case "markdownv2":
		f.text, f.entities, err = parseMarkdown(raw)
	default:
		return f, wrong("unsupported parse_mode")
	}
	if err != nil {
		return f, wrong("can't parse entities: " + err.Error())
	}
	return f, nil
}

// messageText is parseText for a message that must have a text.
func (p params) messageText() (formatted, *refusal) {
	f, refused := p.parseText("text", "entities")
	if refused == nil && p.text("text") == "" {
		return f, wrong("message text is empty")
	}
	return f, refused
}

// finish cleans the text as Telegram does before it keeps it, and applies the
// limit of a message.
func (f formatted) finish() (formatted, *refusal) {
	f = f.cleanInput().clean()
	if f.text == "" {
		return f, wrong("text must be non-empty")
	}
	if utf8.RuneCountInString(f.text) > maxText {
		return f, wrong("message is too long")
	}
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
