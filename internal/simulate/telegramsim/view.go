package telegramsim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Button is a button as a person sees it.
type Button struct {
	Label string
	Data  string // what a tap sends to the bot
	URL   string
	Style string
}

// Message is a message as it is shown now.
type Message struct {
	ID, Topic  int
	FromBot    bool
	From       string // name of the person, the bot or the chat
	Date       time.Time
	Text       string
	Entities   []Entity
	Rows       [][]Button
	ForceReply bool    // the reply box opens
	Opens      []int64 // for whom it opens, by user id; nil: for everybody
	Holder     string  // what stands in the box before anything is typed
	ReplyTo    int
	Edits      int
	Past       []string // the texts before each edit
	Deleted    bool
	Silent     bool
	Document   *Document
	Reaction   string // the bot's
}

// Labels returns the labels of all buttons.
func (m Message) Labels() []string {
	var labels []string
	for _, row := range m.Rows {
		for _, b := range row {
			labels = append(labels, b.Label)
		}
	}
	return labels
}

// Messages returns a chat's messages in order, deleted ones too, without service
// messages. An unknown chat has none.
func (s *Server) Messages(chatID int64) []Message { return s.MessagesSince(chatID, 0) }

// MessagesSince is Messages without those whose id is smaller than this.
func (s *Server) MessagesSince(chatID int64, id int) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil {
		return nil
	}
	first, _ := c.index(id)
	var out []Message
	for _, m := range c.messages[first:] {
		if !m.service() {
			out = append(out, m.view())
		}
	}
	return out
}

func (m *message) view() Message {
	v := Message{
		ID: m.id, Topic: m.thread, FromBot: m.byBot, From: m.author(), Date: m.date, Text: m.text,
		Entities: slices.Clone(m.entities), Edits: m.edits,
		ForceReply: m.markup.opens(), Deleted: m.deleted, Silent: m.silent,
		Reaction: m.reaction, Rows: m.markup.view(),
	}
	if m.markup.selective {
		v.Opens = m.addressees()
	}
	v.Holder = m.markup.placeholder
	if m.replyTo != nil {
		v.ReplyTo = m.replyTo.id
	}
	if m.document != nil {
		v.Document = m.document.copy()
	}
	for _, p := range m.past {
		v.Past = append(v.Past, p.text)
	}
	return v
}

// addressees are those for whom a selective prompt opens the box: who is mentioned in the
// text, and who wrote the message that it replies to (Bot API ForceReply.selective).
func (m *message) addressees() []int64 {
	ids := []int64{}
	for _, e := range m.entities {
		if e.User != nil {
			ids = append(ids, e.User.ID)
		}
	}
	if m.replyTo != nil && m.replyTo.from != nil && !m.replyTo.byBot {
		ids = append(ids, m.replyTo.from.ID)
	}
	return ids
}

func (m markup) view() [][]Button {
	var rows [][]Button
	for _, row := range m.rows {
		var out []Button
		for _, b := range row {
			out = append(out, Button{Label: b.Text, Data: b.Data, URL: b.URL, Style: b.Style})
		}
		rows = append(rows, out)
	}
	return rows
}

func (m *message) author() string {
	if m.senderChat != nil {
		return m.senderChat.Title
	}
	return m.from.name()
}

// Alerts returns the answers to taps, oldest first.
func (s *Server) Alerts() []Alert {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.alerts)
}

// Commands returns the command menu of a scope, such as "all_private_chats" or
// "default", without a language.
func (s *Server) Commands(scope string) []Command { return s.CommandsIn(scope, "") }

// CommandsIn returns the command menu of a scope for people with a language, two
// letters; none if there is none of its own for it.
func (s *Server) CommandsIn(scope, language string) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands[scope+" "+language])
}

// Await returns when cond holds. It asks at once and after every change, without
// holding the server, so cond may use all its methods. It fails with ctx.
func (s *Server) Await(ctx context.Context, cond func() bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if cond() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// AwaitText waits until a message of the bot contains a text, and returns the
// newest one that does. Its error shows the chat as it is instead.
func (s *Server) AwaitText(ctx context.Context, chatID int64, text string) (Message, error) {
	var found Message
	err := s.Await(ctx, func() bool {
		for _, m := range slices.Backward(s.Messages(chatID)) {
			if m.FromBot && !m.Deleted && strings.Contains(m.Text, text) {
				found = m
				return true
			}
		}
		return false
	})
	if err != nil {
		return found, fmt.Errorf("no message with %q: %w; the chat shows:\n%s", text, err, s.Transcript(chatID))
	}
	return found, nil
}

// LastMessageID is the highest id of a message in a private chat or a basic group, which share a counter.
func (s *Server) LastMessageID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastID
}
