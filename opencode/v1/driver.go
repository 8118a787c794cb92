package v1

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/release"
)

// Driver drives the ordinary sessions of an OpenCode process, in one directory. The
// error of a call that the plugin does not allow is session.ErrNotDriven: the plugin is
// too old, or hermes has told it that nobody drives. It is safe for concurrent use.
type Driver struct {
	Endpoint  *call.Endpoint
	ahead     time.Duration // how far OpenCode's clock is ahead of this one; 0 if that is not known
	dataTexts bool          // a text may be in the address of a file
}

// NewDriver drives the sessions of an OpenCode of this version, whose clock is ahead of
// this one.
func NewDriver(e *call.Endpoint, version string, ahead time.Duration) *Driver {
	return &Driver{Endpoint: e, ahead: ahead, dataTexts: release.Since(version, 1, 16, 0)}
}

// In drives the sessions of another directory of the same process.
func (d *Driver) In(e *call.Endpoint) *Driver {
	return &Driver{Endpoint: e, ahead: d.ahead, dataTexts: d.dataTexts}
}

// SessionInfo is a session as OpenCode writes it.
type SessionInfo struct {
	ID        string `json:"id"`
	ParentID  string `json:"parentID"`
	Title     string `json:"title"`
	Directory string `json:"directory"`
	Time      struct {
		Updated  float64 `json:"updated"`  // milliseconds
		Archived float64 `json:"archived"` // the same; absent: it is not
	} `json:"time"`
}

// GivenTitle is the session's title, or nothing while it has only the one that
// OpenCode gives to every new session ("New session - 2026-…").
func (s SessionInfo) GivenTitle() string {
	if strings.HasPrefix(s.Title, "New session - ") || strings.HasPrefix(s.Title, "Child session - ") {
		return ""
	}
	return s.Title
}

// Named is the part of it that stays: its names, and where it is.
func (s SessionInfo) Named() session.Session {
	return session.Session{ID: session.ID(s.ID), Parent: session.ID(s.ParentID), Title: s.GivenTitle(), Directory: s.Directory}
}

func (s SessionInfo) toSession(busy map[session.ID]bool) session.Session {
	named := s.Named()
	named.Updated, named.Busy = timeOf(s.Time.Updated), busy[named.ID]
	return named
}

// listSessions is how many sessions are read at least to find the newest ones: 1.1.53
// lists them by when they were made, not by when they were used.
const listSessions = 100

// Sessions lists the root sessions of the driver's directory, the one used last
// first, at most limit.
func (d *Driver) Sessions(ctx context.Context, limit int) ([]session.Session, error) {
	infos, err := d.newestSessions(ctx, max(limit, listSessions))
	if err != nil {
		return nil, err
	}
	busy, err := d.Busy(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]session.Session, 0, len(infos))
	for _, s := range infos {
		if s.ParentID == "" && d.isHere(s) {
			list = append(list, s.toSession(busy))
		}
	}
	slices.SortStableFunc(list, func(a, b session.Session) int { return b.Updated.Compare(a.Updated) })
	return list[:min(limit, len(list))], nil
}

func (d *Driver) newestSessions(ctx context.Context, limit int) ([]SessionInfo, error) {
	query := d.Endpoint.With("roots", "true")
	query.Set("limit", strconv.Itoa(limit))
	var list []SessionInfo
	err := d.Endpoint.Get(ctx, "sessions", "/session", query, &list)
	return list, notDriven(err)
}

// isHere reports whether a session is of the driver's directory. Not all versions list
// just those.
func (d *Driver) isHere(s SessionInfo) bool {
	own := d.Endpoint.Directory
	return own == "" || s.Directory == "" || s.Directory == own
}

// Session is one session, of any directory that this OpenCode can name. If there is
// none the error is NotFound and session.ErrNoSession.
func (d *Driver) Session(ctx context.Context, id session.ID) (session.Session, error) {
	s, err := d.Info(ctx, id)
	if err != nil {
		return session.Session{}, noSession(err)
	}
	busy, err := d.Busy(ctx)
	return s.toSession(busy), err
}

