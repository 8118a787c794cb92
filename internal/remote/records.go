package remote

import (
	"cmp"
	"encoding/json"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/retry"
	"hermes/internal/session"
)

// QueuedPrompt is a prompt that hermes owes to a session: it is in the store before it is
// sent, and leaves it when the session is proven to have it, or never will.
type QueuedPrompt struct {
	ID     question.ID    `json:"id"`
	Prompt session.Prompt `json:"prompt"`          // its ID is empty until just before the first try
	Place  session.Place  `json:"seat,omitzero"`   // of the session, for people
	Origin session.Origin `json:"origin,omitzero"` // where the session was last seen

	Chat     chat.ID        `json:"chat,omitzero"`
	Topic    int            `json:"topic,omitzero"`
	Message  chat.MessageID `json:"message,omitzero"` // what the person wrote
	Ack      chat.MessageID `json:"ack,omitzero"`     // hermes' reply to it; 0: none yet
	By       question.Actor `json:"by,omitzero"`
	Lang     string         `json:"lang,omitzero"`
	At       time.Time      `json:"at,omitzero"` // when hermes took it
	Tries    retry.Attempts `json:"tries,omitzero"`
	End      PromptEnd      `json:"end,omitzero"`      // how it ended, which the person may not know yet; the zero value: it is owed
	Restored bool           `json:"restored,omitzero"` // it is from a copy of the database: its session may have it under an id that is not known
	Asked    bool           `json:"asked,omitzero"`    // Prompt.Session is known from the card of an ask, which the OpenCode at Origin named it in
	Quotes   bool           `json:"quotes,omitzero"`   // words of the agent are in it: no name in them is a mention
}

// UnmarshalJSON also reads what an earlier hermes stored: a prompt that names the question which it answers.
func (p *QueuedPrompt) UnmarshalJSON(text []byte) error {
	type fields QueuedPrompt
	var stored struct {
		fields
		Answers json.RawMessage `json:"answers"`
	}
	err := json.Unmarshal(text, &stored)
	*p = QueuedPrompt(stored.fields)
	p.Quotes = p.Quotes || len(stored.Answers) > 0
	return err
}

// PromptEnd is the end of a prompt of which nothing but a message tells: the session did not take it, or begins no turn with it. It is stored until
// that message was told.
type PromptEnd struct {
	Kind   PromptStatus `json:"kind,omitzero"`
	Reason Reason       `json:"reason,omitzero"`
	File   string       `json:"file,omitzero"` // the name of the one that was too large, or is gone
}

// TurnWatch is a session at work whose end of turn must be reported to somebody.
type TurnWatch struct {
	Session session.ID     `json:"session"`
	Origin  session.Origin `json:"origin,omitzero"` // where it works
	Since   time.Time      `json:"since,omitzero"`
	For     []Listener     `json:"for,omitzero"`    // those whose prompts it works on; others hear by their Level
	Queued  []Queued       `json:"queued,omitzero"` // the messages which say that one of these waits: what they say is over when the turn is
}

// Queued is a message which says that a prompt waits for its turn.
type Queued struct {
	Chat      chat.ID        `json:"chat"`
	Message   chat.MessageID `json:"message"`
	Keep      bool           `json:"keep,omitzero"`      // it says more than that, so it is changed and not deleted
	Title     string         `json:"title,omitzero"`     // of the session, as the message names it; empty: it had none
	Directory string         `json:"directory,omitzero"` // of the session, as the message names it
}

// Listener is who waits for the end of a turn.
type Listener struct {
	Chat     chat.ID           `json:"chat"`
	Topic    int               `json:"topic,omitzero"`
	Message  chat.MessageID    `json:"message,omitzero"` // their prompt
	Prompt   session.MessageID `json:"prompt,omitzero"`
	Lang     string            `json:"lang,omitzero"`
	Unmarked bool              `json:"unmarked,omitzero"` // that Message has the reaction of a prompt that arrived is not known: the next start sets it, perhaps once more
}

// ChatSettings is what a chat has settled on.
type ChatSettings struct {
	Chat          chat.ID        `json:"chat"`
	Topic         int            `json:"topic,omitzero"`   // where it was settled
	Session       session.ID     `json:"session,omitzero"` // that plain text goes to; empty: none
	Origin        session.Origin `json:"origin,omitzero"`  // of the session
	Title         string         `json:"title,omitzero"`   // of the session
	Agent         string         `json:"agent,omitzero"`   // that it is prompted with; empty: its last
	session.Model                // the same
	Level         Level          `json:"level,omitzero"`
	Hinted        bool           `json:"hinted,omitzero"` // somebody was told how to change the Level, with the first turn that was told by it alone
	Follow        bool           `json:"follow,omitzero"` // the session in use is followed in a live message
	Live          chat.MessageID `json:"live,omitzero"`   // the live message that is not finished; 0: none
	Muted         time.Time      `json:"muted,omitzero"`  // until then turns that no prompt from there began are not reported
	Pending       PendingSession `json:"making,omitzero"` // the last session that was made from there
}

// PendingSession is a session that a chat wants made. It is kept before OpenCode is asked, so that
// a session is made once, and outlives its end, so that it is reported to the chat.
type PendingSession struct {
	Update  chat.UpdateID  `json:"update,omitzero"`  // in which the wish came
	Origin  session.Origin `json:"origin,omitzero"`  // where
	At      time.Time      `json:"at,omitzero"`      // tells the session from all others; whole milliseconds
	Session session.ID     `json:"session,omitzero"` // that was made; empty: that is not known
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
	Topic  int  // 0: none
	Silent bool // it is a quiet time there for asks of the session
}

// Waits is how long a turn waited for people, and in which chats a card has said how it ended.
type Waits struct {
	For  time.Duration
	Told []chat.ID
}

// ToldTurn is the last turn of a session whose end was reported to everybody concerned.
type ToldTurn struct {
	Session session.ID        `json:"session"`
	Turn    session.MessageID `json:"turn,omitzero"`
	At      time.Time         `json:"at,omitzero"`
}

// MessageRef is a message in a chat that belongs to a session: a reply to it is for that
// session.
type MessageRef struct {
	Chat    chat.ID        `json:"-"`
	Message chat.MessageID `json:"-"`
	Session session.ID     `json:"session"`
	Origin  session.Origin `json:"origin,omitzero"`
	Title   string         `json:"title,omitzero"`
	At      time.Time      `json:"at,omitzero"`
	Asked   bool           `json:"asked,omitzero"` // Session is known from an ask that the OpenCode at Origin named it in
	Draft   *Draft         `json:"draft,omitzero"` // what may still be sent, where Session is empty; nil: none
}

// Draft is what somebody wrote or sent to no session, or said in reply to an ask, or an answer that came too late. It is kept until
// they say where it goes.
type Draft struct {
	Text    string         `json:"text"`
	Files   []session.Part `json:"files,omitzero"` // that are sent with it
	By      chat.UserID    `json:"by,omitzero"`
	Message chat.MessageID `json:"message,omitzero"` // what they wrote, or said it in
	Card    chat.MessageID `json:"card,omitzero"`    // the message of the ask that they replied to; 0: to none
	Step    int            `json:"step,omitzero"`    // with Card: the step of the ask at which they said it, from 1; 0: any
	Tap     chat.UpdateID  `json:"tap,omitzero"`     // with Card: the tap that sends it as the answer; 0: none yet
}
