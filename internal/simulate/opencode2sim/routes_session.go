package opencode2sim

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hermes/internal/simulate/inprocess"
)

// createSession makes a session; the id of one that is there gives that one, whatever
// else is said (section 5, capture 06).
func createSession(r *request) (answer, *fail) {
	id, f := r.text("id", false)
	if f == nil && id != "" {
		f = prefixed("Payload", "ses", id, "id")
	}
	if f != nil {
		return no(f)
	}
	if ses := r.sim.disk.sessions[id]; ses != nil {
		return wrapped(ses.info)
	}
	n := newSession{id: id, dir: r.sim.opts.Home}
	if at, ok := r.object()["location"].(data); ok {
		n.dir, _ = at["directory"].(string)
	}
	if !strings.HasPrefix(n.dir, "/") {
		return no(&fail{status: http.StatusInternalServerError})
	}
	if n.agent, f = r.text("agent", false); f != nil {
		return no(f)
	}
	if r.sim.opts.Shape == Release {
		n.title, _ = r.text("title", false)
	}
	if n.model, f = r.model(false); f != nil {
		return no(f)
	}
	return wrapped(r.sim.runner.create(n).info)
}

func (r *request) model(required bool) (*modelRef, *fail) {
	value, given := r.object()["model"]
	m, ok := value.(data)
	switch {
	case !given && !required:
		return nil, nil
	case !given:
		return nil, missing("model")
	case !ok:
		return nil, expected("Model.Ref", value, "model")
	}
	var ref modelRef
	for _, part := range []struct {
		key string
		to  *string
	}{{"providerID", &ref.ProviderID}, {"id", &ref.ID}} {
		text, ok := m[part.key].(string)
		if !ok {
			return nil, missing("model", part.key)
		}
		*part.to = text
	}
	ref.Variant, _ = m["variant"].(string)
	return &ref, nil
}

func getSession(r *request) (answer, *fail) {
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	return wrapped(ses.info)
}

func deleteSession(r *request) (answer, *fail) {
	return r.with(func(ses *session) { r.sim.runner.cuts.delete(ses) })
}

// interruptSession does nothing to an idle session (section 5). Release says whether
// there was a turn ([S]).
func interruptSession(r *request) (answer, *fail) {
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	busy := r.sim.runner.active[ses.info.ID] != nil
	r.sim.runner.cuts.interrupt(ses)
	if r.sim.opts.Shape == Release {
		return ok(data{"interrupted": busy})
	}
	return done()
}

// with answers 204 after a change of the session that the path names.
func (r *request) with(change func(*session)) (answer, *fail) {
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	change(ses)
	return done()
}

// activeSessions are those of every directory that are at work in this process.
func activeSessions(r *request) (answer, *fail) {
	active := data{}
	for id := range r.sim.runner.active {
		active[id] = data{"type": "running"}
	}
	return wrapped(active)
}

func renameSession(r *request) (answer, *fail) {
	title, f := r.text("title", true)
	if f != nil {
		return no(f)
	}
	return r.with(func(ses *session) { r.sim.runner.rename(ses, title) })
}

// viewSession marks what a session came to as seen (section 5, [S]).
func viewSession(r *request) (answer, *fail) {
	idle, ok := r.object()["idle"].(float64)
	if !ok {
		return no(missing("idle"))
	}
	return r.with(func(ses *session) { ses.info.Time.Viewed = int64(idle) })
}

// selectAgent and selectModel take any name (section 5, capture 06).
func selectAgent(r *request) (answer, *fail) {
	name, f := r.text("agent", true)
	if f != nil {
		return no(f)
	}
	return r.with(func(ses *session) {
		ses.agent, ses.info.Agent = name, name
		r.sim.disk.touch(ses)
		r.sim.bus.about(ses, "session.agent.selected", data{"agent": name})
	})
}

func selectModel(r *request) (answer, *fail) {
	ref, f := r.model(true)
	if f != nil {
		return no(f)
	}
	return r.with(func(ses *session) {
		ses.model = ref
		kept := *ref
		if kept.Variant == "" {
			kept.Variant = "default"
		}
		ses.info.Model = &kept
		r.sim.disk.touch(ses)
		r.sim.bus.about(ses, "session.model.selected", data{"model": *ref})
	})
}

