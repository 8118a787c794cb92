package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/telegram/markup"
)

// What a card shows of a long request, in runes.
const (
	textRunes    = 1000
	contextRunes = 500
	optionRunes  = 200 // of a label, and of a description
)

// questionCard is the card of a question.
type questionCard struct {
	frame
	long        bool // some step is too long for messages
	withoutFile bool // the chat takes no files
}

func newQuestionCard(f frame, withoutFile bool) questionCard {
	return questionCard{f, longQuestion(f.Request), withoutFile}
}

// longQuestion reports whether some step of the request is too long for messages.
func longQuestion(r question.Request) bool {
	for _, item := range r.Items {
		n := utf8.RuneCountInString(r.Context) + utf8.RuneCountInString(item.Text)
		for _, o := range item.Options {
			n += utf8.RuneCountInString(o.Label) + utf8.RuneCountInString(o.Description) + len("99. \n    ")
		}
		if n > LongRunes {
			return true
		}
	}
	return false
}

func (c questionCard) tooLong() bool { return c.long }

func (c questionCard) layout() (head, front, tail markup.Text) {
	switch {
	case c.Phase != question.PhaseAsking:
		return c.closedLayout()
	case c.Review():
		return c.reviewLayout()
	}
	return c.askingLayout()
}

// askingLayout is the card of the item on screen.
func (c questionCard) askingLayout() (head, front, tail markup.Text) {
	step := c.Wizard.Step
	var of []string
	if numbers, n := numbered(c.Wizard.Asked(c.Request)); len(numbers) > 1 {
		of = append(of, fmt.Sprintf(c.w.OfItems, numbers[step], n))
	}
	head = c.headline(c.askSign(), c.itemName(step), of...)
	return head, c.asked(step), markup.Join("\n\n", c.optionList(), c.fieldLines(), c.chosenSoFar(), c.remarks(), c.teamLines(), c.foot(), c.replyPrompt())
}

// askSign begins the first line.
func (c questionCard) askSign() string {
	if c.Request.Form != nil {
		return "📝"
	}
	return "❓"
}

// replyPrompt is the last line while words are awaited, or a dismissal is asked about.
func (c questionCard) replyPrompt() markup.Text {
	if c.Watches {
		return nil
	}
	if c.Wizard.Dismissing {
		return c.dismissal()
	}
	if !c.Review() && !c.Wizard.Typing && len(c.Item().Options) == 0 && c.Item().TakesText() {
		return markup.Plain(fmt.Sprintf(c.w.ReplyOr, c.w.TypeAnswer)) // the button is there, too
	}
	if !c.Review() && c.Wizard.Typing {
		return markup.Plain(c.w.Reply)
	}
	return nil
}

// reviewLayout is the card before Send. A request without items has nothing to review.
func (c questionCard) reviewLayout() (head, front, tail markup.Text) {
	if len(c.Request.Items) == 0 {
		return c.headline(c.askSign(), c.w.Question), c.intro(), markup.Join("\n\n", c.remarks(), c.foot(), c.replyPrompt())
	}
	return c.headline("📋", c.w.Review), markup.Join("\n\n", c.intro(), c.answerList(c.Wizard.Answers(c.Request))), markup.Join("\n\n", c.remarks(), c.teamLines(), c.foot(), c.replyPrompt())
}

// optionList lists the options by number. Of a long request only those that have a
// button now, cut: the file has them whole.
func (c questionCard) optionList() markup.Text {
	item := c.Item()
	if ownOptions(item) {
		return nil // the buttons say it
	}
	from, to := 0, len(item.Options)
	if c.long {
		from, to = c.optionRange()
	}
	lines := make([]markup.Text, 0, to-from)
	for n, o := range item.Options[from:to] {
		if c.long {
			o = question.Option{Label: markup.Beginning(o.Label, optionRunes), Description: markup.Beginning(o.Description, optionRunes)}
		}
		lines = append(lines, optionText(from+n, o))
	}
	return markup.Join("\n", lines...)
}

// optionText is one numbered option, its description on lines of its own.
func optionText(n int, o question.Option) markup.Text {
	text := strconv.Itoa(n+1) + ". " + markup.Isolate(o.Label)
	if d := strings.TrimSpace(letters.Clean(o.Description)); d != "" {
		text += "\n    " + strings.ReplaceAll(d, "\n", "\n    ")
	}
	return markup.Plain(text)
}

// optionRange is the range of options that have a button now.
func (c questionCard) optionRange() (from, to int) {
	n := len(c.Item().Options)
	from = c.Wizard.Page * question.PageSize
	if from < 0 || from >= n {
		from = 0
	}
	return from, min(n, from+question.PageSize)
}

