package telegramsim

import (
	"fmt"
	"strings"
)

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

// Retap sends a tap again with a new callback id, as clients do when no answer
// came.
func (s *Server) Retap(callbackID string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.callbacks[callbackID]
	if old == nil {
		return "", fmt.Errorf("there was no callback %s", callbackID)
	}
	again := callback{user: old.user, chat: old.chat, message: old.message, data: old.data, label: old.label}
	return s.tap(s.chats[old.chat], again), nil
}

func (s *Server) tap(c *chat, cb callback) string {
	kept := s.newCallback(cb)
	s.meet(cb.user)
	from := s.users[cb.user].User
	c.note(entry{kind: entryTapped, who: from.name(), text: orDefault(cb.label, "forged: "+cb.data)})
	s.queue.add("callback_query", map[string]any{
		"id": kept.id, "from": from, "chat_instance": c.instance, "data": cb.data,
		"message": s.tapped(c, cb.message),
	}, callbackLife, kept)
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
