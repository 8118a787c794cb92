package telegram

import (
	"strconv"
	"strings"

	"hermes/internal/question"
)

// Callback data is what a button carries: a version, the thread's id, the
// revision it was drawn for, and the move. 1 to 64 bytes (Bot API
// InlineKeyboardButton). It is drawn as
//
//	1 <thread, 12> <action, 1> <rev> . <item> . <option> <+ or ->
//
// with numbers in base 36 and no spaces. Buttons outlive an upgrade, so a
// version that was ever sent stays readable.
const dataVersion = "1"

// encode returns the button's data. Only moves that buttons make can be encoded.
func encode(id question.ID, m question.Move) string {
	on := "-"
	if m.On {
		on = "+"
	}
	return dataVersion + string(id) + letterOf(m.Action) + base36(m.Rev) + "." + base36(m.Item) + "." + base36(m.Option) + on
}

// decode reads data that anybody may have made up. It takes exactly what encode
// writes.
func decode(data string) (question.ID, question.Move, bool) {
	rest, ok := strings.CutPrefix(data, dataVersion)
	if !ok || len(data) > 64 || len(rest) < 12+1+1 {
		return "", question.Move{}, false
	}
	id := question.ID(rest[:12])
	m := question.Move{Action: actionOf(rest[12:13]), On: strings.HasSuffix(rest, "+")}
	numbers := strings.Split(rest[13:len(rest)-1], ".")
	if len(numbers) != 3 || m.Action == "" || !id.Valid() {
		return "", question.Move{}, false
	}
	for i, to := range []*int{&m.Rev, &m.Item, &m.Option} {
		n, err := strconv.ParseInt(numbers[i], 36, 32)
		if err != nil || n < 0 {
			return "", question.Move{}, false
		}
		*to = int(n)
	}
	if encode(id, m) != data {
		return "", question.Move{}, false
	}
	return id, m, true
}

func base36(n int) string { return strconv.FormatInt(int64(n), 36) }

// actionLetters pairs the actions of buttons with their letters. They are persisted
// in chats: never give one a new meaning.
func actionLetters() [][2]string {
	return [][2]string{
		{string(question.Pick), "p"},
		{string(question.Drop), "x"},
		{string(question.Go), "g"},
		{string(question.Done), "d"},
		{string(question.Page), "n"},
		{string(question.Type), "t"},
		{string(question.Send), "s"},
		{string(question.Dismiss), "r"},
		{string(question.Take), "c"},
		{string(question.Undo), "u"},
	}
}

func letterOf(a question.Action) string {
	for _, pair := range actionLetters() {
		if pair[0] == string(a) {
			return pair[1]
		}
	}
	return "?"
}

func actionOf(letter string) question.Action {
	for _, pair := range actionLetters() {
		if pair[1] == letter {
			return question.Action(pair[0])
		}
	}
	return ""
}