// chosenSoFar tells the answers given so far. Those of the item on screen are on its
// buttons, unless there are typed ones or more options than buttons.
func (c questionCard) chosenSoFar() markup.Text {
	var lines []markup.Text
	for i := range c.Request.Items {
		if i == c.Wizard.Step && !c.listsOwnAnswers() {
			continue
		}
		if labels := c.Labels(i); len(labels) > 0 {
			name := markup.Plain("✓ " + markup.Isolate(markup.Shorten(c.itemName(i), 60)) + c.w.Colon)
			lines = append(lines, append(name, c.itemAnswer(i, labels)...))
		}
	}
	return markup.Join("\n", lines...)
}

// listsOwnAnswers reports whether the buttons alone do not tell what was chosen of the item on screen.
func (c questionCard) listsOwnAnswers() bool {
	item := c.Item()
	return !item.Multiple || len(item.Options) > question.PageSize || len(c.Choice(c.Wizard.Step).Texts) > 0
}

// file is the text of all items.
func (c questionCard) file() (text, name, caption string) {
	var b strings.Builder
	where := markup.OneLine(c.Project)
	if where != "" {
		where = " · " + where
	}
	if asker := c.whoAsks().String(); asker != "" {
		b.WriteString(asker + "\n\n")
	}
	if c.Request.Context != "" {
		b.WriteString(letters.Clean(c.Request.Context) + "\n\n")
	}
	for i, item := range c.Request.Items {
		b.WriteString(strings.TrimSpace(c.itemName(i)+where) + "\n\n" + letters.Clean(item.Text) + "\n\n")
		for n, o := range item.Options {
			b.WriteString(optionText(n, o).String() + "\n")
		}
		b.WriteString("\n")
	}
	return b.String(), "question.txt", c.w.File
}

// itemText is an item's whole text; of a long request it is the beginning, and where the rest
// is. A header too long for the first line stands before it.
func (c questionCard) itemText(item int) markup.Text {
	text := c.cleanItemText(item)
	switch {
	case !c.long:
		return markup.Plain(text)
	case !c.withoutFile:
		return markup.Plain(markup.Beginning(text, textRunes) + "\n\n" + c.w.Above)
	case !c.leavesOut(item):
		return markup.Plain(text)
	}
	return markup.Plain(markup.Beginning(text, textRunes) + "\n\n❗ " + c.addWhereToRead(c.w.NoFile))
}

func (c questionCard) cleanItemText(item int) string {
	text := strings.Trim(letters.Clean(c.Request.Items[item].Text), "\n")
	if h := c.itemName(item); markup.Width(h) > 200 {
		text = h + "\n" + text
	}
	return text
}

// contextOnCard is what the asker wants people to know before they answer.
func (c questionCard) contextOnCard() markup.Text {
	if c.long {
		return markup.Plain(markup.Beginning(c.contextText(), contextRunes))
	}
	return markup.Plain(c.contextText())
}

func (c questionCard) contextText() string {
	return strings.Trim(letters.Clean(c.Request.Context), "\n")
}

// leavesOut reports whether something is left out of what a card of a long request shows of an item.
// Choices on other pages are not left out, and an end shows none at all.
func (c questionCard) leavesOut(item int) bool {
	asking := c.Phase == question.PhaseAsking
	switch {
	case markup.Longer(c.cleanItemText(item), textRunes):
		return true
	case markup.Longer(c.contextText(), contextRunes) && (asking || len(c.Request.Items) == 1):
		return true
	}
	return asking && slices.ContainsFunc(c.Request.Items[item].Options, func(o question.Option) bool {
		return markup.Longer(o.Label, optionRunes) || markup.Longer(o.Description, optionRunes)
	})
}

// closedLayout is the card of a question that takes no more input: on its way, waiting
// for OpenCode, or ended. It keeps the question and tells what became of it.
func (c questionCard) closedLayout() (head, front, tail markup.Text) {
	return closedParts(c.headline(c.sign(), c.name(), equalAsks(c.frame)...), c.questionLines(), append(c.whose(), c.lines()...))
}

// questionLines repeats the question on a closed card; several questions only until their answers
// list them.
func (c questionCard) questionLines() markup.Text {
	switch {
	case len(c.Request.Items) == 1 && c.Request.Form != nil:
		return markup.Join("\n\n", c.intro(), c.itemText(0))
	case len(c.Request.Items) == 1:
		return markup.Join("\n\n", c.itemText(0), c.contextOnCard())
	case c.listedAnswers() != nil, c.Request.Form != nil:
		return c.intro()
	}
	var lines []markup.Text
	for i := range c.Request.Items {
		name := markup.Plain(strconv.Itoa(i+1) + ". " + markup.Isolate(c.itemName(i)) + c.w.Colon)
		lines = append(lines, append(name, c.itemText(i)...))
	}
	return markup.Join("\n", lines...)
}