func forkSession(r *request) (answer, *fail) {
	message, f := r.text("messageID", false)
	if f == nil && r.sim.opts.Shape == Release {
		message, f = r.text("before", false)
	}
	if f != nil {
		return no(f)
	}
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	return wrapped(r.sim.runner.fork(ses, message).info)
}

// sessionCursor is where a page of sessions begins (capture 07). It carries what the
// first page was asked for.
type sessionCursor struct {
	ParentID  string        `json:"parentID,omitempty"`
	Directory string        `json:"directory,omitempty"`
	Search    string        `json:"search,omitempty"`
	Order     string        `json:"order,omitempty"`
	Anchor    sessionAnchor `json:"anchor"`
}

type sessionAnchor struct {
	ID        string `json:"id"`
	Time      int64  `json:"time"`
	Direction string `json:"direction"`
}

// listSessions: newest update first, fifty unless a limit says otherwise. The cursors
// are there whenever the page is not empty, also at the end (section 5, capture 07).
func listSessions(r *request) (answer, *fail) {
	query := r.URL.Query()
	limit, f := limitOf(query, 50)
	if f != nil {
		return no(f)
	}
	c := sessionCursor{
		ParentID: query.Get("parentID"), Directory: query.Get("directory"), Search: query.Get("search"), Order: query.Get("order"),
	}
	if text := query.Get("cursor"); text != "" && !uncursor(text, &c) {
		return no(badCursor())
	}
	if c.Order != "" && c.Order != "asc" && c.Order != "desc" {
		return no(invalid("Query", "Expected \"asc\" | \"desc\", got "+show(c.Order)+"\n  at [\"order\"]"))
	}
	page := pageOf(r.sim.disk.matching(c), limit, c.Anchor.Direction, func(ses *session) bool { return ses.info.ID == c.Anchor.ID })
	infos := []sessionInfo{}
	for _, ses := range page {
		infos = append(infos, ses.info)
	}
	cursors := data{"previous": nil, "next": nil}
	if len(page) > 0 {
		cursors["previous"] = c.at(page[0], "previous")
		cursors["next"] = c.at(page[len(page)-1], "next")
	}
	return ok(data{"data": infos, "cursor": cursors})
}

func (c sessionCursor) at(ses *session, direction string) string {
	c.Anchor = sessionAnchor{ses.info.ID, ses.info.Time.Updated, direction}
	return cursor(c)
}

func (d *disk) matching(c sessionCursor) []*session {
	var found []*session
	for _, ses := range d.ordered() {
		switch {
		case c.ParentID == "null" && ses.info.ParentID != "", c.ParentID != "null" && c.ParentID != "" && ses.info.ParentID != c.ParentID,
			c.Directory != "" && ses.dir() != c.Directory,
			!strings.Contains(strings.ToLower(ses.info.Title), strings.ToLower(c.Search)):
		default:
			found = append(found, ses)
		}
	}
	slices.SortStableFunc(found, func(a, b *session) int { return cmp.Compare(b.used, a.used) })
	if c.Order == "asc" {
		slices.Reverse(found)
	}
	return found
}

// pageOf cuts a page out of a list, after or before the anchor of a cursor.
func pageOf[T any](all []T, limit int, direction string, isAnchor func(T) bool) []T {
	i := slices.IndexFunc(all, isAnchor)
	switch {
	case direction == "previous" && i >= 0:
		all = all[:i]
		return all[max(0, len(all)-limit):]
	case direction == "next" && i >= 0:
		all = all[i+1:]
	}
	return all[:min(limit, len(all))]
}

func limitOf(query url.Values, normal int) (int, *fail) {
	text := query.Get("limit")
	if text == "" {
		return normal, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, invalid("Query", "Expected a number, got "+show(text)+"\n  at [\"limit\"]")
	case n < 1:
		return 0, invalid("Query", "Expected a value greater than 0, got "+text+"\n  at [\"limit\"]")
	}
	return n, nil
}

func cursor(v any) string { return base64.RawURLEncoding.EncodeToString(inprocess.JSON(v)) }

func uncursor(text string, into any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(raw, into) == nil
}

func badCursor() *fail {
	return tagged(http.StatusBadRequest, "InvalidCursorError", "Invalid cursor", nil)
}
