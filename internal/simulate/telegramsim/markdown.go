package telegramsim

import (
	"strings"
	"unicode/utf8"
)

// markdownParser reads the MarkdownV2 parse mode without block quotations and
// custom emoji, which no one here sends.
type markdownParser struct {
	in       string
	pos      int
	out      strings.Builder
	open     []openMark
	entities []Entity
}

type openMark struct {
	mark, name, kind string
	begin, offset    int
}

// marks are tried in this order, longer ones first.
func marks() []openMark {
	return []openMark{
		{mark: "__", name: "Underline", kind: "underline"},
		{mark: "||", name: "Spoiler", kind: "spoiler"},
		{mark: "_", name: "Italic", kind: "italic"},
		{mark: "*", name: "Bold", kind: "bold"},
		{mark: "~", name: "Strikethrough", kind: "strikethrough"},
	}
}

func parseMarkdown(text string) (string, []Entity, error) {
	p := &markdownParser{in: text}
	for p.pos < len(text) {
		if err := p.step(); err != nil {
			return "", nil, err
		}
	}
	if n := len(p.open); n > 0 {
		return "", nil, broken("Can't find end of %s entity at byte offset %d", p.open[n-1].name, p.open[n-1].begin)
	}
	sortEntities(p.entities)
	return p.out.String(), p.entities, nil
}

func (p *markdownParser) step() error {
	rest := p.in[p.pos:]
	if rest[0] == '\\' && len(rest) > 1 && rest[1] > 0 && rest[1] < 127 {
		p.out.WriteByte(rest[1])
		p.pos += 2
		return nil
	}
	switch {
	case strings.HasPrefix(rest, "```"):
		return p.code("```", "Pre", "pre")
	case rest[0] == '`':
		return p.code("`", "Code", "code")
	case rest[0] == '[':
		p.push(openMark{mark: "]", name: "TextUrl", kind: "text_link"}, 1)
		return nil
	case rest[0] == ']' && p.inside("]"):
		return p.link()
	}
	return p.markOrText(rest)
}

func (p *markdownParser) inside(mark string) bool {
	return len(p.open) > 0 && p.open[len(p.open)-1].mark == mark
}

func (p *markdownParser) push(m openMark, width int) {
	m.begin, m.offset = p.pos, utf16Len(p.out.String())
	p.open = append(p.open, m)
	p.pos += width
}

func (p *markdownParser) pop() Entity {
	m := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	return Entity{Type: m.kind, Offset: m.offset, Length: utf16Len(p.out.String()) - m.offset}
}

func (p *markdownParser) add(e Entity) {
	if e.Length > 0 {
		p.entities = append(p.entities, e)
	}
}

func (p *markdownParser) markOrText(rest string) error {
	for _, m := range marks() {
		if !strings.HasPrefix(rest, m.mark) {
			continue
		}
		if p.inside(m.mark) {
			p.add(p.pop())
			p.pos += len(m.mark)
			return nil
		}
		p.push(m, len(m.mark))
		return nil
	}
	if strings.IndexByte("]()>#+-=|{}.!", rest[0]) >= 0 {
		return broken("Character '%c' is reserved and must be escaped with the preceding '\\'", rest[0])
	}
	_, n := utf8.DecodeRuneInString(rest)
	p.out.WriteString(rest[:n])
	p.pos += n
	return nil
}

// code reads `code` and ```pre```, inside which only \ and ` are special.
func (p *markdownParser) code(mark, name, kind string) error {
	begin := p.pos
	p.push(openMark{mark: mark, kind: kind}, len(mark))
	language := ""
	if kind == "pre" {
		language = p.language()
	}
	for p.pos < len(p.in) && !strings.HasPrefix(p.in[p.pos:], mark) {
		if p.in[p.pos] == '\\' && p.pos+1 < len(p.in) {
			p.pos++
		}
		p.out.WriteByte(p.in[p.pos])
		p.pos++
	}
	if p.pos >= len(p.in) {
		return broken("Can't find end of %s entity at byte offset %d", name, begin)
	}
	p.pos += len(mark)
	e := p.pop()
	e.Language = language
	p.add(e)
	return nil
}

// language reads the word after ``` when a line break ends it.
func (p *markdownParser) language() string {
	rest := p.in[p.pos:]
	word := rest[:max(0, strings.IndexByte(rest, '\n'))]
	if strings.ContainsAny(word, " \t`\\") {
		word = ""
	}
	p.pos += len(word)
	if strings.HasPrefix(p.in[p.pos:], "\n") {
		p.pos++
	}
	return word
}

func (p *markdownParser) link() error {
	e := p.pop()
	p.pos++
	if !strings.HasPrefix(p.in[p.pos:], "(") {
		return nil
	}
	end := strings.IndexByte(p.in[p.pos:], ')')
	if end < 0 {
		return broken("Can't find end of a URL at byte offset %d", p.pos)
	}
	e.URL = p.in[p.pos+1 : p.pos+end]
	p.pos += end + 1
	if validLink(e.URL) {
		p.add(e)
	}
	return nil
}
