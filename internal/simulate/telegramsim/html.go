package telegramsim

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	htmlPart = regexp.MustCompile(`<[^<>]*>?|&[a-z]*;?|[^<&]+`)
	startTag = regexp.MustCompile(`^<(?:(b|code|pre|blockquote( expandable)?)|(code) class="language-([a-z]+)"|(a) href="tg://user\?id=([0-9]+)"|(tg-time) unix="([0-9]+)" format="(t|dt)")>$`)
)

// openTag is a tag that has no end yet, and the entity that it becomes.
type openTag struct {
	name   string
	entity Entity
}

// htmlParser reads the part of Telegram's HTML parse mode that hermes writes (Bot API, "HTML style"). Telegram takes more: other tags
// and attributes, bare ampersands, other references. All of that is refused here, so that no text of an agent or a person can pass for
// markup. Errors have the words of td 022d602, MessageEntity.cpp, and the byte offsets of the text as it was sent.
type htmlParser struct {
	out      strings.Builder
	units    int // of out
	open     []openTag
	entities []Entity
}

// parseHTML returns the plain text and its entities, sorted.
func parseHTML(text string) (string, []Entity, error) {
	p := &htmlParser{}
	at := 0
	for _, part := range htmlPart.FindAllString(text, -1) {
		if err := p.read(part, at); err != nil {
			return "", nil, err
		}
		at += len(part)
	}
	if n := len(p.open); n > 0 {
		return "", nil, broken("Can't find end tag corresponding to start tag %q", p.open[n-1].name)
	}
	sortEntities(p.entities)
	return p.out.String(), p.entities, nil
}

func (p *htmlParser) read(part string, at int) error {
	switch {
	case part[0] == '&':
		plain, ok := map[string]string{"&lt;": "<", "&gt;": ">", "&amp;": "&"}[part]
		if !ok {
			return broken("Unsupported reference %q at byte offset %d", part, at)
		}
		p.write(plain)
	case part[0] != '<':
		p.write(part)
	case strings.HasPrefix(part, "</"):
		return p.end(part, at)
	default:
		return p.start(part, at)
	}
	return nil
}

func (p *htmlParser) write(plain string) {
	p.out.WriteString(plain)
	p.units += utf16Len(plain)
}

func (p *htmlParser) start(tag string, at int) error {
	if !strings.HasSuffix(tag, ">") {
		return broken("Unclosed start tag at byte offset %d", at)
	}
	m := startTag.FindStringSubmatch(tag)
	if m == nil {
		name, _, _ := strings.Cut(strings.Trim(tag, "<>"), " ")
		return broken("Unsupported start tag \"%s\" at byte offset %d", name, at)
	}
	opened := openTag{name: strings.TrimSuffix(m[1], " expandable") + m[3] + m[5] + m[7], entity: Entity{Offset: p.units}}
	e := &opened.entity
	switch {
	case m[2] != "":
		e.Type = "expandable_blockquote"
	case opened.name == "a":
		id, _ := strconv.ParseInt(m[6], 10, 64)
		e.Type, e.User = "text_mention", &User{ID: id}
	case opened.name == "tg-time":
		e.Type, e.DateTimeFormat = "date_time", m[9]
		e.UnixTime, _ = strconv.ParseInt(m[8], 10, 64)
	case opened.name == "b":
		e.Type = "bold"
	default:
		e.Type, e.Language = opened.name, m[4]
	}
	p.open = append(p.open, opened)
	return nil
}

func (p *htmlParser) end(tag string, at int) error {
	if len(p.open) == 0 {
		return broken("Unexpected end tag at byte offset %d", at)
	}
	if !strings.HasSuffix(tag, ">") {
		return broken("Unclosed end tag at byte offset %d", at)
	}
	last := p.open[len(p.open)-1]
	if name := strings.Trim(tag, "</>"); name != last.name {
		return broken("Unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\"", at, last.name, name)
	}
	p.open = p.open[:len(p.open)-1]
	e := last.entity
	if e.Length = p.units - e.Offset; e.Length > 0 {
		p.keep(e)
	}
	return nil
}

// keep adds an entity; <pre><code class="language-x"> is one block in that language.
func (p *htmlParser) keep(e Entity) {
	if last := len(p.entities) - 1; e.Type == "pre" && last >= 0 {
		if code := p.entities[last]; code.Type == "code" && code.Offset == e.Offset && code.Length == e.Length {
			e.Language = code.Language
			p.entities[last] = e
			return
		}
	}
	p.entities = append(p.entities, e)
}
