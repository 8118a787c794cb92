package ui

import (
	"fmt"
	"slices"
	"strings"

	"hermes/internal/fields"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// What a card shows of a form's title, of a pattern and of a refusal.
const (
	titleWidth   = 200
	patternWidth = 60
	refusalRunes = 300
	hostWidth    = 22 // of a host, on a button
)

// whoAsks says that a form is no question of the agent, and whose it is; empty for a question.
func (r requestText) whoAsks() markup.Text {
	f := r.request.Form
	if f == nil {
		return nil
	}
	title := markup.Plain(markup.Isolate(markup.Shorten(markup.OneLine(f.Title), titleWidth)))
	switch {
	case f.Server == "":
		return markup.Phrase("🧩 "+r.w.Form.Program, title)
	case f.Title == "" || f.Title == f.Server+" is requesting input": // OpenCode's own words (2.0)
		title = nil
	}
	server := personName(question.Actor{Name: f.Server}) // who wrote the server has named it freely
	return markup.Join("\n", markup.Phrase("🧩 "+r.w.Form.Server, server), title)
}

// asked is what is asked in a step: of a form with who asks, and with what they say of it as a quotation.
func (c questionCard) asked(step int) markup.Text {
	text := c.itemText(step)
	if c.Request.Items[step].Multiple {
		text = markup.Join("  ", text, markup.Plain(c.howMany(c.Request.Items[step])))
	}
	if c.Request.Form == nil {
		return markup.Join("\n\n", text, c.contextOnCard()) // in this order: a lock screen shows the beginning
	}
	return markup.Join("\n\n", c.intro(), text, c.address(c.Request.Items[step]))
}

// intro is who asks a form, and what they say of it; empty for a question.
func (c questionCard) intro() markup.Text {
	if c.Request.Form == nil {
		return nil
	}
	said := c.contextOnCard()
	for i := range said {
		said[i].Quote = said[i].Text != ""
	}
	return markup.Join("\n", c.whoAsks(), said)
}

// howMany says how many may be chosen of an item that takes several.
func (c questionCard) howMany(item question.Item) string {
	if item.Field == nil {
		return c.w.ChooseAny
	}
	return c.w.Form.Choose.Of(item.Field.Min, item.Field.Max, c.w.ChooseAny)
}

// address is the address that a field wants to be opened, with its host. Messages have no previews, so nobody but the
// person opens it.
func (r requestText) address(item question.Item) markup.Text {
	if item.Field == nil || item.Field.Kind != fields.External {
		return nil
	}
	host, ok := letters.Link(item.Field.URL)
	if !ok {
		return markup.Text{{Text: r.w.Form.Doubtful + "\n"}, {Text: letters.Exposed(item.Field.URL) + " ", Code: "text"}}
	}
	return markup.Plain(fmt.Sprintf(r.w.Form.Address, host) + "\n" + item.Field.URL + "\n" + r.w.Form.WhenOpened)
}

// openRow opens the address that the message shows whole. The button names the host, of a long one its end, which
// says whose it is.
func (c questionCard) openRow() []Button {
	item := c.Item()
	if item.Field == nil || item.Field.Kind != fields.External || c.long {
		return nil
	}
	host, ok := letters.Openable(item.Field.URL)
	if !ok {
		return nil
	}
	if spare := len(host) - hostWidth; spare > 0 {
		host = "…" + host[spare:]
	}
	return []Button{{Label: "🔗 " + fmt.Sprintf(c.w.Form.Open, host), URL: item.Field.URL}}
}

// fieldLines say what the field on screen takes.
func (c questionCard) fieldLines() markup.Text {
	item := c.Item()
	if item.Field == nil {
		return nil
	}
	var lines []markup.Text
	if takes := c.takes(item); takes != "" {
		lines = append(lines, markup.Plain(takes))
	}
	if len(item.Field.Default) > 0 {
		lines = append(lines, markup.Phrase(c.w.Form.Default, c.itemAnswer(c.Wizard.Step, item.Field.Default)))
	}
	if !item.Field.Required {
		lines = append(lines, markup.Plain(c.w.Form.Optional))
	}
	return markup.Join("\n", lines...)
}

// takes says what may be typed, where that is not any text.
func (r requestText) takes(item question.Item) string {
	f := *item.Field
	switch {
	case f.Kind == fields.Unknown:
		return r.w.Form.Unknown
	case !item.TakesText() || f.Kind == fields.Multiselect:
		return ""
	case f.Kind == fields.String && f.Format == fields.AnyText && f.Pattern == "" && f.Min == nil && f.Max == nil:
		return ""
	}
	return fmt.Sprintf(r.w.Form.Send, accepts(item, r.w))
}

// accepts is what the field takes of typed text.
func accepts(item question.Item, w words.Table) string {
	return w.Accepts(*item.Field, func(pattern string) string {
		return markup.Isolate(quote(markup.Shorten(letters.OneLine(pattern), patternWidth)))
	})
}

// fieldNotice says why a field is asked again.
func fieldNotice(n question.Notice, r question.Request, w words.Table) string {
	if n.Kind == question.Refused {
		return fmt.Sprintf(w.Form.Refused, markup.Isolate(quote(markup.Beginning(letters.OneLine(n.Text), refusalRunes))))
	}
	if n.Item >= len(r.Items) || r.Items[n.Item].Field == nil {
		return w.NotAnOption
	}
	item := r.Items[n.Item]
	switch {
	case n.Kind == question.TooFew:
		return fmt.Sprintf(w.Form.TooFew, words.Number(*item.Field.Min))
	case n.Kind == question.TooMany:
		return fmt.Sprintf(w.Form.TooMany, words.Number(*item.Field.Max))
	case item.Field.Kind == fields.Unknown:
		return w.Form.Unknown
	}
	send := fmt.Sprintf(w.Form.Send, accepts(item, w))
	if text := markup.OneLine(n.Text); text != "" {
		wrong := fmt.Sprintf(w.Form.DoesNotFit, markup.Isolate(quote(markup.Shorten(text, patternWidth))))
		return wrong + markup.Gap(wrong) + send
	}
	return send
}

// optionName is what an option is called. Those of a field that is answered with yes or no are hermes' own.
func (r requestText) optionName(item question.Item, n int) string {
	o := item.Options[n]
	switch {
	case !ownOptions(item):
		return o.Label
	case item.Field.Kind == fields.External:
		return r.w.Form.Opened
	case o.ID == fields.True:
		return r.w.Form.Yes
	}
	return r.w.Form.No
}

// ownOptions reports whether the item's options are hermes' own words.
func ownOptions(item question.Item) bool {
	return item.Field != nil && (item.Field.Kind == fields.Boolean || item.Field.Kind == fields.External)
}

// fieldValue is one value of a field as people know it: an option by its label, a number as it is, any other text in quotes.
func (r requestText) fieldValue(item question.Item, value string) markup.Text {
	for n, o := range item.Options {
		if o.ID == value {
			return markup.Plain(markup.Isolate(r.optionName(item, n)))
		}
	}
	if item.Field.Kind == fields.Number || item.Field.Kind == fields.Integer {
		return markup.Plain(markup.OneLine(value))
	}
	return markup.Plain(quote(letters.Clean(value)))
}

// fieldName is what a field without a title is called: an address by its host, any other by its key.
func (r requestText) fieldName(item question.Item) string {
	if item.Field.Kind == fields.External {
		if host, ok := letters.Link(item.Field.URL); ok {
			return fmt.Sprintf(r.w.Form.Open, host)
		}
		return r.w.Question
	}
	return strings.TrimSpace(markup.OneLine(item.ID))
}

// fieldRow leaves the field on screen without an answer of one's own.
func (c questionCard) fieldRow() []Button {
	item := c.Item()
	if item.Field == nil {
		return nil
	}
	var row []Button
	if len(item.Field.Default) > 0 && !hasDefaultButton(item) {
		row = append(row, c.moveButton("↩️ "+c.w.Form.UseDefault, question.UseDefault, 0, false))
	}
	if !item.Field.Required {
		row = append(row, c.moveButton("⏭ "+c.w.Form.Skip, question.Skip, 0, false))
	}
	return row
}

// hasDefaultButton reports whether a tap on one option takes the field's default.
func hasDefaultButton(item question.Item) bool {
	return !item.Multiple && slices.ContainsFunc(item.Options, func(o question.Option) bool { return o.ID == item.Field.Default[0] })
}

// numbered is the number of each item among those that are asked, from 1, 0 of those that are not; and how many are asked.
func numbered(asked []bool) (numbers []int, n int) {
	numbers = make([]int, len(asked))
	for i, is := range asked {
		if is {
			n++
			numbers[i] = n
		}
	}
	return numbers, n
}
