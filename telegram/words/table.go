package words

import (
	"fmt"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
)

// Table are all texts that people see, in one language. %s and %d stand for
// what the field's comment names, in this order in every language.
type Table struct {
	// Buttons. The English ones are part of hermes' contract.
	TypeAnswer, Dismiss, Back, Next, Done, Send string
	DoneCount                                   string // how many are chosen

	// The card of an open question.
	Question   string // in place of a header that is empty
	Numbered   string // number: in place of the header of one of several
	OfItems    string // number, count
	ChooseAny  string
	Reply      string
	ReplyOr    string // where the button to type is there too: what TypeAnswer says
	NoBoxOpens string // in a reply box in a topic
	Holder     string // in the reply box while it is empty; at most 64 characters
	Waits      string // time
	Offline    string // duration
	Expired    string // duration
	Unshown    string // in another chat
	Review     string
	Above      string // the whole text is in the file
	File       string // what the file holds
	Below      string // in place of a part that is not needed any more
	SeeAbove   string // the same, of a card whose first message has the buttons
	NoFile     string // the chat takes none: the whole text is not here
	WholeAt    string // and where it is
	WholeAtAsk string // the same, of a question that a program asks

	// Notices.
	PickOne     string
	Ambiguous   string // options
	QuoteIt     string // the typed text
	Or          string
	NotAnOption string
	NoNumber    string // the numbers, the count of choices
	OnlyOne     string
	TapSend     string

	// Decided and ended. Answers are joined with comma.
	Comma          string
	Colon, Stop    string // after the words that they end
	Semicolon      string // between the answers to several questions
	Sending        string
	Dismissed      string
	WaitingAt      string // host
	Waiting        string
	Kept           string
	KeptNo         string
	ByPerson       string                          // name, time
	ByCaller       string                          // name, time
	ByAPI          string                          // time
	InOpenCode     string                          // time
	DismissedBy    string                          // name, time
	DismissedAPI   string                          // name, time
	DismissedByAPI string                          // time
	DismissedThere string                          // time
	TakenBack      string                          // time; by the program that asked
	NobodyReject   string                          // duration
	NobodyAsk      string                          // duration
	NobodyEnds     string                          // duration; where it ends the turn
	NobodyTook     map[question.Expiry]Expiry      // of each that answers
	Ended          map[question.OutcomeKind]string // of each that nobody decided
	WentOn         string                          // the same of a restart after which the agent went on
	NotUsed        string                          // name, answers
	NotUsedNo      string                          // name
	Unsure         string                          // name, answers
	UnsureNo       string                          // name

	// Alerts.
	AlertAnswered string // answers, name, time
	AlertThere    string // answers, time
	AlertExpired  string
	AlertChose    string // answers, name, time
	AlertChoseNo  string // name, time
	Stale         string
	Stranger      string
	NoRole        string
	NoRoleOf      string // roles
	WrongRole     string // roles
	NoSuch        string

	// Notes.
	Remind     string // header and project
	Nothing    string
	Which      string
	Greeting   string // name
	Elsewhere  string // name
	StrangerHi string // the person's id, the chat's id
	MovedOn    string // the text replies to what was asked before
	NoBox      string // nobody can tell what the text replies to

	Dismissal  Dismissal
	Hold       Hold
	Permission Permission
	Team       Team
	Sessions   Sessions
	Rule       Rule
	Files      Files
	Late       Late
	Unsent     Unsent
	SaidBefore string // above what the agent wrote before it asked
	Intake     Intake
	Form       Form

	Admission Admission
	Machines  Machines

	// What Telegram's clients show beside a command when somebody types a slash: by its name without
	// the slash, which is 1 to 32 of a-z, 0-9 and _; 1 to 256 characters (Bot API BotCommand).
	Menu map[string]string

	// Durations.
	Seconds, Minutes, Hours, Days string // number
}

// Expiry says what a deadline has answered.
type Expiry struct {
	One     string // duration, answers: one question
	Default string // duration, answers: one question, whose asker had marked an option as the default
	Each    string // duration: several questions
}

// Hold are the texts of a decision that can still be taken back.
type Hold struct {
	SentIn string // duration
	NotYet string // name: an alert

	LostRight string // name
}

