package callback

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/question"
	"hermes/internal/session"
)

// The data of buttons about sessions has a version of its own, so that it is
// never read as that of a question.
const orderVersion = "2"

// order is how the data of one kind of button is drawn: the version, the letter, and the arguments with dots between them. What is
// persisted in chats never gets another meaning.
type order struct {
	letter    string
	kind      inbound.ButtonKind
	arguments []argument
}

func orders() []order {
	return []order{
		{"u", inbound.ButtonUse, []argument{sessionID}},
		{"t", inbound.ButtonSend, []argument{sessionID}},
		{"k", inbound.ButtonKeep, []argument{sessionID}},
		{"s", inbound.ButtonStop, []argument{at, sessionID}},
		{"g", inbound.ButtonAgent, []argument{tag, sessionID}},
		{"m", inbound.ButtonModel, []argument{tag, sessionID}},
		{"G", inbound.ButtonAgents, []argument{page, sessionID}},
		{"M", inbound.ButtonModels, []argument{page, sessionID}},
		{"p", inbound.ButtonPage, []argument{page}},
		{"n", inbound.ButtonNew, []argument{folder}},
		{"v", inbound.ButtonLevel, []argument{level}},
		{"r", inbound.ButtonUnlinks, []argument{tag}},
		{"q", inbound.ButtonLinked, []argument{tag}},
		{"R", inbound.ButtonUnlink, []argument{at, tag}},
		{"l", inbound.ButtonLate, []argument{thread}},
		{"a", inbound.ButtonAnswer, []argument{update}},
		{"c", inbound.ButtonCommand, []argument{update}},
		{"y+", inbound.ButtonSay, nil},
		{"y-", inbound.ButtonUnsay, nil},
	}
}

// argument is a field of a button, in data.
type argument string

const (
	sessionID argument = "session" // one whose id does not fit gets no button
	tag       argument = "tag"     // session.ShortTag
	folder    argument = "folder"  // session.Tag
	level     argument = "level"
	thread    argument = "thread"
	page      argument = "page"   // this and those below are numbers in base 36
	at        argument = "at"     // in seconds
	update    argument = "update" // of Telegram
)

// text is the field as data has it.
func (a argument) text(b inbound.Button) string {
	switch a {
	case sessionID:
		return string(b.Session)
	case tag:
		return b.Tag
	case folder:
		return b.Folder
	case level:
		return b.Level
	case thread:
		return string(b.Thread)
	case page:
		return base36(max(b.Page, 0))
	case at:
		return strconv.FormatInt(b.At.Unix(), 36)
	}
	return strconv.FormatInt(int64(b.Update), 36)
}

// read puts what data has into the field. What is no number becomes 0, which is not written so.
func (a argument) read(text string, b *inbound.Button) {
	switch a {
	case sessionID:
		b.Session = session.ID(text)
	case tag:
		b.Tag = text
	case folder:
		b.Folder = text
	case level:
		b.Level = text
	case thread:
		b.Thread = question.ID(text)
	case page:
		b.Page = int(fromBase36(text, 31))
	case at:
		b.At = time.Unix(fromBase36(text, 40), 0)
	case update:
		b.Update = chat.UpdateID(fromBase36(text, 64))
	}
}

func fromBase36(s string, bits int) int64 {
	n, err := strconv.ParseInt(s, 36, bits)
	if err != nil {
		return 0
	}
	return n
}

var (
	sessionForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,50}$`)
	tagForm     = regexp.MustCompile(`^[0-9a-f]{8}$`)
	folderForm  = regexp.MustCompile(`^[0-9a-f]{16}$`)
	levelForm   = regexp.MustCompile(`^[a-z]{1,20}$`)
)

// takes reports whether a text can be this argument.
func (a argument) takes(text string) bool {
	switch a {
	case sessionID:
		return sessionForm.MatchString(text)
	case tag:
		return tagForm.MatchString(text)
	case folder:
		return folderForm.MatchString(text)
	case level:
		return levelForm.MatchString(text)
	case thread:
		return question.ID(text).Valid()
	}
	return true
}

// EncodeOrder returns the button's data, "" if the order fits into none.
func EncodeOrder(b inbound.Button) string {
	for _, o := range orders() {
		if o.kind != b.Kind {
			continue
		}
		var texts []string
		for _, a := range o.arguments {
			text := a.text(b)
			if !a.takes(text) {
				return ""
			}
			texts = append(texts, text)
		}
		return orderVersion + o.letter + strings.Join(texts, ".")
	}
	return ""
}

// DecodeOrder reads data that anybody may have made up. It takes exactly what
// EncodeOrder writes.
func DecodeOrder(data string) (inbound.Button, bool) {
	for _, o := range orders() {
		rest, ok := strings.CutPrefix(data, orderVersion+o.letter)
		if !ok || len(data) > maxData {
			continue
		}
		b := inbound.Button{Kind: o.kind}
		texts := strings.SplitN(rest, ".", max(len(o.arguments), 1))
		for i, a := range o.arguments[:min(len(o.arguments), len(texts))] {
			a.read(texts[i], &b)
		}
		return b, EncodeOrder(b) == data
	}
	return inbound.Button{}, false
}
