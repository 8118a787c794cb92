package telegramsim

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// callback is a tap on a button that waits for its answer.
type callback struct {
	id          string
	user, chat  int64
	message     int
	data, label string
	handedOut   time.Time // zero until the bot has got it
	answered    bool
}

// Alert is an answer to a tap, as the person who tapped gets it.
type Alert struct {
	Callback    string // the callback's id
	User, Chat  int64
	Message     int
	Label, Data string // of the button; no label when the data was forged
	Text        string // empty: the button only stopped spinning
	ShowAlert   bool   // a box to be closed, not a line that fades
	URL         string
	At          time.Time
}

func (s *Server) newCallback(c callback) *callback {
	s.serial++
	c.id = strconv.FormatInt(4000000000000000000+int64(s.serial), 10)
	s.callbacks[c.id] = &c
	return &c
}

func (s *Server) answerCallbackQuery(q *request) (any, *refusal) {
	text := q.params.text("text")
	if utf8.RuneCountInString(text) > 200 {
		return nil, wrong("MESSAGE_TOO_LONG")
	}
	cb := s.callbacks[q.params.text("callback_query_id")]
	if cb == nil || cb.answered || s.tooLate(cb) {
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	cb.answered = true
	s.alerts = append(s.alerts, Alert{
		Callback: cb.id, User: cb.user, Chat: cb.chat, Message: cb.message, Label: cb.label, Data: cb.data,
		Text: text, ShowAlert: q.params.boolean("show_alert"), URL: q.params.text("url"), At: time.Now(),
	})
	s.chats[cb.chat].note(entry{
		kind: entryAnswered, who: s.users[cb.user].name(), text: text, loud: q.params.boolean("show_alert"),
	})
	return true, nil
}

func (s *Server) tooLate(cb *callback) bool {
	return !cb.handedOut.IsZero() && time.Since(cb.handedOut) > s.opts.AnswerWindow
}
