package pending

import (
	"time"

	"hermes/internal/question"
)

// The records of driving sessions. The rule on [threadRecord] holds for them.
type errandRecord struct {
	ID      text              `json:"id"`
	Prompt  promptRecord      `json:"prompt"`
	Seat    placeRecord       `json:"seat,omitzero"`
	Origin  originRecord      `json:"origin,omitzero"`
	Chat    question.ChatID   `json:"chat,omitzero"`
	Topic   int               `json:"topic,omitzero"`
	Message question.PostedID `json:"message,omitzero"`
	Ack     question.PostedID `json:"ack,omitzero"`
	By      actorRecord       `json:"by,omitzero"`
	Lang    text              `json:"lang,omitzero"`
	At      time.Time         `json:"at,omitzero"`
	Tries   attemptsRecord    `json:"tries,omitzero"`
	Answers text              `json:"answers,omitzero"`
}

type promptRecord struct {
	ID       text         `json:"id,omitzero"`
	Session  text         `json:"session,omitzero"`
	Parts    []partRecord `json:"parts,omitzero"`
	Agent    text         `json:"agent,omitzero"`
	Provider text         `json:"provider,omitzero"`
	Model    text         `json:"model,omitzero"`
	NoReply  bool         `json:"no_reply,omitzero"`
	Command  text         `json:"command,omitzero"`
}

type partRecord struct {
	Text  text   `json:"text,omitzero"`
	Name  text   `json:"name,omitzero"`
	Mime  text   `json:"mime,omitzero"`
	Data  []byte `json:"data,omitzero"`
	Agent text   `json:"agent,omitzero"`
	File  text   `json:"file,omitzero"`

	Spoken bool `json:"spoken,omitzero"`
}

type watchRecord struct {
	Session text             `json:"session"`
	Origin  originRecord     `json:"origin,omitzero"`
	Since   time.Time        `json:"since,omitzero"`
	For     []listenerRecord `json:"for,omitzero"`
}

type listenerRecord struct {
	Chat    question.ChatID   `json:"chat"`
	Topic   int               `json:"topic,omitzero"`
	Message question.PostedID `json:"message,omitzero"`
	Prompt  text              `json:"prompt,omitzero"`
	Lang    text              `json:"lang,omitzero"`
}

type seatRecord struct {
	Chat    question.ChatID `json:"chat"`
	Topic   int             `json:"topic,omitzero"`
	Session text            `json:"session,omitzero"`
	Origin  originRecord    `json:"origin,omitzero"`
	Title   text            `json:"title,omitzero"`
	Level   question.Level  `json:"level,omitzero"`
	Muted   time.Time       `json:"muted,omitzero"`

	Agent    text              `json:"agent,omitzero"`
	Provider text              `json:"provider,omitzero"`
	Model    text              `json:"model,omitzero"`
	Follow   bool              `json:"follow,omitzero"`
	Live     question.PostedID `json:"live,omitzero"`

	Making makingRecord `json:"making,omitzero"`
}

type makingRecord struct {
	Update  question.UpdateID `json:"update,omitzero"`
	Origin  originRecord      `json:"origin,omitzero"`
	At      time.Time         `json:"at,omitzero"`
	Session text              `json:"session,omitzero"`
}

type saidRecord struct {
	Session text         `json:"session"`
	Origin  originRecord `json:"origin,omitzero"`
	Title   text         `json:"title,omitzero"`
	At      time.Time    `json:"at,omitzero"`
	Answers text         `json:"answers,omitzero"`
	Wizard  wizardRecord `json:"wizard,omitzero"`
}

type toldRecord struct {
	Session text      `json:"session"`
	Turn    text      `json:"turn,omitzero"`
	At      time.Time `json:"at,omitzero"`
}

func errandToRecord(e question.Errand) errandRecord {
	return errandRecord{
		ID: text(e.ID), Prompt: promptToRecord(e.Prompt), Origin: originToRecord(e.Origin),
		Seat: placeToRecord(e.Seat),
		Chat: e.Chat, Topic: e.Topic, Message: e.Message, Ack: e.Ack,
		By: actorToRecord(e.By), Lang: text(e.Lang), At: utc(e.At), Tries: attemptsToRecord(e.Tries),
		Answers: text(e.Answers),
	}
}

