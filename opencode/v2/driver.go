package v2

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hermes/internal/recent"
	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/prompt"
)

// Driver drives the sessions of an OpenCode 2. What it makes and lists is of the endpoint's
// directory, or of all of them if that names none; a session that is named is found wherever it
// is. It is safe for concurrent use.
type Driver struct {
	Endpoint *call.Endpoint
	taken    *takenPrompts
}

// NewDriver drives the sessions of an OpenCode.
func NewDriver(e *call.Endpoint) *Driver {
	return &Driver{Endpoint: e, taken: &takenPrompts{ids: recent.New[session.MessageID, bool](maxTaken)}}
}

// In drives the sessions of another directory of the same process.
func (d *Driver) In(e *call.Endpoint) *Driver { return &Driver{Endpoint: e, taken: d.taken} }

// maxTaken bounds how many prompts are remembered.
const maxTaken = 1000

// takenPrompts are the prompts that OpenCode said it took. Safe for concurrent use; nothing
// survives a restart of hermes.
type takenPrompts struct {
	mu  sync.Mutex
	ids *recent.Map[session.MessageID, bool]
}

func (t *takenPrompts) add(id session.MessageID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids.Add(id, true)
}

func (t *takenPrompts) has(id session.MessageID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.ids.Peek(id)
	return ok
}

// sessionInfo is a session as OpenCode writes it.
type sessionInfo struct {
	ID        string   `json:"id"`
	ParentID  string   `json:"parentID"`
	ProjectID string   `json:"projectID"`
	Title     string   `json:"title"`
	Agent     string   `json:"agent"`
	Model     modelRef `json:"model"`
	Location  struct {
		Directory string `json:"directory"`
	} `json:"location"`
	Time struct {
		Updated float64 `json:"updated"` // milliseconds
	} `json:"time"`
}

// givenTitle is a session's title, or nothing while it has only the one that OpenCode gives to
// every new session ("New session - 2026-…"). A small model gives it another one after its
// first turn.
func givenTitle(title string) string {
	if strings.HasPrefix(title, "New session - ") {
		return ""
	}
	return title
}

func (s sessionInfo) toSession(active map[session.ID]bool) session.Session {
	id := session.ID(s.ID)
	return session.Session{
		ID: id, Parent: session.ID(s.ParentID), Title: givenTitle(s.Title), Directory: s.Location.Directory,
		Project: s.ProjectID, Updated: timeOf(s.Time.Updated), Busy: active[id],
	}
}

// timeOf is a time that OpenCode gives in milliseconds.
func timeOf(ms float64) time.Time { return time.UnixMilli(int64(ms)) }

// pageSize is how many sessions are read at once at most, and maxPages how often.
const (
	pageSize = 100
	maxPages = 20
)

// Sessions lists the root sessions, the one used last first, at most limit.
func (d *Driver) Sessions(ctx context.Context, limit int) ([]session.Session, error) {
	infos, err := d.rootSessions(ctx, limit)
	if err != nil {
		return nil, err
	}
	active, err := d.Busy(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]session.Session, 0, len(infos))
	for _, s := range infos {
		list = append(list, s.toSession(active))
	}
	slices.SortStableFunc(list, func(a, b session.Session) int { return b.Updated.Compare(a.Updated) })
	return list[:min(limit, len(list))], nil
}

// rootSessions reads page after page until there are as many as were asked for. The cursor of
// the next page has the other conditions in it, and the last page has one too.
func (d *Driver) rootSessions(ctx context.Context, limit int) ([]sessionInfo, error) {
	var all []sessionInfo
	size := min(max(limit, 1), pageSize)
	query := url.Values{"limit": {strconv.Itoa(size)}, "parentID": {"null"}}
	if d.Endpoint.Directory != "" {
		query.Set("directory", d.Endpoint.Directory)
	}
	for range maxPages {
		var page struct {
			Data   []sessionInfo `json:"data"`
			Cursor struct {
				Next string `json:"next"`
			} `json:"cursor"`
		}
		if err := d.Endpoint.Get(ctx, "sessions", "/api/session", query, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		if len(page.Data) < size || len(all) >= limit || page.Cursor.Next == "" {
			break
		}
		query = url.Values{"limit": {strconv.Itoa(size)}, "cursor": {page.Cursor.Next}}
	}
	return all, nil
}

// Session is one session, of any directory. If there is none the error is NotFound and
// session.ErrNoSession.
func (d *Driver) Session(ctx context.Context, id session.ID) (session.Session, error) {
	s, err := d.info(ctx, id)
	if err != nil {
		return session.Session{}, err
	}
	active, err := d.Busy(ctx)
	return s.toSession(active), err
}

// Named is a session without what it does now. If there is none the error is NotFound.
func (d *Driver) Named(ctx context.Context, id session.ID) (session.Session, error) {
	s, err := d.info(ctx, id)
	return s.toSession(nil), err
}

func (d *Driver) info(ctx context.Context, id session.ID) (sessionInfo, error) {
	var read struct{ Data sessionInfo }
	err := d.Endpoint.Get(ctx, "session", sessionPath(id), nil, &read)
	return read.Data, noSession(err)
}

// Busy lists the sessions that work, or wait for a person, in all directories.
func (d *Driver) Busy(ctx context.Context) (map[session.ID]bool, error) {
	var list struct{ Data map[session.ID]any }
	err := d.Endpoint.Get(ctx, "active sessions", "/api/session/active", nil, &list)
	active := map[session.ID]bool{}
	for id := range list.Data {
		active[id] = true
	}
	return active, err
}

// CreateOnce makes a session in the driver's directory, unless one was made there for the same
// moment, in whole milliseconds. The session's id is made of both: OpenCode gives the session
// that it has if it is asked for it again.
func (d *Driver) CreateOnce(ctx context.Context, at time.Time) (session.Session, error) {
	body := map[string]any{"id": prompt.NewSessionID(at, d.Endpoint.Directory)}
	if d.Endpoint.Directory != "" {
		body["location"] = map[string]string{"directory": d.Endpoint.Directory}
	}
	var made struct{ Data sessionInfo }
	err := d.Endpoint.Decode(ctx, call.Post("create session", "/api/session", nil, body), func(answer []byte) error {
		return json.Unmarshal(answer, &made)
	})
	return made.Data.toSession(nil), err
}

// Abort interrupts the session's turn, one attempt. OpenCode says yes for an idle one, too. A
// subagent's turn ends alone, and that of the session that called it continues.
func (d *Driver) Abort(ctx context.Context, id session.ID) error {
	return noSession(d.Endpoint.Do(ctx, call.Post("interrupt", sessionPath(id)+"/interrupt", nil, nil)))
}

// noSession makes of a 404 for a session the domain's word for it.
func noSession(err error) error {
	if call.IsNotFound(err) {
		return &call.Error{Op: "session", Reason: call.NotFound, Status: http.StatusNotFound, Err: session.ErrNoSession}
	}
	return err
}

func refusal(op string, why error) error {
	return &call.Error{Op: op, Reason: call.Refused, Status: http.StatusBadRequest, Err: fmt.Errorf("%w", why)}
}
