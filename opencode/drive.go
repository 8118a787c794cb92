package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"hermes/internal/question"
	"hermes/opencode/link"
)

// listSessions is how many sessions are read at least to find the newest ones: 1.1.53
// lists them by when they were made, not by when they were used.
const listSessions = 100

// Sessions lists the root sessions of the client's directory, the one used last
// first, at most limit.
func (c *Client) Sessions(ctx context.Context, limit int) ([]question.Session, error) {
	query := c.with("roots", "true")
	query.Set("limit", strconv.Itoa(max(limit, listSessions)))
	var wire []wireSession
	if err := c.get(ctx, "sessions", "/session", query, &wire); err != nil {
		return nil, undriven(err)
	}
	busy, err := c.Busy(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]question.Session, 0, len(wire))
	for _, s := range wire {
		if s.ParentID == "" && c.here(s) {
			list = append(list, s.session(busy))
		}
	}
	slices.SortStableFunc(list, func(a, b question.Session) int { return b.Updated.Compare(a.Updated) })
	return list[:min(limit, len(list))], nil
}

// here reports whether a session is of the client's directory. Not all versions list
// just those.
func (c *Client) here(s wireSession) bool {
	return c.Directory == "" || s.Directory == "" || s.Directory == c.Directory
}

// Session is one session, of any directory that this OpenCode can name. If there is
// none the error is NotFound and question.ErrNoSession.
func (c *Client) Session(ctx context.Context, id question.SessionID) (question.Session, error) {
	s, err := c.session(ctx, id)
	if err != nil {
		return question.Session{}, absent(err)
	}
	busy, err := c.Busy(ctx)
	return s.session(busy), err
}

// Create makes a session in the client's directory, with OpenCode's own title if none
// is given. Done twice it makes two.
func (c *Client) Create(ctx context.Context, title string) (question.Session, error) {
	body := map[string]string{}
	if title != "" {
		body["title"] = title
	}
	var made wireSession
	err := c.send(ctx, "create session", "/session", body, &made)
	return made.session(nil), err
}

// CreateOnce makes a session in the client's directory, unless one was made there for the
// same moment, in whole milliseconds. The moment is in its title, which has the form that
// OpenCode gives to new sessions (measured on 1.1.53 and 1.18.33) and that the first prompt
// replaces: until then a session that was made can be told from one that was not.
func (c *Client) CreateOnce(ctx context.Context, at time.Time) (question.Session, error) {
	title := "New session - " + at.UTC().Format("2006-01-02T15:04:05.000Z")
	if s, found, err := c.titled(ctx, title); found || err != nil {
		return s, err
	}
	made, err := c.Create(ctx, title)
	if err == nil {
		return made, nil
	}
	if s, found, _ := c.titled(ctx, title); found { // it was made, and the answer lost
		return s, nil
	}
	return question.Session{}, err
}

// titled looks for a session among the newest.
func (c *Client) titled(ctx context.Context, title string) (question.Session, bool, error) {
	query := c.with("roots", "true")
	query.Set("limit", strconv.Itoa(listSessions))
	var wire []wireSession
	err := c.get(ctx, "sessions", "/session", query, &wire)
	for _, s := range wire {
		if s.Title == title {
			return s.session(nil), true, nil
		}
	}
	return question.Session{}, false, undriven(err)
}

// Abort stops the session's turn, one attempt. OpenCode says yes to any abort: whether
// the session is idle then must be looked up. On 1.18.33 the abort of a session whose
// subagent works ends the subagent, and the session goes on.
func (c *Client) Abort(ctx context.Context, id question.SessionID) error {
	if _, err := c.session(ctx, id); err != nil {
		return absent(err)
	}
	return c.send(ctx, "abort", one(id)+"/abort", nil, nil)
}

func (s wireSession) session(busy map[question.SessionID]bool) question.Session {
	id := question.SessionID(s.ID)
	return question.Session{
		ID: id, Parent: question.SessionID(s.ParentID), Title: s.title(), Directory: s.Directory,
		Updated: time.UnixMilli(int64(s.Time.Updated)), Busy: busy[id],
	}
}

// one is the path of an ordinary session.
func one(id question.SessionID) string { return "/session/" + url.PathEscape(string(id)) }

// with is the client's query and one value more.
func (c *Client) with(name, value string) url.Values {
	query := url.Values{name: {value}}
	if c.Directory != "" {
		query.Set("directory", c.Directory)
	}
	return query
}

// send posts a JSON body, nil for none, and reads the answer unless into is nil.
func (c *Client) send(ctx context.Context, op, path string, body, into any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	got, err := c.do(ctx, c.Transport, op, http.MethodPost, path, c.query(), raw)
	if err != nil || into == nil {
		return undriven(err)
	}
	return wrongJSON(op, json.Unmarshal(got, into))
}

// undriven says of a call that the plugin does not allow that this OpenCode is not to be
// driven: its plugin is too old, or was told so.
func undriven(err error) error {
	var e *Error
	var call *link.CallError
	if errors.As(err, &e) && errors.As(err, &call) && call.Refused {
		return &Error{Op: e.Op, Reason: Refused, Err: question.ErrNotDriven}
	}
	return err
}

// absent makes of a 404 for a session the domain's word for it.
func absent(err error) error {
	if IsNotFound(err) {
		return &Error{Op: "session", Reason: NotFound, Status: http.StatusNotFound, Err: question.ErrNoSession}
	}
	return err
}