func (r errandRecord) toErrand() question.Errand {
	return question.Errand{
		ID: question.ID(r.ID), Prompt: r.Prompt.toPrompt(), Origin: r.Origin.toOrigin(),
		Seat: r.Seat.toPlace(),
		Chat: r.Chat, Topic: r.Topic, Message: r.Message, Ack: r.Ack,
		By: r.By.toActor(), Lang: string(r.Lang), At: r.At, Tries: r.Tries.toAttempts(),
		Answers: question.ID(r.Answers),
	}
}

func promptToRecord(p question.Prompt) promptRecord {
	return promptRecord{
		text(p.ID), text(p.Session), convert(p.Parts, partToRecord), text(p.Agent), text(p.Model.Provider), text(p.Model.ID), p.NoReply,
		text(p.Command),
	}
}

func (r promptRecord) toPrompt() question.Prompt {
	return question.Prompt{
		ID: question.MessageID(r.ID), Session: question.SessionID(r.Session), Parts: convert(r.Parts, partRecord.toPart),
		Agent: string(r.Agent), Model: question.Model{Provider: string(r.Provider), ID: string(r.Model)}, NoReply: r.NoReply,
		Command: string(r.Command),
	}
}

func partToRecord(p question.Part) partRecord {
	return partRecord{text(p.Text), text(p.Name), text(p.Mime), p.Data, text(p.Agent), text(p.File), p.Spoken}
}

func (r partRecord) toPart() question.Part {
	return question.Part{
		Text: string(r.Text), Name: string(r.Name), Mime: string(r.Mime), Data: r.Data, Agent: string(r.Agent), File: question.FileID(r.File),
		Spoken: r.Spoken,
	}
}

func watchToRecord(w question.Watch) watchRecord {
	return watchRecord{text(w.Session), originToRecord(w.Origin), utc(w.Since), convert(w.For, listenerToRecord)}
}

func (r watchRecord) toWatch() question.Watch {
	return question.Watch{
		Session: question.SessionID(r.Session), Origin: r.Origin.toOrigin(), Since: r.Since, For: convert(r.For, listenerRecord.toListener),
	}
}

func listenerToRecord(l question.Listener) listenerRecord {
	return listenerRecord{l.Chat, l.Topic, l.Message, text(l.Prompt), text(l.Lang)}
}

func (r listenerRecord) toListener() question.Listener {
	return question.Listener{
		Chat: r.Chat, Topic: r.Topic, Message: r.Message,
		Prompt: question.MessageID(r.Prompt), Lang: string(r.Lang),
	}
}

func seatToRecord(s question.Seat) seatRecord {
	return seatRecord{
		s.Chat, s.Topic, text(s.Session), originToRecord(s.Origin), text(s.Title), s.Level, utc(s.Muted),
		text(s.Agent), text(s.Model.Provider), text(s.Model.ID), s.Follow, s.Live,
		makingRecord{s.Making.Update, originToRecord(s.Making.Origin), utc(s.Making.At), text(s.Making.Session)},
	}
}

func (r seatRecord) toSeat() question.Seat {
	return question.Seat{
		Chat: r.Chat, Topic: r.Topic, Session: question.SessionID(r.Session), Origin: r.Origin.toOrigin(),
		Title: string(r.Title), Level: r.Level, Muted: r.Muted,
		Agent: string(r.Agent), Model: question.Model{Provider: string(r.Provider), ID: string(r.Model)},
		Follow: r.Follow, Live: r.Live,
		Making: question.Making{
			Update: r.Making.Update, Origin: r.Making.Origin.toOrigin(), At: r.Making.At,
			Session: question.SessionID(r.Making.Session),
		},
	}
}

func toldToRecord(t question.Told) toldRecord {
	return toldRecord{text(t.Session), text(t.Turn), utc(t.At)}
}

func (r toldRecord) toTold() question.Told {
	return question.Told{Session: question.SessionID(r.Session), Turn: question.MessageID(r.Turn), At: r.At}
}

func saidToRecord(s question.Said) saidRecord {
	return saidRecord{text(s.Session), originToRecord(s.Origin), text(s.Title), utc(s.At), text(s.Answers), wizardToRecord(s.Wizard)}
}
