package pending

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// The records of driving sessions. The rule on [threadRecord] holds for them.
type queuedPromptRecord struct {
	ID      text           `json:"id"`
	Prompt  promptRecord   `json:"prompt"`
	Seat    placeRecord    `json:"seat,omitzero"`
	Origin  originRecord   `json:"origin,omitzero"`
	Chat    chat.ID        `json:"chat,omitzero"`
	Topic   int            `json:"topic,omitzero"`
	Message chat.MessageID `json:"message,omitzero"`
	Ack     chat.MessageID `json:"ack,omitzero"`
	By      actorRecord    `json:"by,omitzero"`
	Lang    text           `json:"lang,omitzero"`
	At      time.Time      `json:"at,omitzero"`
	Tries   attemptsRecord `json:"tries,omitzero"`
	Answers text           `json:"answers,omitzero"`
	Asked   bool           `json:"asked,omitzero"`

	Restored bool        `json:"restored,omitzero"`
	Owner    chat.UserID `json:"owner,omitzero"`

	End promptEndRecord `json:"end,omitzero"` // without it, it is owed
}

type promptEndRecord struct {
	Kind   text `json:"kind,omitzero"`
	Reason text `json:"reason,omitzero"`
	File   text `json:"file,omitzero"`
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
	Queued  []queuedRecord   `json:"queued,omitzero"`
}

type queuedRecord struct {
	Chat      chat.ID        `json:"chat"`
	Message   chat.MessageID `json:"message"`
	Keep      bool           `json:"keep,omitzero"`
	Title     text           `json:"title,omitzero"`
	Directory text           `json:"directory,omitzero"`
}

type listenerRecord struct {
	Chat     chat.ID        `json:"chat"`
	Topic    int            `json:"topic,omitzero"`
	Message  chat.MessageID `json:"message,omitzero"`
	Prompt   text           `json:"prompt,omitzero"`
	Lang     text           `json:"lang,omitzero"`
	Unmarked bool           `json:"unmarked,omitzero"`
}

type chatSettingsRecord struct {
	Chat    chat.ID      `json:"chat"`
	Topic   int          `json:"topic,omitzero"`
	Session text         `json:"session,omitzero"`
	Origin  originRecord `json:"origin,omitzero"`
	Title   text         `json:"title,omitzero"`
	Level   remote.Level `json:"level,omitzero"`
	Muted   time.Time    `json:"muted,omitzero"`

	Agent    text           `json:"agent,omitzero"`
	Provider text           `json:"provider,omitzero"`
	Model    text           `json:"model,omitzero"`
	Follow   bool           `json:"follow,omitzero"`
	Live     chat.MessageID `json:"live,omitzero"`

	Making makingRecord `json:"making,omitzero"`

	Hinted bool `json:"hinted,omitzero"`
}

type makingRecord struct {
	Update  chat.UpdateID `json:"update,omitzero"`
	Origin  originRecord  `json:"origin,omitzero"`
	At      time.Time     `json:"at,omitzero"`
	Session text          `json:"session,omitzero"`
}

type saidRecord struct {
	Session text         `json:"session"`
	Origin  originRecord `json:"origin,omitzero"`
	Title   text         `json:"title,omitzero"`
	At      time.Time    `json:"at,omitzero"`
	Answers text         `json:"answers,omitzero"`
	Wizard  wizardRecord `json:"wizard,omitzero"`
	Asked   bool         `json:"asked,omitzero"`
	Draft   *draftRecord `json:"draft,omitempty"`
}

type draftRecord struct {
	Text    text           `json:"text"`
	By      chat.UserID    `json:"by,omitzero"`
	Message chat.MessageID `json:"message,omitzero"`
	Card    chat.MessageID `json:"card,omitzero"`
	Tap     chat.UpdateID  `json:"tap,omitzero"`
	Step    int            `json:"step,omitzero"`
}

type toldRecord struct {
	Session text      `json:"session"`
	Turn    text      `json:"turn,omitzero"`
	At      time.Time `json:"at,omitzero"`
}

func queuedPromptToRecord(e remote.QueuedPrompt) queuedPromptRecord {
	return queuedPromptRecord{
		ID: text(e.ID), Prompt: promptToRecord(e.Prompt), Origin: originToRecord(e.Origin),
		Seat: placeToRecord(e.Place),
		Chat: e.Chat, Topic: e.Topic, Message: e.Message, Ack: e.Ack,
		By: actorToRecord(e.By), Lang: text(e.Lang), At: utc(e.At), Tries: attemptsToRecord(e.Tries),
		Answers: text(e.Answers), Asked: e.Asked, Owner: e.Owner, Restored: e.Restored,
		End: promptEndRecord{text(e.End.Kind), text(e.End.Reason), text(e.End.File)},
	}
}

func (r queuedPromptRecord) toQueuedPrompt() remote.QueuedPrompt {
	return remote.QueuedPrompt{
		ID: question.ID(r.ID), Prompt: r.Prompt.toPrompt(), Origin: r.Origin.toOrigin(),
		Place: r.Seat.toPlace(),
		Chat:  r.Chat, Topic: r.Topic, Message: r.Message, Ack: r.Ack,
		By: r.By.toActor(), Lang: string(r.Lang), At: r.At, Tries: r.Tries.toAttempts(),
		Answers: question.ID(r.Answers), Asked: r.Asked, Owner: r.Owner, Restored: r.Restored,
		End: remote.PromptEnd{Kind: remote.MessageKind(r.End.Kind), Reason: remote.Reason(r.End.Reason), File: string(r.End.File)},
	}
}

