package ui

import (
	"fmt"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// textMessage is a message without buttons, in as many parts as it takes.
func textMessage(t markup.Text) Body { return Body{Parts: markup.Split(t)} }

// about is a message of a sentence that names the session at its end.
func about(s session.Session, sign string, text func(words.Table) string) Text {
	return func(r Reader) Body {
		return textMessage(markup.Join(" · ", markup.Plain(sign+" "+text(r.Words)), sessionName(s)))
	}
}

// under is a message of a text, below a line that names the session.
func under(s session.Session, sign string, text func(words.Table) string) Text {
	return func(r Reader) Body {
		return textMessage(markup.Join("\n", sessionHeadline(s, sign), markup.Plain(text(r.Words))))
	}
}

// Prompt is how a prompt stands with its session.
type Prompt struct {
	Status  remote.PromptStatus
	Session session.Session
	Asks    []question.Thread // PromptBehind: what the agent waits for
	Reason  remote.Reason     // PromptRefused
	File    chat.File         // PromptTooLarge, PromptFileGone, PromptFetching: its Size 0 if it is not known
}

// Text says how the prompt stands.
func (p Prompt) Text() Text {
	return func(r Reader) Body {
		w := r.Words.Sessions
		says, ok := map[remote.PromptStatus]string{
			remote.PromptTaken:    "👍 " + w.Taken,
			remote.PromptNoted:    "👍 " + w.Noted,
			remote.PromptQueued:   "⏳ " + w.Queued,
			remote.PromptBehind:   "⏳ " + fmt.Sprintf(w.Behind, askNames(p.Asks, r.Words)),
			remote.PromptKept:     "📡 " + w.Kept,
			remote.PromptFetching: "📡 " + fmt.Sprintf(r.Words.Files.Fetching, fileName(p.File)),
			remote.PromptDeleted:  "⚠️ " + w.Deleted,
			remote.PromptGivenUp:  "⚠️ " + w.GivenUp,
			remote.PromptBefore:   "⚠️ " + w.Before,
		}[p.Status]
		switch {
		case ok:
			return textMessage(markup.Join(" · ", markup.Plain(says), sessionName(p.Session)))
		case p.Status == remote.PromptRefused:
			return PromptRefused(p.Session, p.Reason)(r)
		case p.Status == remote.PromptNotYours:
			return NotYours().Text()(r)
		}
		return Unusable(p.Status, p.File).Text()(r)
	}
}

// Unusable says why a file was not sent, or a voice message not heard.
func Unusable(why remote.PromptStatus, f chat.File) Line {
	return line("⚠️", func(w words.Table) string {
		switch why {
		case remote.PromptTooLarge:
			return tooLargeText(f, w)
		case remote.PromptFileGone:
			return fmt.Sprintf(w.Files.Gone, fileName(f))
		case remote.PromptSilent:
			return w.Files.Silent
		case remote.PromptDeaf:
			return w.Files.Deaf
		}
		return w.Files.Unheard
	})
}

// PromptRefused says that a prompt was not sent, and if it was OpenCode that did not take it.
func PromptRefused(s session.Session, why remote.Reason) Text {
	return under(s, "⚠️", func(w words.Table) string {
		if why == remote.ReasonSigns || why == remote.ReasonNoText {
			return withReason(w.Sessions.Unsent, why, w)
		}
		return withReason(w.Sessions.Refused, why, w)
	})
}

// Offline says that no OpenCode can be reached.
func Offline() Line { return line("📡", func(w words.Table) string { return w.Sessions.Offline }) }

// Failed says that OpenCode did not do it.
func Failed(why remote.Reason) Line {
	return line("⚠️", func(w words.Table) string { return withReason(w.Sessions.Failed, why, w) })
}

// NoSuchSession says that there is no such session, or not any more.
func NoSuchSession() Line {
	return line("⚠️", func(w words.Table) string { return w.Sessions.Gone })
}

// SessionGone says of which session that is so.
func SessionGone(s session.Session) Text {
	return about(s, "⚠️", func(w words.Table) string { return w.Sessions.Gone })
}

// WhichSession says that no session is in use.
func WhichSession() Line { return line("👉", func(w words.Table) string { return w.Sessions.Which }) }

// OtherSession says that what there was to choose from is of another session than the one in use.
func OtherSession() Line { return line("⌛", func(w words.Table) string { return w.Sessions.Past }) }

// UnknownCommand says that there is no such command.
func UnknownCommand(name string) Line {
	return line("❓", func(w words.Table) string { return fmt.Sprintf(w.Sessions.Unknown, markup.Isolate(name)) })
}

// TakesNoFile says that the command in a caption takes no file.
func TakesNoFile(command string) Line {
	return line("⚠️", func(w words.Table) string { return fmt.Sprintf(w.Files.NoFile, markup.Isolate(command)) })
}

// NoPrompt says that no prompt can have such a thing in it.
func NoPrompt(what chat.Media) Line {
	return line("⚠️", func(w words.Table) string {
		name, ok := w.Files.Matters[what]
		if !ok {
			name = w.Files.Matter
		}
		return fmt.Sprintf(w.Files.Unusable, name)
	})
}

// MayNotDrive says that a person may not drive sessions, but those who have one of the roles.
func MayNotDrive(roles []string) Line {
	return line("🔒", func(w words.Table) string {
		if len(roles) == 0 {
			return w.Sessions.NoRight
		}
		var names []string
		for _, role := range roles {
			names = append(names, markup.Isolate(role))
		}
		return fmt.Sprintf(w.Sessions.NoRightOf, strings.Join(names, w.Comma))
	})
}

// askNames names asks that are in the way.
func askNames(asks []question.Thread, w words.Table) string {
	var names []string
	for _, t := range asks {
		names = append(names, NameOf(t, w))
	}
	return strings.Join(names, w.Comma)
}

// withReason adds what a person can do something about, as a sentence of its own.
func withReason(sentence string, why remote.Reason, w words.Table) string {
	if text := w.Sessions.Reasons[why]; text != "" {
		return sentence + markup.Gap(sentence) + text
	}
	return sentence
}

// InUse says where texts in the chat go; nowhere for the zero value.
func InUse(s session.Session) Text {
	if s.ID == "" {
		return line("👉", func(w words.Table) string { return w.Sessions.UsingNone }).Text()
	}
	return under(s, "👉", func(w words.Table) string { return w.Sessions.Using })
}

// NewSession says that the session was made.
func NewSession(s session.Session) Text {
	return under(s, "🆕", func(w words.Table) string { return w.Sessions.Created })
}

// Works says that the session has begun to work.
func Works(s session.Session) Text {
	return under(s, "▶️", func(w words.Table) string { return w.Sessions.Works })
}

// DidNothing says that the session has a prompt and did nothing. trouble is the error that OpenCode gave, if any.
func DidNothing(s session.Session, trouble string) Text {
	return under(s, "⚠️", func(w words.Table) string { return withTrouble(w.Sessions.Nothing, trouble) })
}

// AsksAgain says that the session's model gives errors, and is asked again.
func AsksAgain(s session.Session, trouble string) Text {
	return under(s, "🔁", func(w words.Table) string { return withTrouble(w.Sessions.Retried, trouble) })
}

func withTrouble(text, trouble string) string {
	if trouble = letters.Clean(trouble); trouble != "" {
		return text + "\n" + trouble
	}
	return text
}

// StopAsk asks whether the session shall be stopped.
func StopAsk(s session.Session, at time.Time) Text {
	return func(r Reader) Body {
		m := under(s, "⏹", func(w words.Table) string { return w.Sessions.StopAsk })(r)
		m.Rows = [][]Button{{
			{Label: "⏹ " + r.Words.Sessions.Stop, Order: inbound.Button{Kind: inbound.ButtonStop, Session: s.ID, At: at}, Style: StyleDanger},
			{Label: r.Words.Sessions.Keep, Order: inbound.Button{Kind: inbound.ButtonKeep, Session: s.ID}},
		}}
		return m
	}
}

// Stopped says that the session has stopped.
func Stopped(s session.Session) Text {
	return about(s, "⏹", func(w words.Table) string { return w.Sessions.Stopped })
}

// StillWorks says that the session could not be stopped.
func StillWorks(s session.Session) Text {
	return about(s, "⚠️", func(w words.Table) string { return w.Sessions.StillWorks })
}

// NothingToStop says that the session does not work.
func NothingToStop(s session.Session) Text {
	return about(s, "💤", func(w words.Table) string { return w.Sessions.Idle })
}

// GoesOn says that nobody wants a session stopped.
func GoesOn() Line { return line("▶️", func(w words.Table) string { return w.Sessions.GoesOn }) }

// TooLateToStop says that a button is too old.
func TooLateToStop() Line {
	return line("⌛", func(w words.Table) string { return w.Sessions.TooLate })
}

// AnswerOrCommand asks whether a text is an answer to an ask or a command. The buttons name its update.
func AnswerOrCommand(text string, to question.Thread, update chat.UpdateID) Text {
	return func(r Reader) Body {
		w := r.Words.Sessions
		m := textMessage(markup.Plain("❓ " + fmt.Sprintf(w.Doubt, markup.Isolate(text), NameOf(to, r.Words))))
		m.Rows = [][]Button{{
			{Label: "✏️ " + w.AnAnswer, Order: inbound.Button{Kind: inbound.ButtonAnswer, Update: update}},
			{Label: "▶️ " + w.ACommand, Order: inbound.Button{Kind: inbound.ButtonCommand, Update: update}},
		}}
		return m
	}
}

// DraftOffer says how to write to a session, and offers some for a text that has none.
func DraftOffer(to []session.Session) Text {
	return func(r Reader) Body {
		m := textMessage(markup.Plain("👉 " + r.Words.Unsent.Which))
		for _, s := range to {
			label := markup.Shorten(markup.OneLine(projectName(s)+" · "+titleOf(s, r.Words)), LabelWidth)
			m.Rows = append(m.Rows, []Button{{Label: label, Order: inbound.Button{Kind: inbound.ButtonSend, Session: s.ID}}})
		}
		if len(m.Rows) > 0 {
			m.Parts = []markup.Text{markup.Plain("👉 " + r.Words.Unsent.Which + "\n" + r.Words.Unsent.OrTap)}
		}
		return m
	}
}