// Dismissal are the texts of the second step of a dismissal.
type Dismissal struct {
	All string // button: of several questions

	Sure      string // whether to
	SureAll   string // number: of several questions
	ByDefault string // what it does in OpenCode 1
	EndsTurn  string // in OpenCode 2
	Subagent  string // to the question of a subagent
	Program   string // to what a program asks
	Discards  string // what was prepared
}

// Permission are the texts about permission asks, in one language.
type Permission struct {
	// Buttons. The English ones are part of hermes' contract.
	Once, Always, Reject, RejectNote string

	// What is wanted, by OpenCode's kinds.
	Bash, Edit, Read, Search, Webfetch, Websearch, Outside, Task, Skill, Loop string
	Other                                                                     string // the kind

	Every   map[string]string // what the pattern * is of a kind of OpenCode's; of "": of any other kind
	Details map[string]string // names of what OpenCode tells of a call, by its own names

	Adds, Deletes string // a file
	Moves         string // a file, where to
	Unread        string

	Times              string // how many equal asks
	Parts              string // the command is not known whole
	Omitted            string // how many characters only the file has
	Missing            string // how many characters are left out, as the chat takes no file
	File               string // what the file holds
	BlankLines, Spaces string // how many
	Follows            string // how many messages
	TooLong            string // it cannot be allowed in this chat, but in OpenCode
	TooLongAsk         string // the same, of what a program asks
	In                 string // directory
	Would              string // patterns; until OpenCode restarts
	WouldKeep          string // patterns; for good
	Sure               string // directory, patterns
	SureKeep           string // directory, patterns
	SureWide           string // directory, patterns; for the whole project
	Note               string // the note
	Reply              string
	Holder             string // as in Table
	TapButton          string

	// In the file, beside the command or change: what else it asks for, what becomes of files, all else, what Always adds.
	Patterns, Files, Others, Adding string

	// Decided and ended.
	Allowed, Rejected string
	Kept              string
	OnceBy            string // name, time
	OnceThere         string // time
	AllowedThere      string // time
	AlwaysBy          string // name, patterns, time
	AlwaysThere       string // patterns, time
	AlwaysAlong       string // name, time
	RejectedBy        string // name, time
	RejectedThere     string // time
	RejectedAlong     string // name, time
	NotedBy           string // name, note, time
	NotedThere        string // note, time
	Nobody            string // duration
	NobodyAsk         string // duration; a program asked, and does with that what it likes
	NobodyEnds        string // duration; where it ends the turn
	Stopped           string
	StoppedLate       string
	NotUsedNo         string // name
	UnsureNo          string // name
	ChoseNo           string // name, time
	Unknown           string

	Withheld string // in place of what it is asked for
}

// Team are the texts about several people, in one language.
type Team struct {
	// Buttons.
	Claim, Release string

	Needs      string // count needed
	NeedsOf    string // count needed, names
	MoreFrom   string // count, names
	MayAnswer  string // names
	Watching   string
	Approved   string // count, count needed, names
	NextTap    string
	OnIt       string // name, time
	Escalated  string
	MoreOf     string
	Enough     string // count, count needed, duration
	Unsent     string // duration
	EnoughEnds string // the same, where a rejection ends the turn
	UnsentEnds string // the same
	And        string

	Unsigned string

	NotOwner     string // %s: the owner
	OwnAgent     string
	Taken        string
	Freed        string
	AlertVoted   string // count, count needed
	AlertClaimed string // name, time
}

// Rule are the texts about what rules decide, in one language.
type Rule struct {
	Undo string // button

	Name string // the rule's name: in place of a person's
	By   string // the rule's name
	When string // by, time
}

// Admission are the texts about who is let in, in one language.
type Admission struct {
	// Buttons.
	LetIn, Refuse string

	// For those who decide.
	Wants       string // name
	WantsGroup  string // name
	Wanted      string // name
	WantedGroup string // name
	ID          string // the person's id
	May         string
	MayAs       string // roles
	Invited     string // name
	Group       string // title, id
	Made        string // time
	LetInBy     string // name, time
	RefusedBy   string // name, time
	Nobody      string
	Withdrawn   string // time
	LetInTakes  string // roles
	TapButton   string

	// For those who wait.
	Waiting, WaitingGroup   string
	Admitted, AdmittedGroup string // time
	Unwanted, UnwantedGroup string

	// Of those who were removed.
	Removed      string // name
	RemovedGroup string // id
	NoMore       string // time
	NoMoreGroup  string // time
}