// Named is a session without what it does now. If there is none the error is NotFound.
func (d *Driver) Named(ctx context.Context, id session.ID) (session.Session, error) {
	s, err := d.Info(ctx, id)
	return s.Named(), err
}

// Info is what OpenCode writes of a session. If there is none the error is NotFound.
func (d *Driver) Info(ctx context.Context, id session.ID) (SessionInfo, error) {
	var s SessionInfo
	err := d.Endpoint.Get(ctx, "session", sessionPath(id), d.Endpoint.Query(), &s)
	return s, err
}

// Busy lists the sessions of the directory that work.
func (d *Driver) Busy(ctx context.Context) (map[session.ID]bool, error) {
	var sessions map[session.ID]struct{ Type string }
	err := d.Endpoint.Get(ctx, "session status", "/session/status", d.Endpoint.Query(), &sessions)
	busy := map[session.ID]bool{}
	for id, status := range sessions {
		busy[id] = status.Type == "busy" || status.Type == "retry"
	}
	return busy, err
}

// Create makes a session in the driver's directory, with OpenCode's own title if none
// is given. Done twice it makes two.
func (d *Driver) Create(ctx context.Context, title string) (session.Session, error) {
	body := map[string]string{}
	if title != "" {
		body["title"] = title
	}
	var made SessionInfo
	err := d.post(ctx, "create session", "/session", body, &made)
	return made.toSession(nil), err
}

// CreateOnce makes a session in the driver's directory, unless one was made there for the
// same moment, in whole milliseconds. The moment is in its title, which has the form that
// OpenCode gives to new sessions (measured on 1.1.53 and 1.18.33) and that the first prompt
// replaces: until then a session that was made can be told from one that was not.
func (d *Driver) CreateOnce(ctx context.Context, at time.Time) (session.Session, error) {
	title := "New session - " + at.UTC().Format("2006-01-02T15:04:05.000Z")
	if s, found, err := d.findTitle(ctx, title); found || err != nil {
		return s, err
	}
	made, err := d.Create(ctx, title)
	if err == nil {
		return made, nil
	}
	if s, found, _ := d.findTitle(ctx, title); found { // it was made, and the answer lost
		return s, nil
	}
	return session.Session{}, err
}

// findTitle looks for a session among the newest.
func (d *Driver) findTitle(ctx context.Context, title string) (session.Session, bool, error) {
	list, err := d.newestSessions(ctx, listSessions)
	for _, s := range list {
		if s.Title == title {
			return s.toSession(nil), true, nil
		}
	}
	return session.Session{}, false, err
}

// Abort stops the session's turn, one attempt. OpenCode says yes to any abort: whether
// the session is idle then must be looked up. On 1.18.33 the abort of a session whose
// subagent works ends the subagent, and the session continues.
func (d *Driver) Abort(ctx context.Context, id session.ID) error {
	if _, err := d.Info(ctx, id); err != nil {
		return noSession(err)
	}
	return d.post(ctx, "abort", sessionPath(id)+"/abort", nil, nil)
}

// post posts a JSON body, nil for none, and reads the answer unless into is nil.
func (d *Driver) post(ctx context.Context, op, path string, body, into any) error {
	return notDriven(d.Endpoint.Post(ctx, op, path, body, into))
}

// notDriven makes of a refusal by the plugin the domain's word for it.
func notDriven(err error) error {
	var e *call.Error
	if errors.As(err, &e) && call.IsForbidden(err) {
		return &call.Error{Op: e.Op, Reason: call.Refused, Err: session.ErrNotDriven}
	}
	return err
}

// noSession makes of a 404 for a session the domain's word for it.
func noSession(err error) error {
	if call.IsNotFound(err) {
		return &call.Error{Op: "session", Reason: call.NotFound, Status: http.StatusNotFound, Err: session.ErrNoSession}
	}
	return err
}

func sessionPath(id session.ID) string { return "/session/" + url.PathEscape(string(id)) }

func messagePath(s session.ID, m session.MessageID) string {
	return sessionPath(s) + "/message/" + url.PathEscape(string(m))
}

// timeOf is a time that OpenCode gives in milliseconds.
func timeOf(ms float64) time.Time { return time.UnixMilli(int64(ms)) }
