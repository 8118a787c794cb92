package telegramsim

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// refusal is a negative answer of the Bot API.
type refusal struct {
	code       int
	text       string
	retryAfter int
	migrateTo  int64
	misuse     bool // the bot can know beforehand that this call is wrong
}

// bad is a refusal that a correct bot can meet, such as a message that is gone.
func bad(text string) *refusal { return &refusal{code: 400, text: "Bad Request: " + lowered(text)} }

// wrong is a refusal that a correct bot never meets.
func wrong(text string) *refusal {
	r := bad(text)
	r.misuse = true
	return r
}

func forbidden(text string) *refusal { return &refusal{code: 403, text: "Forbidden: " + text} }

func conflict(text string) *refusal { return &refusal{code: 409, text: "Conflict: " + text} }

// lowered applies the Bot API's rule for texts of inner errors: the first letter
// becomes small unless the second character shows an upper-case constant.
func lowered(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[n:])
	if second == '_' || unicode.IsUpper(second) {
		return text
	}
	return string(unicode.ToLower(first)) + text[n:]
}

// parseError is a complaint about a text's markup in Telegram's own words.
type parseError string

func (e parseError) Error() string { return string(e) }

func broken(format string, args ...any) error { return parseError(fmt.Sprintf(format, args...)) }
