package callback

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"hermes/internal/question"
)

// The data of buttons about sessions has a version of its own, so that it is
// never read as that of a question. It is drawn as
//
//	2u <session>              use it
//	2n <tag>                  make one in that directory (question.Tag)
//	2p <page>                 another page
//	2s <seconds> . <session>  stop it
//	2k <session>              let it go on
//	2a <update>               the text was an answer
//	2c <update>               it was a command
//	2l <thread>               an answer goes as a prompt: which one?
//	2l <thread> <move>        a step to that, drawn as in a question's button
//
// with numbers in base 36 and no spaces. A session whose id does not fit gets no button.
const orderVersion = "2"

// sessionForm is what a session may be called to be in a button.
var sessionForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,50}$`)

// tagForm is what question.Tag makes.
var tagForm = regexp.MustCompile(`^[0-9a-f]{16}$`)

// EncodeOrder returns the button's data, "" if the order fits into none.
func EncodeOrder(o question.Order) string {
	var data string
	switch o.Kind {
	case question.OrderUse:
		data = "u" + string(o.Session)
	case question.OrderPage:
		return orderVersion + "p" + base36(o.Page)
	case question.OrderNew:
		if !tagForm.MatchString(o.Folder) {
			return ""
		}
		return orderVersion + "n" + o.Folder
	case question.OrderStop:
		data = "s" + strconv.FormatInt(o.At.Unix(), 36) + "." + string(o.Session)
	case question.OrderKeep:
		data = "k" + string(o.Session)
	case question.OrderLate:
		return encodeLate(o)
	case question.OrderAnswer:
		return orderVersion + "a" + strconv.FormatInt(int64(o.Update), 36)
	case question.OrderCommand:
		return orderVersion + "c" + strconv.FormatInt(int64(o.Update), 36)
	}
	if !sessionForm.MatchString(string(o.Session)) {
		return ""
	}
	return orderVersion + data
}

// DecodeOrder reads data that anybody may have made up. It takes exactly what
// EncodeOrder writes.
func DecodeOrder(data string) (question.Order, bool) {
	rest, ok := strings.CutPrefix(data, orderVersion)
	if !ok || len(data) > maxData || len(rest) < 2 {
		return question.Order{}, false
	}
	o := parseOrder(rest[0], rest[1:])
	if o.Kind == "" || EncodeOrder(o) != data {
		return question.Order{}, false
	}
	return o, true
}

func parseOrder(letter byte, rest string) question.Order {
	switch letter {
	case 'u':
		return question.Order{Kind: question.OrderUse, Session: question.SessionID(rest)}
	case 'n':
		return question.Order{Kind: question.OrderNew, Folder: rest}
	case 'p':
		return question.Order{Kind: question.OrderPage, Page: int(fromBase36(rest, 31))}
	case 's':
		at, session, _ := strings.Cut(rest, ".")
		return question.Order{Kind: question.OrderStop, Session: question.SessionID(session), At: time.Unix(fromBase36(at, 40), 0)}
	case 'k':
		return question.Order{Kind: question.OrderKeep, Session: question.SessionID(rest)}
	case 'l':
		return parseLate(rest)
	case 'a':
		return question.Order{Kind: question.OrderAnswer, Update: question.UpdateID(fromBase36(rest, 64))}
	case 'c':
		return question.Order{Kind: question.OrderCommand, Update: question.UpdateID(fromBase36(rest, 64))}
	}
	return question.Order{}
}

// fromBase36 reads a number. Anything else becomes 0, which does not encode to the same data.
func fromBase36(s string, bits int) int64 {
	n, err := strconv.ParseInt(s, 36, bits)
	if err != nil {
		return 0
	}
	return n
}

// encodeLate is the thread, and the move as a question's button has it.
func encodeLate(o question.Order) string {
	move := strings.TrimPrefix(EncodeMove(o.Thread, o.Move), moveVersion)
	if o.Move.Action == "" {
		move = string(o.Thread)
	}
	return orderVersion + "l" + move
}

// parseLate reads what encodeLate writes.
func parseLate(rest string) question.Order {
	if id := question.ID(rest); id.Valid() {
		return question.Order{Kind: question.OrderLate, Thread: id}
	}
	id, move, ok := DecodeMove(moveVersion + rest)
	if !ok {
		return question.Order{}
	}
	return question.Order{Kind: question.OrderLate, Thread: id, Move: move}
}
