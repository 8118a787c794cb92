package api

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/pending"
)

// Entry is a line of the journal as GET /v1/journal and hermes audit --json give
// it. Fields are only added. Bytes that are no text are U+FFFD here; the hash is of
// what is stored.
type Entry struct {
	Number  uint64             `json:"number"` // from 1, without gaps
	At      time.Time          `json:"at"`
	Kind    storage.EntryKind  `json:"kind"`
	Thread  question.ID        `json:"thread,omitempty"`
	Request question.RequestID `json:"request,omitempty"`
	Session session.ID         `json:"session,omitempty"`
	By      question.ActorKind `json:"by,omitempty"`
	User    chat.UserID        `json:"user,omitempty"`
	Name    string             `json:"name,omitempty"` // at that time
	Chat    chat.ID            `json:"chat,omitempty"`
	Token   string             `json:"token,omitempty"` // that it came by: "api"
	Answers question.Answers   `json:"answers,omitempty"`
	Detail  string             `json:"detail,omitempty"`
	Rule    string             `json:"rule,omitempty"`
	Note    string             `json:"note,omitempty"`
	Hash    string             `json:"hash"` // hexadecimal
}

// EntryOf is a line of the journal as the API and the commands show it.
func EntryOf(l pending.Line) Entry {
	e := l.Entry
	return Entry{
		Number: l.Number, At: e.At, Kind: e.Kind, Thread: e.Thread, Request: e.Request, Session: e.Session,
		By: e.By.Kind, User: e.By.User, Name: e.By.Name, Chat: e.By.Chat, Token: e.By.Token,
		Answers: e.Answers, Detail: e.Detail, Rule: e.Rule, Note: e.Note, Hash: hex.EncodeToString(l.Hash[:]),
	}
}

// Chain is what GET /v1/journal/verify says of the journal. Fields are only added.
type Chain struct {
	Entries int        `json:"entries"` // that are as they were written, up to the break
	First   uint64     `json:"first"`   // number of the oldest that is kept
	From    *time.Time `json:"from,omitempty"`
	To      *time.Time `json:"to,omitempty"`
	Broken  *Broken    `json:"broken,omitempty"` // absent: the chain is whole
}

// Broken is where the chain of the journal breaks: the first entry that is not as hermes wrote it.
type Broken struct {
	Number uint64     `json:"number"`
	At     *time.Time `json:"at,omitempty"` // as the entry has it
	Reason string     `json:"reason"`
}

// CheckChain words what the store found; another error than a break is returned.
func CheckChain(s *pending.Store) (Chain, error) {
	chain, err := s.Check()
	a := Chain{Entries: chain.Entries, First: chain.First, From: timeOrAbsent(chain.From), To: timeOrAbsent(chain.To)}
	if b := (*pending.Broken)(nil); errors.As(err, &b) {
		a.Broken, err = &Broken{Number: b.Number, At: timeOrAbsent(b.At), Reason: b.Reason}, nil
	}
	return a, err
}

func timeOrAbsent(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// EntryFilter says which entries are asked for. The zero value takes all.
type EntryFilter struct {
	After   uint64 // a number
	Since   time.Time
	Session string // of OpenCode, or hermes' id of a thread
	Person  string // an id, or a name or a word of one, in any case
}

func (p EntryFilter) matches(e storage.Entry) bool {
	switch {
	case e.At.Before(p.Since):
		return false
	case p.Session != "" && p.Session != string(e.Session) && p.Session != string(e.Thread):
		return false
	}
	return p.Person == "" || isPerson(e.By, p.Person)
}

func isPerson(a question.Actor, asked string) bool {
	if a.User != 0 && strconv.FormatInt(int64(a.User), 10) == asked {
		return true
	}
	names := append(strings.Fields(a.Name), strings.TrimSpace(a.Name))
	return a.Name != "" && slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, asked) })
}

// Query is the pick in the form that ReadEntryFilter reads.
func (p EntryFilter) Query() string {
	q := url.Values{}
	if p.After > 0 {
		q.Set("after", strconv.FormatUint(p.After, 10))
	}
	if !p.Since.IsZero() {
		q.Set("since", p.Since.UTC().Format(time.RFC3339Nano))
	}
	for name, text := range map[string]string{"session": p.Session, "person": p.Person} {
		if text != "" {
			q.Set(name, text)
		}
	}
	return q.Encode()
}

// ReadEntryFilter returns a fault for a query that it does not understand.
func ReadEntryFilter(q url.Values) (p EntryFilter, wait time.Duration, fault string) {
	for name, values := range q {
		if !slices.Contains([]string{"after", "since", "session", "person", "wait"}, name) || len(values) != 1 {
			return p, 0, `ask with after, since, session, person or wait, each once`
		}
	}
	if text := q.Get("after"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 || n == math.MaxInt64 {
			return p, 0, "after must be the number of an entry"
		}
		p.After = uint64(n)
	}
	if wait, fault = ReadWait(q); fault != "" {
		return p, 0, fault
	}
	if text := q.Get("since"); text != "" {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return p, 0, "since must be a time like 2026-11-21T14:05:00Z"
		}
		p.Since = at
	}
	p.Session, p.Person = q.Get("session"), q.Get("person")
	return p, wait, ""
}

// EachEntry reads the store in short transactions, until ctx ends. What it has looked
// at it leaves out of the pick.
func EachEntry(ctx context.Context, s *pending.Store, pick *EntryFilter, fn func(Entry) error) error {
	return s.Journal(pick.After+1, func(l pending.Line) error {
		pick.After = l.Number
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !pick.matches(l.Entry):
			return nil
		}
		return fn(EntryOf(l))
	})
}
