package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/question"
	"hermes/pending"
)

// apiEntry is a line of the journal as GET /v1/journal and hermes audit --json give
// it. Fields are only added. Bytes that are no text are U+FFFD here; the hash is of
// what is stored.
type apiEntry struct {
	Number  uint64             `json:"number"` // from 1, without gaps
	At      time.Time          `json:"at"`
	Kind    question.EntryKind `json:"kind"`
	Thread  question.ID        `json:"thread,omitempty"`
	Request question.RequestID `json:"request,omitempty"`
	Session question.SessionID `json:"session,omitempty"`
	By      question.ActorKind `json:"by,omitempty"`
	User    question.UserID    `json:"user,omitempty"`
	Name    string             `json:"name,omitempty"` // at that time
	Chat    question.ChatID    `json:"chat,omitempty"`
	Token   string             `json:"token,omitempty"` // that it came by: "api"
	Answers question.Answers   `json:"answers,omitempty"`
	Detail  string             `json:"detail,omitempty"`
	Rule    string             `json:"rule,omitempty"`
	Note    string             `json:"note,omitempty"`
	Hash    string             `json:"hash"` // hexadecimal
}

func entryToAPI(l pending.Line) apiEntry {
	e := l.Entry
	return apiEntry{
		Number: l.Number, At: e.At, Kind: e.Kind, Thread: e.Thread, Request: e.Request, Session: e.Session,
		By: e.By.Kind, User: e.By.User, Name: e.By.Name, Chat: e.By.Chat, Token: e.By.Token,
		Answers: e.Answers, Detail: e.Detail, Rule: e.Rule, Note: e.Note, Hash: hex.EncodeToString(l.Hash[:]),
	}
}

// apiChain is what GET /v1/journal/verify says of the journal. Fields are only added.
type apiChain struct {
	Entries int        `json:"entries"` // that are as they were written, up to the break
	First   uint64     `json:"first"`   // number of the oldest that is kept
	From    *time.Time `json:"from,omitempty"`
	To      *time.Time `json:"to,omitempty"`
	Broken  *apiBroken `json:"broken,omitempty"` // absent: the chain is whole
}

type apiBroken struct {
	Number uint64     `json:"number"`
	At     *time.Time `json:"at,omitempty"` // as the entry has it
	Reason string     `json:"reason"`
}

// checkChain words what the store found; another error than a break is returned.
func checkChain(s *pending.Store) (apiChain, error) {
	chain, err := s.Check()
	a := apiChain{Entries: chain.Entries, First: chain.First, From: timeToAPI(chain.From), To: timeToAPI(chain.To)}
	if b := (*pending.Broken)(nil); errors.As(err, &b) {
		a.Broken, err = &apiBroken{Number: b.Number, At: timeToAPI(b.At), Reason: b.Reason}, nil
	}
	return a, err
}

func timeToAPI(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// entryPick says which entries are asked for. The zero value takes all.
type entryPick struct {
	after   uint64 // a number
	since   time.Time
	session string // of OpenCode, or hermes' id of a thread
	person  string // an id, or a name or a word of one, in any case
}

func (p entryPick) takes(e question.Entry) bool {
	switch {
	case e.At.Before(p.since):
		return false
	case p.session != "" && p.session != string(e.Session) && p.session != string(e.Thread):
		return false
	}
	return p.person == "" || isPerson(e.By, p.person)
}

func isPerson(a question.Actor, asked string) bool {
	if a.User != 0 && strconv.FormatInt(int64(a.User), 10) == asked {
		return true
	}
	names := append(strings.Fields(a.Name), strings.TrimSpace(a.Name))
	return a.Name != "" && slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, asked) })
}

// query is the pick in the form that readPick reads.
func (p entryPick) query() string {
	q := url.Values{}
	if p.after > 0 {
		q.Set("after", strconv.FormatUint(p.after, 10))
	}
	if !p.since.IsZero() {
		q.Set("since", p.since.UTC().Format(time.RFC3339Nano))
	}
	for name, text := range map[string]string{"session": p.session, "person": p.person} {
		if text != "" {
			q.Set(name, text)
		}
	}
	return q.Encode()
}

// readPick returns a fault for a query that it does not understand.
func readPick(q url.Values) (p entryPick, wait time.Duration, fault string) {
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
		p.after = uint64(n)
	}
	if wait, fault = readWait(q); fault != "" {
		return p, 0, fault
	}
	if text := q.Get("since"); text != "" {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return p, 0, "since must be a time like 2026-11-21T14:05:00Z"
		}
		p.since = at
	}
	p.session, p.person = q.Get("session"), q.Get("person")
	return p, wait, ""
}

// getJournal answers GET /v1/journal, with one JSON object a line: with ?wait=30s as
// soon as there is one, or the time is over. What it cannot
// read is told in a last line, {"error":"a sentence"}. An answer that was cut off is
// one whose last chunk is missing.
func (d *daemon) getJournal(w http.ResponseWriter, r *http.Request) {
	pick, wait, fault := readPick(r.URL.Query())
	if fault != "" {
		refuse(w, http.StatusBadRequest, fault)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	lines := json.NewEncoder(w)
	err := d.entries.await(r.Context(), wait, func() (found bool, err error) {
		err = eachEntry(r.Context(), d.store, &pick, func(e apiEntry) error {
			found = true
			return lines.Encode(e)
		})
		return found, err
	})
	var broken *pending.Broken
	switch {
	case err == nil || r.Context().Err() != nil:
	case errors.As(err, &broken):
		_ = lines.Encode(map[string]string{"error": broken.Error()})
	default:
		d.log.Error("the journal could not be told", "err", err)
		panic(http.ErrAbortHandler)
	}
}

// eachEntry reads the store in short transactions, until ctx ends. What it has looked
// at it leaves out of the pick.
func eachEntry(ctx context.Context, s *pending.Store, pick *entryPick, fn func(apiEntry) error) error {
	return s.Journal(pick.after+1, func(l pending.Line) error {
		pick.after = l.Number
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !pick.takes(l.Entry):
			return nil
		}
		return fn(entryToAPI(l))
	})
}

// verifyJournal answers GET /v1/journal/verify.
func (d *daemon) verifyJournal(w http.ResponseWriter, _ *http.Request) {
	chain, err := checkChain(d.store)
	if err != nil {
		d.fail(w, err)
		return
	}
	reply(w, http.StatusOK, chain)
}
