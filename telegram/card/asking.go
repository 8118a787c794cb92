package card

import (
	"fmt"
	"strconv"
	"strings"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// ask is the card of the item on screen.
func (p page) ask() (head, front, tail markup.Text) {
	step, item := p.Wizard.Step, p.Item()
	var of []string
	if n := len(p.Request.Items); n > 1 {
		of = append(of, fmt.Sprintf(p.w.OfItems, step+1, n))
	}
	head = p.headline("❓", p.header(step), of...)
	front = p.text(step)
	if item.Multiple {
		front = markup.Join("  ", front, markup.Plain(p.w.ChooseAny))
	}
	front = markup.Join("\n\n", front, p.context()) // in this order: a lock screen shows the beginning
	return head, front, markup.Join("\n\n", p.options(), p.chosen(), p.remarks(), p.team(), p.foot(), p.prompt())
}

// prompt is the last line while words are awaited.
func (p page) prompt() markup.Text {
	if p.Wizard.Typing || len(p.Item().Options) == 0 {
		return markup.Plain(p.w.Reply)
	}
	return nil
}

// review is the card before Send. A request without items has nothing to review.
func (p page) review() (head, front, tail markup.Text) {
	if len(p.Request.Items) == 0 {
		return p.headline("❓", p.w.Question), nil, markup.Join("\n\n", p.remarks(), p.foot())
	}
	return p.headline("📋", p.w.Review), p.list(p.Wizard.Answers(p.Request)), markup.Join("\n\n", p.remarks(), p.team(), p.foot())
}

// options lists the options by number. Of a long request only those that have a
// button now, cut: the file has them whole.
func (p page) options() markup.Text {
	item := p.Item()
	from, to := 0, len(item.Options)
	if p.long {
		from, to = p.span()
	}
	lines := make([]markup.Text, 0, to-from)
	for n, o := range item.Options[from:to] {
		if p.long {
			o = question.Option{Label: markup.Beginning(o.Label, optionRunes), Description: markup.Beginning(o.Description, optionRunes)}
		}
		lines = append(lines, option(from+n, o))
	}
	return markup.Join("\n", lines...)
}

// option is one numbered option, its description on lines of its own.
func option(n int, o question.Option) markup.Text {
	text := strconv.Itoa(n+1) + ". " + markup.Isolate(o.Label)
	if d := strings.TrimSpace(letters.Clean(o.Description)); d != "" {
		text += "\n    " + strings.ReplaceAll(d, "\n", "\n    ")
	}
	return markup.Plain(text)
}

// span is the range of options that have a button now.
func (p page) span() (from, to int) {
	n := len(p.Item().Options)
	from = p.Wizard.Page * question.PageSize
	if from < 0 || from >= n {
		from = 0
	}
	return from, min(n, from+question.PageSize)
}

// chosen tells the answers given so far. Those of the item on screen are on its
// buttons, unless there are typed ones or more options than buttons.
func (p page) chosen() markup.Text {
	var lines []markup.Text
	for i := range p.Request.Items {
		if i == p.Wizard.Step && !p.tells() {
			continue
		}
		if labels := p.Labels(i); len(labels) > 0 {
			name := markup.Plain("✓ " + markup.Isolate(markup.Shorten(p.header(i), 60)) + ": ")
			lines = append(lines, append(name, p.answer(i, labels)...))
		}
	}
	return markup.Join("\n", lines...)
}

func (p page) tells() bool {
	item := p.Item()
	return !item.Multiple || len(item.Options) > question.PageSize || len(p.Choice(p.Wizard.Step).Texts) > 0
}

// remarks are the lines that say why the card looks as it does.
func (p page) remarks() markup.Text {
	var lines []markup.Text
	if p.Wizard.Notice.Kind != "" {
		lines = append(lines, markup.Plain("❗ "+notice(p.Wizard.Notice, p.Request, p.w)))
	}
	if p.Offline > 0 {
		lines = append(lines, markup.Plain("📡 "+fmt.Sprintf(p.w.Offline, p.w.Duration(p.Offline))))
	}
	if p.Escalated {
		lines = append(lines, p.widened())
	}
	if p.Expired {
		lines = append(lines, markup.Plain("⌛ "+fmt.Sprintf(p.w.Expired, p.w.Duration(p.TTL))))
	}
	return markup.Join("\n", lines...)
}

// notice says why a step is asked again.
func notice(n question.Notice, r question.Request, w words.Table) string {
	switch n.Kind {
	case question.PickOne:
		return w.PickOne
	case question.Ambiguous:
		return ambiguous(n, r, w)
	case question.NotAnOption:
		return w.NotAnOption
	case question.OnlyOne:
		return w.OnlyOne
	case question.TapButton:
		if r.Admission != nil {
			return w.Admission.TapButton
		}
		return w.Permission.TapButton
	case question.TapSend:
		return w.TapSend
	}
	return ""
}

// ambiguous names up to five of the options that a text may mean.
func ambiguous(n question.Notice, r question.Request, w words.Table) string {
	if n.Item >= len(r.Items) {
		return w.NotAnOption
	}
	item := r.Items[n.Item]
	var names []string
	for _, o := range n.Options {
		if len(names) == 5 {
			names = append(names, "…")
			break
		}
		if o < len(item.Options) {
			names = append(names, strconv.Itoa(o+1)+". "+markup.Isolate(markup.Shorten(markup.OneLine(item.Options[o].Label), 60)))
		}
	}
	text := fmt.Sprintf(w.Ambiguous, strings.Join(names, w.Or))
	if item.TakesText() {
		text += " " + fmt.Sprintf(w.QuoteIt, quoted(markup.Shorten(markup.OneLine(n.Text), 60)))
	}
	return text
}
