package question

import (
	"path"
	"slices"
	"strings"
)

// RequestID is OpenCode's name of an ask: que_… for questions, per_… for permission
// asks; ask_… is hermes' own name of one that came to it directly. It names an ask only together with the process
// that announced it: another process that says the same id speaks of an ask of its own. Empty while only the
// tool call was seen.
type RequestID string

// SessionID is OpenCode's name of a session: ses_….
type SessionID string

// MessageID is OpenCode's name of a message in a session: msg_….
type MessageID string

// CallID is the model provider's name of a tool call. Providers reuse them, so
// it identifies a call only together with its session and message.
type CallID string

// Request is one ask: one or more items that are answered together, once, or a
// permission, or an admission.
type Request struct {
	ID       RequestID
	Protocol Protocol
	Session  SessionID
	Message  MessageID // of the tool call; may be empty
	Call     CallID    // of the tool call; may be empty
	Agent    string    // who asks, as OpenCode names its agents; empty: not known
	Items    []Item

	Permission *Permission // nil: it is a question; else it is a permission ask, of OpenCode or of a program
	Admission  *Admission  // nil: it is one of these

	Context string // of an ask to hermes itself: what people should know before they answer; else empty
	Digest  string // of an ask that came with an idempotency key: of its body; else empty
}

// Item is one question of a request.
type Item struct {
	ID       string // of an ask to hermes itself: what the asker calls it; else empty
	Header   string
	Text     string
	Options  []Option
	Multiple bool // any number of options, at least one
	Custom   bool // the agent takes an answer that is no option
}

// Option is one choice. Its label is the answer, to the letter.
type Option struct {
	Label       string
	Description string

	ID      string // of an ask to hermes itself: what the asker calls it; else empty
	Cancels bool   // to choose it cancels the ask
	Default bool   // it counts as the first choice
}

// Answers holds one list of labels or typed texts per item, in the items' order.
type Answers [][]string

// TakesText reports whether the item may be answered in words of one's own. An
// item without options always may: there is no other way to answer it.
func (i Item) TakesText() bool { return i.Custom || len(i.Options) == 0 }

// Equal reports whether both say the same, item by item and in order. A missing
// list equals an empty one, as OpenCode treats both as unanswered.
func (a Answers) Equal(b Answers) bool {
	for i := range max(len(a), len(b)) {
		if !equalLists(a.at(i), b.at(i)) {
			return false
		}
	}
	return true
}

func (a Answers) at(i int) []string {
	if i < len(a) {
		return a[i]
	}
	return nil
}

func equalLists(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// FirstChoice answers every item with its first choice. It reports false when an item
// has none, and for a permission.
func (r Request) FirstChoice(recommended bool) (Answers, bool) {
	answers := make(Answers, 0, len(r.Items))
	for _, item := range r.Items {
		label, ok := item.FirstChoice(recommended)
		if !ok {
			return nil, false
		}
		answers = append(answers, []string{label})
	}
	return answers, len(answers) > 0
}

// Cancelling is the first of the item's options that is among the labels and cancels
// the ask. It reports false if none does.
func (i Item) Cancelling(labels []string) (Option, bool) {
	for _, o := range i.Options {
		if o.Cancels && slices.Contains(labels, o.Label) {
			return o, true
		}
	}
	return Option{}, false
}

// Cancelled reports whether one of the answers cancels the ask.
func (r Request) Cancelled(answers Answers) bool {
	for n, item := range r.Items {
		if _, ok := item.Cancelling(answers.at(n)); ok {
			return true
		}
	}
	return false
}

// Base is what the ask itself says, without what was read of its tool call.
func (r Request) Base() Request {
	r.Agent = ""
	if r.Permission != nil {
		r.Permission = &Permission{Kind: r.Permission.Kind, Patterns: r.Permission.Patterns, Always: r.Permission.Always}
	}
	return r
}

// Origin is one OpenCode process and directory, reached by one way. Pending asks
// live in exactly one process and directory (measured on every 1.x), so an ask
// can be answered only through an origin where it was seen.
type Origin struct {
	Way       Way
	Process   string // link: the process's random token; direct: the server's URL
	Directory string // as OpenCode spells it, byte for byte
	Host      string // for people
	Resolved  string // the directory without symbolic links, where the process says that it is another; else empty
	Token     string // name of the token that the link was opened with; empty: the API's token, or no link
}

// Source names who shares with whom: one machine, which has one token, gets one share of what
// is bounded. The API's token is that of many machines, so each process of them has a share.
func (o Origin) Source() string {
	if o.Token != "" {
		return "token " + o.Token
	}
	return string(o.Way) + " " + o.Process
}

// TokenName is how the journal names the token by which the origin reaches hermes: a link's, or the
// API's; empty for a server, which hermes reaches.
func (o Origin) TokenName() string {
	switch {
	case o.Way != Link && o.Way != AskAPI:
		return ""
	case o.Token != "":
		return "link " + o.Token
	}
	return APIToken
}

// SameProcess reports whether both are ways into one OpenCode process. Asks belong to a
// process: only what it says itself ends its asks, and only it gets their answers.
func (o Origin) SameProcess(p Origin) bool { return o.Way == p.Way && o.Process == p.Process }

// MayHave reports whether the OpenCode at o may have the sessions of the one at p.
// Sessions are kept on disk, so every OpenCode of one machine and directory has them. A
// machine is told by the token of its links. A direct server is what the configuration
// names, and is believed; a link is not believed to be on the machine of a direct server
// unless it was opened with the API's token.
func (o Origin) MayHave(p Origin) bool {
	switch {
	case o.SameProcess(p):
		return true
	case o.Directory != p.Directory || o.Way == AskAPI || p.Way == AskAPI:
		return false
	case o.Way == Direct:
		return true
	case p.Way == Link:
		return o.Token == p.Token
	}
	return o.Token == ""
}

// Way is how hermes reaches an OpenCode process.
type Way string

const (
	Link   Way = "link"   // the plugin inside OpenCode dialled out to hermes
	Direct Way = "direct" // hermes dials an OpenCode server
	AskAPI Way = "ask"    // no OpenCode: a program asked hermes itself
)

// Place says where an ask comes from, in words for people.
type Place struct {
	Title    string // title of the root session; empty while it has none
	Subagent string // title of the session that asks, when it is not the root
	Root     SessionID
}

// Project is the directory's last part, the short name that people see; empty where
// there is no directory.
func (o Origin) Project() string {
	if o.Directory == "" {
		return ""
	}
	return path.Base(o.slashed())
}

// LongProject is the directory's last two parts, for when two open projects
// have the same last part.
func (o Origin) LongProject() string {
	parent := path.Base(path.Dir(path.Clean(o.slashed())))
	if parent == "/" || parent == "." {
		return o.Project()
	}
	return parent + "/" + o.Project()
}

// slashed is the directory with slashes, also where it is one of Windows.
func (o Origin) slashed() string {
	if strings.HasPrefix(o.Directory, "/") {
		return o.Directory
	}
	return strings.ReplaceAll(o.Directory, `\`, "/")
}
