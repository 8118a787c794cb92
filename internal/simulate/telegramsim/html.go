package telegramsim

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// htmlParser reads Telegram's HTML parse mode (TDLib, MessageEntity.cpp). Byte
// offsets in its errors are those of the text as it was sent.
type htmlParser struct {
	in       string
	pos      int
	out      []byte
	utf16    int
	open     []openTag
	entities []Entity
	codeLang map[int]string // language of a code entity that a pre may still claim
}

type openTag struct {
	name, arg string
	unix      int64
	offset    int // UTF-16, where the content begins
	begin     int // bytes of out, where the content begins
}

// parseHTML returns the plain text and its entities, sorted.
func parseHTML(text string) (string, []Entity, error) {
	p := &htmlParser{in: text, codeLang: map[int]string{}}
	for p.pos < len(p.in) {
		if err := p.step(); err != nil {
			return "", nil, err
		}
	}
	if n := len(p.open); n > 0 {
		return "", nil, broken("Can't find end tag corresponding to start tag %q", p.open[n-1].name)
	}
	if !utf8.Valid(p.out) {
		return "", nil, broken("Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units")
	}
	sortEntities(p.entities)
	return string(p.out), p.entities, nil
}

func (p *htmlParser) step() error {
	switch c := p.in[p.pos]; {
	case c == '&':
		p.reference()
	case c != '<':
		p.copyByte(c)
	case p.at(p.pos+1) == '/':
		return p.endTag()
	default:
		return p.startTag()
	}
	return nil
}

// at is the byte at i, 0 after the end.
func (p *htmlParser) at(i int) byte {
	if i >= len(p.in) {
		return 0
	}
	return p.in[i]
}

func (p *htmlParser) copyByte(c byte) {
	if c&0xc0 != 0x80 {
		p.utf16++
	}
	if c >= 0xf0 {
		p.utf16++
	}
	p.out = append(p.out, c)
	p.pos++
}

func (p *htmlParser) reference() {
	code, end := decodeReference(p.in, p.pos)
	if code == 0 {
		p.copyByte('&')
		return
	}
	p.pos = end
	p.utf16++
	if code > 0xffff {
		p.utf16++
	}
	p.out = appendCode(p.out, code)
}

// appendCode appends a code point; half of a surrogate pair becomes invalid UTF-8
// on purpose, to be found at the end.
func appendCode(out []byte, code rune) []byte {
	if code >= 0xd800 && code <= 0xdfff {
		return append(out, 0xff)
	}
	return utf8.AppendRune(out, code)
}

// decodeReference reads &lt; &gt; &amp; &quot; and numeric references, with an
// optional semicolon. Code 0 means that the text stays as it is.
func decodeReference(in string, pos int) (code rune, end int) {
	rest := in[pos+1:]
	if strings.HasPrefix(rest, "#") {
		return decodeNumeric(in, pos)
	}
	n := 0
	for n < len(rest) && isLetter(rest[n]) {
		n++
	}
	named := map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"'}
	return named[rest[:n]], skipSemicolon(in, pos+1+n)
}

func decodeNumeric(in string, pos int) (rune, int) {
	digits, base, start := "0123456789", 10, pos+2
	if start < len(in) && in[start] == 'x' {
		digits, base, start = "0123456789abcdefABCDEF", 16, start+1
	}
	end := start
	for end < len(in) && strings.IndexByte(digits, in[end]) >= 0 {
		end++
	}
	n, err := strconv.ParseUint(in[start:end], base, 32)
	if err != nil || n == 0 || n >= 0x10ffff || end-pos >= 10 {
		return 0, 0
	}
	return rune(n), skipSemicolon(in, end)
}

func skipSemicolon(in string, end int) int {
	if end < len(in) && in[end] == ';' {
		return end + 1
	}
	return end
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isSpace has 0 among the spaces, as TDLib has, so that the end stops every scan.
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == 0
}

func (p *htmlParser) skipSpaces() {
	for p.pos < len(p.in) && isSpace(p.in[p.pos]) {
		p.pos++
	}
}