// Intake are the texts about what is not taken, in one language.
type Intake struct {
	NotHere   string
	NotYours  string
	Forwarded string
	Paced     string
}

// Machines are the texts about the machines of a person, in one language.
type Machines struct {
	Help      string // a line below Sessions.Help
	Yours     string // above the list
	ByPlugin  string // versions of OpenCode and of the plugin, number of the protocol
	ByProcess string // likewise, of hermes link run
	Refused   string
	LastSeen  string // time
	NeverSeen string
	Waiting   string // number
	Unlink    string // button: name
	UnlinkAsk string // name
	DoUnlink  string // button
	Keep      string // button
	Unlinked  string // name
	Stays     string // name
	NoLink    string

	Paste   string // duration; above a command
	Service string // above the command for OpenCode 2
	Private string
	NoURL   string
	Linked  string // name
	Host    string // what the machine calls itself
	Revoke  string // above a command
}

// Late are the texts about answers that go as prompts, in one language.
type Late struct {
	Send   string // a button
	Reply  string // how to answer what has ended
	Unsent string // above an answer that came too late
}

// Unsent are the texts about replies that did not go to a session, in one language.
type Unsent struct {
	NoDriver string

	// Of a text that is for no session.
	Which     string // how to write to one
	OrTap     string // where sessions are offered
	Already   string
	NoText    string
	NotTheirs string
}

// Files are the texts about what people send beside texts, in one language.
type Files struct {
	TooLarge string // the file, its size, the limit
	Larger   string // the same without the size, which is not known
	Gone     string // the file
	Fetching string // the file
	Unusable string // what it is
	NoFile   string // the command
	NoAnswer string
	Silent   string
	Unheard  string

	IsItSaid, TypeInstead, Unsaid string // of a voice message in reply to an ask
	Deaf                          string

	Matters map[chat.Media]string
	Matter  string // any other
}

// Sessions are the texts about driving sessions, in one language.
type Sessions struct {
	// Buttons.
	Stop, Keep, AnAnswer, ACommand string

	// Of a prompt.
	Taken, Noted, Queued, Kept, Deleted, Refused, Unsent, GivenUp, Before string
	Behind                                                                string // what waits
	Reasons                                                               map[remote.Reason]string

	// Of a session.
	Done, DoneIn              string // DoneIn: duration
	WasStopped, WithError     string
	EndUnknown                string
	Works, IsIdle             string
	WaitsForYou, InUse        string
	Untitled                  string
	Files, OneFile            string // number
	TodosDone                 string // number, of
	Tokens                    string // number
	NoWords, NoTodos, NoDiff  string
	DiffNoFile                string
	DiffLarge                 string // size
	MoreFiles                 string // number
	FileNew, FileDeleted      string
	FileBinary                string
	GoOn, InFile, NoFile      string
	Using, UsingNone, Created string
	Nothing, Retried          string
	StopAsk, Stopped, Idle    string
	StillWorks, GoesOn        string
	TooLate, Gone             string

	// Of the chat.
	Sessions, NoSessions string
	WaitForYou           string
	WaitNames            string // what waits
	NoneWaits, NoneInUse string
	NotReached           string // title
	Owed                 string // number
	Reached              string // number of directories
	Offline, Failed      string
	Levels               map[remote.Level]string
	LevelNames           map[remote.Level]string // on buttons
	LongTurns            string                  // duration: of LevelTurns, where a turn must run that long
	HowLevel, Hint       string
	Muted                string // time
	NotMuted, HowMute    string
	Help                 string
	Unknown              string // the command
	Which, Where         string
	LastUsed, Chosen     string // Chosen: name
	SetNow, SetLast      string // name; SetLast: it was used last, and nothing else is set
	WorksWith, LastTurn  string // WorksWith: agent and model; LastTurn: what it did and cost
	HowAgent, HowModel   string
	AsLast               string // button
	NoMore, Past         string
	NoSuch               string // name
	NoRight              string
	NoRightOf            string // roles
	Doubt                string // the text, the question's header
	Live                 Live
}

// Live are the texts about live messages, in one language.
type Live struct {
	On, Off, Away, Closed, Left string
}

func (r Sessions) FileCount(n int) string {
	if n == 1 {
		return r.OneFile
	}
	return fmt.Sprintf(r.Files, n)
}
