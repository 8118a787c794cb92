package telegramsim

import (
	"encoding/json"
	"net/url"
	"slices"
	"unicode/utf8"
)

// Limits of keyboards. The last is an estimate: Telegram only says that a markup
// is too long, and did so for 99 buttons with long data.
const (
	maxButtons      = 100
	maxCallbackData = 64 // bytes
	maxMarkupBytes  = 8192
)

// markup is a parsed reply_markup.
type markup struct {
	rows [][]wireButton
	// prompt is set for ForceReply. Telegram refuses to edit a message that was sent with one.
	prompt bool
	// selective is ForceReply.selective: the box opens only for those who are mentioned in the
	// text, and for whoever wrote the message that this one replies to (Bot API ForceReply).
	selective   bool
	placeholder string // ForceReply.input_field_placeholder
	unopened    bool   // no reply box opens for it: Options.NoBoxInTopics
}

// opens reports whether the reply box opens.
func (m markup) opens() bool { return m.prompt && !m.unopened }

// maxPlaceholder bounds input_field_placeholder, in characters (Bot API ForceReply).
const maxPlaceholder = 64

// wireButton is an inline button in the Bot API's form, of the kinds that hermes sends.
type wireButton struct {
	Text  string `json:"text"`
	Style string `json:"style,omitempty"`
	URL   string `json:"url,omitempty"`
	Data  string `json:"callback_data,omitempty"`
}

type wireMarkup struct {
	Rows [][]wireButton `json:"inline_keyboard"`
}

// replyMarkup reads the reply_markup parameter.
func (p params) replyMarkup() (markup, *refusal) {
	var fields map[string]json.RawMessage
	refused := p.structure("reply_markup", "{", &fields, "can't parse reply keyboard markup JSON object", "object expected as reply markup")
	if refused != nil || fields == nil {
		return markup{}, refused
	}
	if rows, ok := fields["inline_keyboard"]; ok {
		return inlineMarkup(rows)
	}
	m := markup{prompt: string(fields["force_reply"]) == "true", selective: string(fields["selective"]) == "true"}
	_ = json.Unmarshal(fields["input_field_placeholder"], &m.placeholder)
	if utf8.RuneCountInString(m.placeholder) > maxPlaceholder {
		return m, wrong("input_field_placeholder is too long") // the words are not known
	}
	return m, nil
}

// editMarkup is replyMarkup for edits, which take inline keyboards only.
func (p params) editMarkup() (markup, *refusal) {
	m, refused := p.replyMarkup()
	if refused == nil && m.prompt {
		refused = wrong("inline keyboard expected")
	}
	return m, refused
}

func inlineMarkup(raw json.RawMessage) (markup, *refusal) {
	var rows []json.RawMessage
	if json.Unmarshal(raw, &rows) != nil {
		return markup{}, wrong(`field "inline_keyboard" of the InlineKeyboardMarkup must be of type Array`)
	}
	var m markup
	for _, raw := range rows {
		row, refused := inlineRow(raw)
		if refused != nil {
			return m, refused
		}
		if len(row) > 0 {
			m.rows = append(m.rows, row)
		}
	}
	return m, m.checkSize()
}

func inlineRow(raw json.RawMessage) ([]wireButton, *refusal) {
	var buttons []json.RawMessage
	if json.Unmarshal(raw, &buttons) != nil {
		return nil, wrong(`field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays`)
	}
	var row []wireButton
	for _, raw := range buttons {
		var b wireButton
		if err := json.Unmarshal(raw, &b); err != nil {
			return nil, wrong("can't parse inline keyboard button: InlineKeyboardButton must be an Object with fields of the documented types")
		}
		b, refused := checkButton(b)
		if refused != nil {
			return nil, refused
		}
		row = append(row, b)
	}
	return row, nil
}

// checkButton keeps only the action that counts: the first in Telegram's order.
func checkButton(b wireButton) (wireButton, *refusal) {
	b.Text = formatted{text: b.Text}.cleanInput().text // ReplyMarkup.cpp:566
	switch {
	case b.URL == "" && b.Data == "":
		return b, wrong("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
	case b.URL != "":
		b.Data = ""
	}
	return b, b.check()
}

func (b wireButton) check() *refusal {
	switch {
	case !slices.Contains([]string{"", "danger", "success", "primary"}, b.Style):
		return wrong("can't parse inline keyboard button: invalid button style specified")
	case clean(b.Text) == "":
		return wrong("inline keyboard button text must be non-empty")
	case len(b.Data) > maxCallbackData:
		return wrong("BUTTON_DATA_INVALID")
	case b.URL != "" && !validButtonURL(b.URL):
		return wrong("inline keyboard button URL '" + b.URL + "' is invalid: Wrong HTTP URL")
	}
	return nil
}

func clean(text string) string { return formatted{text: text}.clean().text }

func validButtonURL(link string) bool {
	u, err := url.Parse(link)
	return err == nil && u.Host != "" && slices.Contains([]string{"http", "https", "tg"}, u.Scheme)
}

func (m markup) checkSize() *refusal {
	buttons, size := 0, 0
	for _, row := range m.rows {
		for _, b := range row {
			buttons++
			size += len(b.Text) + len(b.Data) + len(b.URL)
		}
	}
	if buttons > maxButtons || size > maxMarkupBytes {
		return wrong("reply markup is too long")
	}
	return nil
}

// wire is what messages carry: only inline keyboards, and only with buttons.
func (m markup) wire() *wireMarkup {
	if len(m.rows) == 0 {
		return nil
	}
	return &wireMarkup{Rows: m.rows}
}

func (m markup) equal(other markup) bool {
	return slices.EqualFunc(m.rows, other.rows, slices.Equal[[]wireButton])
}
