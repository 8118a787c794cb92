package telegramsim

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
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

// answerWindow is how long after it was handed out a callback can be answered. Telegram does not document its own.
const answerWindow = time.Minute

// Alert is an answer to a tap, as the person who tapped gets it.
type Alert struct {
	Callback    string // the callback's id
	User, Chat  int64
	Message     int
	Label, Data string // of the button; no label when the data was forged
	Text        string // empty: the button only stopped spinning
	ShowAlert   bool   // a box to be closed, not a line that fades
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
		Text: text, ShowAlert: q.params.boolean("show_alert"), At: time.Now(),
	})
	if text != "" {
		says := " tells " + s.users[cb.user].name() + " in passing: "
		if q.params.boolean("show_alert") {
			says = " alerts " + s.users[cb.user].name() + ": "
		}
		s.chats[cb.chat].note(s.bot.name(), says, indent(text))
	}
	return true, nil
}

func (s *Server) tooLate(cb *callback) bool {
	return !cb.handedOut.IsZero() && time.Since(cb.handedOut) > answerWindow
}

// Tap taps a button of a message as it is now, and returns the callback's id. The
// label is given whole or by a start that only one button has. It fails when
// there is no such button, or when it sends nothing to the bot.
func (s *Server) Tap(user, chatID int64, messageID int, label string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.present(user, chatID)
	if err != nil {
		return "", err
	}
	m := c.find(messageID)
	if m == nil {
		return "", fmt.Errorf("there is no message %d in chat %d", messageID, chatID)
	}
	b, err := m.markup.button(label)
	if err != nil {
		return "", fmt.Errorf("message %d: %w", messageID, err)
	}
	if b.Data == "" {
		return "", fmt.Errorf("message %d: the button [%s] sends nothing to the bot", messageID, b.Text)
	}
	return s.tap(c, callback{user: user, chat: chatID, message: messageID, data: b.Data, label: b.Text}), nil
}

// button finds a button by its label or an unambiguous start of it.
func (m markup) button(label string) (wireButton, error) {
	var exact, partial []wireButton
	for _, row := range m.rows {
		for _, b := range row {
			if b.Text == label {
				exact = append(exact, b)
			}
			if strings.HasPrefix(b.Text, label) {
				partial = append(partial, b)
			}
		}
	}
	switch {
	case len(exact) == 1:
		return exact[0], nil
	case len(exact) == 0 && len(partial) == 1:
		return partial[0], nil
	case len(partial) == 0:
		return wireButton{}, fmt.Errorf("no button [%s]; it shows %s", label, m.labels())
	}
	return wireButton{}, fmt.Errorf("several buttons fit [%s]; it shows %s", label, m.labels())
}

func (m markup) labels() string {
	var rows []string
	for _, row := range m.rows {
		rows = append(rows, rowText(row))
	}
	if len(rows) == 0 {
		return "no buttons"
	}
	return strings.Join(rows, " ")
}

func rowText(row []wireButton) string {
	var labels []string
	for _, b := range row {
		labels = append(labels, "["+b.Text+"]")
	}
	return strings.Join(labels, " ")
}

// TapData sends callback data that need not be on any button: a forged tap, or
// one on a keyboard that has changed since. The message may be deleted, and then
// the bot gets an InaccessibleMessage; it must have existed.
func (s *Server) TapData(user, chatID int64, messageID int, data string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.present(user, chatID)
	if err != nil {
		return "", err
	}
	if c.findAny(messageID) == nil {
		return "", fmt.Errorf("there never was a message %d in chat %d", messageID, chatID)
	}
	return s.tap(c, callback{user: user, chat: chatID, message: messageID, data: data}), nil
}

func (s *Server) tap(c *chat, cb callback) string {
	kept := s.newCallback(cb)
	s.meet(cb.user)
	from := s.users[cb.user].User
	c.note(from.name(), " taps [", cmp.Or(cb.label, "forged: "+cb.data), "]")
	u := s.queue.add("callback_query", cb.user+3<<33, map[string]any{
		"id": kept.id, "from": from, "chat_instance": c.instance, "data": cb.data,
		"message": s.tapped(c, cb.message),
	})
	u.callback, u.expires = kept, time.Now().Add(callbackLife)
	s.announce()
	return kept.id
}

// tapped is a callback's message, an InaccessibleMessage when it is deleted.
func (s *Server) tapped(c *chat, id int) any {
	if m := c.find(id); m != nil {
		return s.wire(m)
	}
	return map[string]any{"chat": s.wireChat(c), "message_id": id, "date": 0}
}