func promptToRecord(p session.Prompt) promptRecord {
	return promptRecord{
		text(p.ID), text(p.Session), convert(p.Parts, partToRecord), text(p.Agent), text(p.Model.Provider), text(p.Model.ID), p.NoReply,
		text(p.Command),
	}
}

func (r promptRecord) toPrompt() session.Prompt {
	return session.Prompt{
		ID: session.MessageID(r.ID), Session: session.ID(r.Session), Parts: convert(r.Parts, partRecord.toPart),
		Agent: string(r.Agent), Model: session.Model{Provider: string(r.Provider), ID: string(r.Model)}, NoReply: r.NoReply,
		Command: string(r.Command),
	}
}

func partToRecord(p session.Part) partRecord {
	return partRecord{text(p.Text), text(p.Name), text(p.Mime), p.Data, text(p.Agent), text(p.File), p.Spoken}
}

func (r partRecord) toPart() session.Part {
	return session.Part{
		Text: string(r.Text), Name: string(r.Name), Mime: string(r.Mime), Data: r.Data, Agent: string(r.Agent), File: chat.FileID(r.File),
		Spoken: r.Spoken,
	}
}

func watchToRecord(w remote.TurnWatch) watchRecord {
	return watchRecord{text(w.Session), originToRecord(w.Origin), utc(w.Since), convert(w.For, listenerToRecord), convert(w.Queued, queuedToRecord)}
}

func (r watchRecord) toWatch() remote.TurnWatch {
	return remote.TurnWatch{
		Session: session.ID(r.Session), Origin: r.Origin.toOrigin(), Since: r.Since, For: convert(r.For, listenerRecord.toListener),
		Queued: convert(r.Queued, queuedRecord.toQueued),
	}
}

func queuedToRecord(q remote.Queued) queuedRecord {
	return queuedRecord{q.Chat, q.Message, q.Keep, text(q.Title), text(q.Directory)}
}

func (r queuedRecord) toQueued() remote.Queued {
	return remote.Queued{Chat: r.Chat, Message: r.Message, Keep: r.Keep, Title: string(r.Title), Directory: string(r.Directory)}
}

func listenerToRecord(l remote.Listener) listenerRecord {
	return listenerRecord{l.Chat, l.Topic, l.Message, text(l.Prompt), text(l.Lang), l.Unmarked}
}

func (r listenerRecord) toListener() remote.Listener {
	return remote.Listener{
		Chat: r.Chat, Topic: r.Topic, Message: r.Message,
		Prompt: session.MessageID(r.Prompt), Lang: string(r.Lang), Unmarked: r.Unmarked,
	}
}

func chatSettingsToRecord(s remote.ChatSettings) chatSettingsRecord {
	return chatSettingsRecord{
		s.Chat, s.Topic, text(s.Session), originToRecord(s.Origin), text(s.Title), s.Level, utc(s.Muted),
		text(s.Agent), text(s.Model.Provider), text(s.Model.ID), s.Follow, s.Live,
		makingRecord{s.Pending.Update, originToRecord(s.Pending.Origin), utc(s.Pending.At), text(s.Pending.Session)},
		s.Hinted,
	}
}

func (r chatSettingsRecord) toChatSettings() remote.ChatSettings {
	return remote.ChatSettings{
		Chat: r.Chat, Topic: r.Topic, Session: session.ID(r.Session), Origin: r.Origin.toOrigin(),
		Title: string(r.Title), Level: r.Level, Muted: r.Muted,
		Agent: string(r.Agent), Model: session.Model{Provider: string(r.Provider), ID: string(r.Model)},
		Follow: r.Follow, Live: r.Live, Hinted: r.Hinted,
		Pending: remote.PendingSession{
			Update: r.Making.Update, Origin: r.Making.Origin.toOrigin(), At: r.Making.At,
			Session: session.ID(r.Making.Session),
		},
	}
}

func toldToRecord(t remote.ToldTurn) toldRecord {
	return toldRecord{text(t.Session), text(t.Turn), utc(t.At)}
}

func (r toldRecord) toTold() remote.ToldTurn {
	return remote.ToldTurn{Session: session.ID(r.Session), Turn: session.MessageID(r.Turn), At: r.At}
}

func saidToRecord(s remote.MessageRef) saidRecord {
	return saidRecord{
		text(s.Session), originToRecord(s.Origin), text(s.Title), utc(s.At), text(s.Answers), wizardToRecord(s.Wizard), s.Asked,
		draftToRecord(s.Draft),
	}
}

func draftToRecord(d *remote.Draft) *draftRecord {
	if d == nil {
		return nil
	}
	return &draftRecord{text(d.Text), d.By, d.Message, d.Card, d.Tap, d.Step}
}

func (r *draftRecord) toDraft() *remote.Draft {
	if r == nil {
		return nil
	}
	return &remote.Draft{Text: string(r.Text), By: r.By, Message: r.Message, Card: r.Card, Tap: r.Tap, Step: r.Step}
}
