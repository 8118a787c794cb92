package callback

import (
	"strconv"
	"strings"

	"hermes/internal/question"
)

// The data of a question's button is a version, the thread's id, the revision that the button
// was drawn for, and the move:
//
//	1 <thread, 12> <action, 1> <rev> . <item> . <option> <+ or ->
//
// with numbers in base 36 and no spaces.
const moveVersion = "1"

// EncodeMove returns the button's data. Only moves that buttons make can be encoded.
func EncodeMove(id question.ID, m question.WizardInput) string {
	on := "-"
	if m.On {
		on = "+"
	}
	return moveVersion + string(id) + letterOf(m.Action) + base36(m.Rev) + "." + base36(m.Item) + "." + base36(m.Option) + on
}

// DecodeMove reads data that anybody may have made up. It takes exactly what
// EncodeMove writes.
func DecodeMove(data string) (question.ID, question.WizardInput, bool) {
	rest, ok := strings.CutPrefix(data, moveVersion)
	if !ok || len(data) > maxData || len(rest) < 12+1+1 {
		return "", question.WizardInput{}, false
	}
	id := question.ID(rest[:12])
	m := question.WizardInput{Action: actionOf(rest[12:13]), On: strings.HasSuffix(rest, "+")}
	numbers := strings.Split(rest[13:len(rest)-1], ".")
	if len(numbers) != 3 || m.Action == "" || !id.Valid() {
		return "", question.WizardInput{}, false
	}
	for i, to := range []*int{&m.Rev, &m.Item, &m.Option} {
		n, err := strconv.ParseInt(numbers[i], 36, 32)
		if err != nil || n < 0 {
			return "", question.WizardInput{}, false
		}
		*to = int(n)
	}
	if EncodeMove(id, m) != data {
		return "", question.WizardInput{}, false
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
		{string(question.Skip), "k"},
		{string(question.UseDefault), "f"},
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
