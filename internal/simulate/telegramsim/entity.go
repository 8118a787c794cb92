package telegramsim

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"hermes/internal/sorting"
)

// Entity is a formatted stretch of a text, as the Bot API's MessageEntity.
// Offset and Length count UTF-16 units.
type Entity struct {
	Type           string `json:"type"`
	Offset         int    `json:"offset"`
	Length         int    `json:"length"`
	URL            string `json:"url,omitempty"`
	User           *User  `json:"user,omitempty"`
	Language       string `json:"language,omitempty"`
	CustomEmojiID  string `json:"custom_emoji_id,omitempty"`
	UnixTime       int64  `json:"unix_time,omitempty"`
	DateTimeFormat string `json:"date_time_format,omitempty"`
}

// sortEntities puts outer entities before inner ones.
func sortEntities(es []Entity) {
	sorting.By(es, func(a, b Entity) int {
		if a.Offset != b.Offset {
			return a.Offset - b.Offset
		}
		return b.Length - a.Length
	})
}

func utf16Len(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

func knownEntity(kind string) bool {
	return slices.Contains([]string{
		"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bold", "italic",
		"underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre",
		"text_link", "text_mention", "custom_emoji", "date_time",
	}, kind)
}

// validLink is a lenient form of TDLib's link check.
func validLink(link string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https", "ton", "tg", "tonsite":
		return u.Host != ""
	case "":
		return strings.Contains(link, ".") && !strings.ContainsAny(link, " \n")
	}
	return false
}

// givenEntities reads the entities parameter and checks it against the text.
func givenEntities(raw, text string) ([]Entity, *refusal) {
	if raw == "" {
		return nil, nil
	}
	var es []Entity
	if json.Unmarshal([]byte(raw), &es) != nil {
		return nil, wrong("can't parse entities JSON object")
	}
	sortEntities(es)
	end, kept := utf16Len(text), es[:0]
	for _, e := range es {
		if r := checkEntity(e, end); r != nil {
			return nil, r
		}
		if e.Length > 0 {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

func checkEntity(e Entity, end int) *refusal {
	switch {
	case !knownEntity(e.Type):
		return wrong("can't parse MessageEntity: Unsupported type specified")
	case e.Offset < 0 || e.Length < 0:
		return wrong("entity has incorrect offset or length")
	case e.Offset > end:
		return wrong(fmt.Sprintf("entity begins after the end of the text at UTF-16 offset %d", e.Offset))
	case e.Offset+e.Length > end:
		return wrong(fmt.Sprintf("entity beginning at UTF-16 offset %d ends after the end of the text at UTF-16 offset %d", e.Offset, e.Offset+e.Length))
	case e.Type == "text_link" && !validLink(e.URL):
		return wrong("entity URL '" + e.URL + "' is invalid: Wrong HTTP URL")
	}
	return nil
}

// renderHTML writes a text with its entities as HTML of the HTML parse mode.
// Entities that only clients detect, such as mentions, are left out.
func renderHTML(text string, es []Entity) string {
	var b strings.Builder
	var open []Entity
	pos := 0
	closeUntil := func() {
		for n := len(open); n > 0 && open[n-1].Offset+open[n-1].Length <= pos; n-- {
			_, end := htmlTags(open[n-1])
			b.WriteString(end)
			open = open[:n-1]
		}
	}
	for _, r := range text {
		closeUntil()
		for len(es) > 0 && es[0].Offset <= pos {
			start, _ := htmlTags(es[0])
			b.WriteString(start)
			open, es = append(open, es[0]), es[1:]
		}
		b.WriteString(escapeHTML(r))
		pos += utf16.RuneLen(r)
	}
	closeUntil()
	return b.String()
}

func escapeHTML(r rune) string {
	switch r {
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '&':
		return "&amp;"
	}
	return string(r)
}

func htmlTags(e Entity) (start, end string) {
	plain := map[string]string{
		"bold": "b", "italic": "i", "underline": "u", "strikethrough": "s", "spoiler": "tg-spoiler",
		"code": "code", "pre": "pre", "blockquote": "blockquote",
	}
	switch e.Type {
	case "text_link":
		return `<a href="` + html.EscapeString(e.URL) + `">`, "</a>"
	case "text_mention":
		return `<a href="tg://user?id=` + strconv.FormatInt(e.User.ID, 10) + `">`, "</a>"
	case "custom_emoji":
		return `<tg-emoji emoji-id="` + e.CustomEmojiID + `">`, "</tg-emoji>"
	case "date_time":
		return fmt.Sprintf(`<tg-time unix="%d" format="%s">`, e.UnixTime, e.DateTimeFormat), "</tg-time>"
	case "expandable_blockquote":
		return "<blockquote expandable>", "</blockquote>"
	case "pre":
		if e.Language != "" {
			return `<pre><code class="language-` + html.EscapeString(e.Language) + `">`, "</code></pre>"
		}
	}
	if tag := plain[e.Type]; tag != "" {
		return "<" + tag + ">", "</" + tag + ">"
	}
	return "", ""
}
