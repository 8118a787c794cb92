package remote

import (
	"cmp"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/session"
)

// QueuedPrompt is a prompt that hermes owes to a session: it is in the store before it is
// sent, and leaves it when the session is proven to have it, or never will.
type QueuedPrompt struct {
	ID     question.ID
	Prompt session.Prompt // its ID is empty until just before the first try
	Place  session.Place  // of the session, for people
	Origin session.Origin // where the session was last seen

	Chat     chat.ID
	Topic    int
	Message  chat.MessageID // what the person wrote
	Ack      chat.MessageID // hermes' reply to it; 0: none yet
	By       question.Actor
	Lang     string
	At       time.Time // when hermes took it
	Tries    retry.Attempts
	Answers  question.ID // the question that the prompt is a late answer to; empty: to none
	End      PromptEnd   // how it ended, which the person may not know yet; the zero value: it is owed
	Restored bool        // it is from a copy of the database: its session may have it under an id that is not known
	Owner    chat.UserID // Answers: the owner of the machine when the answer was taken from who might answer there; 0: nobody
	Asked    bool        // Prompt.Session is known from the card of an ask, which the OpenCode at Origin named it in
}

// PromptEnd is the end of a prompt of which nothing but a message tells: the session did not take it, or begins no turn with it. It is stored until
// that message was told.
type PromptEnd struct {
	Kind   MessageKind
	Reason Reason
	File   string // the name of the one that was too large, or is gone
}

// TurnWatch is a session at work whose end of turn must be reported to somebody.
type TurnWatch struct {
	Session session.ID
	Origin  session.Origin // where it works
	Since   time.Time
	For     []Listener // those whose prompts it works on; others hear by their Level
	Queued  []Queued   // the messages which say that one of these waits: what they say is over when the turn is
}

// Queued is a message which says that a prompt waits for its turn.
type Queued struct {
	Chat      chat.ID
	Message   chat.MessageID
	Keep      bool   // it says more than that, so it is changed and not deleted
	Title     string // of the session, as the message names it; empty: it had none
	Directory string // of the session, as the message names it
}

// Listener is who waits for the end of a turn.
type Listener struct {
	Chat     chat.ID
	Topic    int
	Message  chat.MessageID // their prompt
	Prompt   session.MessageID
	Lang     string
	Unmarked bool // that Message has the reaction of a prompt that arrived is not known: the next start sets it, perhaps once more
}

// ChatSettings is what a chat has settled on.
type ChatSettings struct {
	Chat    chat.ID
	Topic   int            // where it was settled
	Session session.ID     // that plain text goes to; empty: none
	Origin  session.Origin // of the session
	Title   string         // of the session
	Agent   string         // that it is prompted with; empty: its last
	Model   session.Model  // the same
	Level   Level
	Hinted  bool           // somebody was told how to change the Level, with the first turn that was told by it alone
	Follow  bool           // the session in use is followed in a live message
	Live    chat.MessageID // the live message that is not finished; 0: none
	Muted   time.Time      // until then turns that no prompt from there began are not reported
	Pending PendingSession // the last session that was made from there
}

// PendingSession is a session that a chat wants made. It is kept before OpenCode is asked, so that
// a session is made once, and outlives its end, so that it is reported to the chat.
type PendingSession struct {
	Update  chat.UpdateID  // in which the wish came
	Origin  session.Origin // where
	At      time.Time      // tells the session from all others; whole milliseconds
	Session session.ID     // that was made; empty: that is not known
}

// Level says how much a chat hears beside the asks, and beside the ends of turns that were begun
// from there, which it always hears of. The zero value: nobody chose one, and Chosen says what
// holds. Until there was LevelQuestions by name, it was the zero value.
type Level string

const (
	LevelQuestions Level = "questions" // nothing
	LevelTurns     Level = "turns"     // when a turn has ended that ran for long enough
	LevelAll       Level = "all"       // when any turn has begun, and when it has ended
)

// Chosen is the level, or LevelTurns where nobody chose one.
func (l Level) Chosen() Level { return cmp.Or(l, LevelTurns) }

// Hearer is a place that may hear of a session, as its asks are shown there.
type Hearer struct {
	Chat   chat.ID
	Was    chat.ID // the group that became Chat; 0: none
	Topic  int     // 0: none
	Silent bool    // it is a quiet time there for asks of the session
}

// ToldTurn is the last turn of a session whose end was reported to everybody concerned.
type ToldTurn struct {
	Session session.ID
	Turn    session.MessageID
	At      time.Time
}

// MessageRef is a message in a chat that belongs to a session: a reply to it is for that
// session.
type MessageRef struct {
	Chat    chat.ID
	Message chat.MessageID
	Session session.ID
	Origin  session.Origin
	Title   string
	At      time.Time
	Answers question.ID     // the question that a late answer is asked for; empty: a reply is a prompt as it is
	Wizard  question.Wizard // how far the conversation about that is
	Asked   bool            // Session is known from an ask that the OpenCode at Origin named it in
	Draft   *Draft          // a text that may still be sent, where Session is empty; nil: none
}

// Draft is a text that somebody wrote to no session, or said in reply to an ask. It is kept until
// they say where it goes.
type Draft struct {
	Text    string
	By      chat.UserID
	Message chat.MessageID // what they wrote, or said it in
	Card    chat.MessageID // the message of the ask that they replied to; 0: to none
	Step    int            // with Card: the step of the ask at which they said it, from 1; 0: any
	Tap     chat.UpdateID  // with Card: the tap that sends it as the answer; 0: none yet
}
