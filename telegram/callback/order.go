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
// never read as that of a question. It is drawn as
//
//	2u <session>              use it
//	2t <session>              the text that is asked about goes to it
//	2y+                       what was heard is the answer
//	2y-                       it is not
//	2n <tag>                  make one in that directory (session.Tag)
//	2p <page>                 another page
//	2s <seconds> . <session>  stop it
//	2k <session>              let it continue
//	2d <tag> . <session>      show what it changed in the file of that name (patch.File.Tag)
//	2g <tag> . <session>      prompt it with the agent of that name (session.ShortTag)
//	2m <tag> . <session>      with the model
//	2G <page> . <session>     another page of the agents there are for it
//	2M <page> . <session>     of the models
//	2r <tag>                  ask whether the link with that id shall be revoked (session.ShortTag)
//	2R <seconds> . <tag>      revoke it
//	2q <tag>                  leave it
//	2v <level>                what the chat hears
//	2a <update>               the text was an answer
//	2c <update>               it was a command
//	2l <thread>               an answer goes as a prompt: which one?
//	2l <thread> <move>        a step to that, drawn as in a question's button
//
// with numbers in base 36 and no spaces. A session whose id does not fit gets no button.
const orderVersion = "2"

// sessionForm is what a session may be called to be in a button.
var sessionForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,50}$`)

// tagForm is what session.Tag makes.
var tagForm = regexp.MustCompile(`^[0-9a-f]{16}$`)

// shortForm is what short tags are.
var shortForm = regexp.MustCompile(`^[0-9a-f]{8}$`)

// levelForm is what levels are called.
var levelForm = regexp.MustCompile(`^[a-z]{1,20}$`)

func encodeUnlink(o inbound.Button) string {
	switch {
	case !shortForm.MatchString(o.Tag):
		return ""
	case o.Kind == inbound.ButtonUnlinks:
		return orderVersion + "r" + o.Tag
	case o.Kind == inbound.ButtonLinked:
		return orderVersion + "q" + o.Tag
	}
	return orderVersion + "R" + strconv.FormatInt(o.At.Unix(), 36) + "." + o.Tag
}

func encodeLevel(o inbound.Button) string {
	if !levelForm.MatchString(o.Level) {
		return ""
	}
	return orderVersion + "v" + o.Level
}

// taggedLetters are the letters of buttons with a short tag and a session.
func taggedLetters() map[inbound.ButtonKind]string {
	return map[inbound.ButtonKind]string{inbound.ButtonAgent: "g", inbound.ButtonModel: "m"}
}

// EncodeOrder returns the button's data, "" if the order fits into none.
func EncodeOrder(o inbound.Button) string {
	var data string
	switch o.Kind {
	case inbound.ButtonUse:
		data = "u" + string(o.Session)
	case inbound.ButtonSend:
		data = "t" + string(o.Session)
	case inbound.ButtonSay:
		return orderVersion + "y+"
	case inbound.ButtonUnsay:
		return orderVersion + "y-"
	case inbound.ButtonPage:
		return orderVersion + "p" + base36(o.Page)
	case inbound.ButtonNew:
		if !tagForm.MatchString(o.Folder) {
			return ""
		}
		return orderVersion + "n" + o.Folder
	case inbound.ButtonStop:
		data = "s" + strconv.FormatInt(o.At.Unix(), 36) + "." + string(o.Session)
	case inbound.ButtonKeep:
		data = "k" + string(o.Session)
	case inbound.ButtonAgent, inbound.ButtonModel:
		if !shortForm.MatchString(o.Tag) {
			return ""
		}
		data = taggedLetters()[o.Kind] + o.Tag + "." + string(o.Session)
	case inbound.ButtonAgents:
		data = "G" + base36(max(o.Page, 0)) + "." + string(o.Session)
	case inbound.ButtonModels:
		data = "M" + base36(max(o.Page, 0)) + "." + string(o.Session)
	case inbound.ButtonUnlinks, inbound.ButtonUnlink, inbound.ButtonLinked:
		return encodeUnlink(o)
	case inbound.ButtonLevel:
		return encodeLevel(o)
	case inbound.ButtonLate:
		return orderVersion + "l" + string(o.Thread)
	case inbound.ButtonAnswer:
		return orderVersion + "a" + strconv.FormatInt(int64(o.Update), 36)
	case inbound.ButtonCommand:
		return orderVersion + "c" + strconv.FormatInt(int64(o.Update), 36)
	}
	if !sessionForm.MatchString(string(o.Session)) {
		return ""
	}
	return orderVersion + data
}

// DecodeOrder reads data that anybody may have made up. It takes exactly what
// EncodeOrder writes.
func DecodeOrder(data string) (inbound.Button, bool) {
	rest, ok := strings.CutPrefix(data, orderVersion)
	if !ok || len(data) > maxData || len(rest) < 2 {
		return inbound.Button{}, false
	}
	o := parseOrder(rest[0], rest[1:])
	if o.Kind == "" || EncodeOrder(o) != data {
		return inbound.Button{}, false
	}
	return o, true
}

func parseOrder(letter byte, rest string) inbound.Button {
	switch letter {
	case 'u':
		return inbound.Button{Kind: inbound.ButtonUse, Session: session.ID(rest)}
	case 't':
		return inbound.Button{Kind: inbound.ButtonSend, Session: session.ID(rest)}
	case 'y':
		return inbound.Button{Kind: map[string]inbound.ButtonKind{"+": inbound.ButtonSay, "-": inbound.ButtonUnsay}[rest]}
	case 'n':
		return inbound.Button{Kind: inbound.ButtonNew, Folder: rest}
	case 'p':
		return inbound.Button{Kind: inbound.ButtonPage, Page: int(fromBase36(rest, 31))}
	case 's':
		at, sessionID, _ := strings.Cut(rest, ".")
		return inbound.Button{Kind: inbound.ButtonStop, Session: session.ID(sessionID), At: time.Unix(fromBase36(at, 40), 0)}
	case 'k':
		return inbound.Button{Kind: inbound.ButtonKeep, Session: session.ID(rest)}
	case 'g', 'm':
		return parseTagged(letter, rest)
	case 'G', 'M':
		return parseNamesPage(letter, rest)
	case 'r':
		return inbound.Button{Kind: inbound.ButtonUnlinks, Tag: rest}
	case 'q':
		return inbound.Button{Kind: inbound.ButtonLinked, Tag: rest}
	case 'R':
		at, tag, _ := strings.Cut(rest, ".")
		return inbound.Button{Kind: inbound.ButtonUnlink, Tag: tag, At: time.Unix(fromBase36(at, 40), 0)}
	case 'v':
		return inbound.Button{Kind: inbound.ButtonLevel, Level: rest}
	case 'l':
		if id := question.ID(rest); id.Valid() {
			return inbound.Button{Kind: inbound.ButtonLate, Thread: id}
		}
	case 'a':
		return inbound.Button{Kind: inbound.ButtonAnswer, Update: chat.UpdateID(fromBase36(rest, 64))}
	case 'c':
		return inbound.Button{Kind: inbound.ButtonCommand, Update: chat.UpdateID(fromBase36(rest, 64))}
	}
	return inbound.Button{}
}

// fromBase36 reads a number. Anything else becomes 0, which does not encode to the same data.
func fromBase36(s string, bits int) int64 {
	n, err := strconv.ParseInt(s, 36, bits)
	if err != nil {
		return 0
	}
	return n
}

func parseTagged(letter byte, rest string) inbound.Button {
	tag, sessionID, _ := strings.Cut(rest, ".")
	for kind, l := range taggedLetters() {
		if l == string(letter) {
			return inbound.Button{Kind: kind, Session: session.ID(sessionID), Tag: tag}
		}
	}
	return inbound.Button{}
}

func parseNamesPage(letter byte, rest string) inbound.Button {
	kind := inbound.ButtonAgents
	if letter == 'M' {
		kind = inbound.ButtonModels
	}
	page, sessionID, _ := strings.Cut(rest, ".")
	return inbound.Button{Kind: kind, Session: session.ID(sessionID), Page: int(fromBase36(page, 31))}
}
