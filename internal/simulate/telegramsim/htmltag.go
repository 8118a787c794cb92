package telegramsim

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func (p *htmlParser) startTag() error {
	begin := p.pos
	p.pos++
	for !isSpace(p.at(p.pos)) && p.at(p.pos) != '>' {
		p.pos++
	}
	if p.at(p.pos) == 0 {
		return broken("Unclosed start tag at byte offset %d", begin)
	}
	tag := openTag{name: strings.ToLower(p.in[begin+1 : p.pos])}
	if !supportedTag(tag.name) {
		return broken("Unsupported start tag \"%s\" at byte offset %d", tag.name, begin)
	}
	for p.at(p.pos) != '>' {
		if err := p.attribute(&tag, begin); err != nil {
			return err
		}
	}
	p.pos++
	if tag.name == "span" && tag.arg != "spoiler" {
		return broken("Tag \"span\" must have class \"tg-spoiler\" at byte offset %d", begin)
	}
	tag.offset, tag.begin = p.utf16, len(p.out)
	p.open = append(p.open, tag)
	return nil
}

func supportedTag(name string) bool {
	return slices.Contains([]string{
		"a", "b", "strong", "i", "em", "s", "strike", "del", "u", "ins",
		"tg-spoiler", "tg-emoji", "tg-time", "span", "pre", "code", "blockquote",
	}, name)
}

// attribute reads the spaces before an attribute and the attribute, if there is one.
func (p *htmlParser) attribute(tag *openTag, begin int) error {
	p.skipSpaces()
	if p.at(p.pos) == '>' {
		return nil
	}
	from := p.pos
	for !isSpace(p.at(p.pos)) && strings.IndexByte("=>/\"'", p.at(p.pos)) < 0 {
		p.pos++
	}
	name := p.in[from:p.pos]
	if name == "" {
		return broken("Empty attribute name in the tag %q at byte offset %d", tag.name, begin)
	}
	p.skipSpaces()
	if p.at(p.pos) == 0 {
		return broken("Unclosed start tag %q at byte offset %d", tag.name, begin)
	}
	if p.at(p.pos) != '=' {
		tag.setArgument(name, "")
		return nil
	}
	p.pos++
	value, err := p.attributeValue(tag.name, begin)
	tag.setArgument(name, value)
	return err
}

func (p *htmlParser) attributeValue(tag string, begin int) (string, error) {
	p.skipSpaces()
	switch c := p.at(p.pos); c {
	case 0:
		return "", broken("Unclosed start tag %q at byte offset %d", tag, begin)
	case '\'', '"':
		return p.quotedValue(c, begin)
	}
	from := p.pos
	for c := p.at(p.pos); isLetter(c) || c >= '0' && c <= '9' || c == '.' || c == '-'; c = p.at(p.pos) {
		p.pos++
	}
	if !isSpace(p.at(p.pos)) && p.at(p.pos) != '>' {
		return "", broken("Unexpected end of name token at byte offset %d", from)
	}
	if p.at(p.pos) == 0 {
		return "", broken("Unclosed start tag at byte offset %d", begin)
	}
	return strings.ToLower(p.in[from:p.pos]), nil
}

func (p *htmlParser) quotedValue(quote byte, begin int) (string, error) {
	var value []byte
	p.pos++
	for p.pos < len(p.in) && p.in[p.pos] != quote {
		code, end := rune(0), 0
		if p.in[p.pos] == '&' {
			code, end = decodeReference(p.in, p.pos)
		}
		if code != 0 {
			value, p.pos = appendCode(value, code), end
			continue
		}
		value = append(value, p.in[p.pos])
		p.pos++
	}
	p.pos++
	if p.at(p.pos) == 0 {
		return "", broken("Unclosed start tag at byte offset %d", begin)
	}
	return string(value), nil
}

func (t *openTag) setArgument(name, value string) {
	switch t.name + " " + name {
	case "a href", "tg-emoji emoji-id", "tg-time format":
		t.arg = value
	case "tg-time unix":
		t.unix, _ = strconv.ParseInt(value, 10, 64)
	case "blockquote expandable":
		t.arg = "1"
	case "code class":
		if lang, ok := strings.CutPrefix(value, "language-"); ok {
			t.arg = lang
		}
	case "span class":
		if class, ok := strings.CutPrefix(value, "tg-"); ok {
			t.arg = class
		}
	}
}

func (p *htmlParser) endTag() error {
	begin := p.pos
	if len(p.open) == 0 {
		return broken("Unexpected end tag at byte offset %d", begin)
	}
	for !isSpace(p.at(p.pos)) && p.at(p.pos) != '>' {
		p.pos++
	}
	name := strings.ToLower(p.in[begin+2 : p.pos])
	p.skipSpaces()
	if p.at(p.pos) != '>' {
		return broken("Unclosed end tag at byte offset %d", begin)
	}
	p.pos++
	tag := p.open[len(p.open)-1]
	if name != "" && name != tag.name {
		return broken("Unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\"", begin, tag.name, name)
	}
	p.open = p.open[:len(p.open)-1]
	if p.utf16 == tag.offset {
		return nil
	}
	return p.closeTag(tag, Entity{Offset: tag.offset, Length: p.utf16 - tag.offset})
}

// closeTag turns a tag with content into its entity.
func (p *htmlParser) closeTag(tag openTag, e Entity) error {
	switch tag.name {
	case "pre", "code":
		p.closeCode(tag, e)
		return nil
	case "a":
		p.closeLink(tag, e)
		return nil
	case "tg-emoji":
		if n, err := strconv.ParseInt(tag.arg, 10, 64); err != nil || n == 0 {
			return broken("Invalid custom emoji identifier specified")
		}
		e.Type, e.CustomEmojiID = "custom_emoji", tag.arg
	case "tg-time":
		if !validDateFormat(tag.arg) {
			return broken("Invalid date format used")
		}
		if tag.unix <= 0 {
			return nil
		}
		e.Type, e.UnixTime, e.DateTimeFormat = "date_time", tag.unix, tag.arg
	default:
		e.Type = simpleEntity(tag)
	}
	p.entities = append(p.entities, e)
	return nil
}

func simpleEntity(tag openTag) string {
	if tag.name == "blockquote" && tag.arg != "" {
		return "expandable_blockquote"
	}
	return map[string]string{
		"b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
		"s": "strikethrough", "strike": "strikethrough", "del": "strikethrough",
		"tg-spoiler": "spoiler", "span": "spoiler", "blockquote": "blockquote",
	}[tag.name]
}

// validDateFormat takes what the server takes (FormattedDate::get_date_flags,
// FormattedDate.cpp:99): more than the Bot API documents.
func validDateFormat(format string) bool {
	return regexp.MustCompile(`^([rR]|[tTdDwW]*)$`).MatchString(format)
}

func (p *htmlParser) closeLink(tag openTag, e Entity) {
	url := tag.arg
	if url == "" {
		url = string(p.out[tag.begin:])
	}
	if id, ok := strings.CutPrefix(url, "tg://user?id="); ok {
		n, _ := strconv.ParseInt(id, 10, 64)
		e.Type, e.User = "text_mention", &User{ID: n}
	} else if validLink(url) {
		e.Type, e.URL = "text_link", url
	} else {
		return
	}
	p.entities = append(p.entities, e)
}

// closeCode joins <pre><code class="language-x"> around the same text, in either
// order, to one block in that language.
func (p *htmlParser) closeCode(tag openTag, e Entity) {
	last := len(p.entities) - 1
	same := last >= 0 && p.entities[last].Offset == e.Offset && p.entities[last].Length == e.Length
	e.Type = tag.name
	switch {
	case same && tag.name == "pre" && p.entities[last].Type == "code" && p.codeLang[last] != "":
		e.Language = p.codeLang[last]
		p.entities[last] = e
	case same && tag.name == "code" && p.entities[last].Type == "pre" && tag.arg != "":
		p.entities[last].Language = tag.arg
	default:
		p.entities = append(p.entities, e)
		p.codeLang[last+1] = tag.arg
	}
}
