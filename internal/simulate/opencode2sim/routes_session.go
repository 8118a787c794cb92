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
func createSession(r *request) answer {
	id := r.ownID("ses")
	if ses := r.sim.disk.sessions[id]; ses != nil {
		return wrapped(ses.info)
	}
	n := newSession{id: id, dir: r.sim.opts.Home}
	if at, ok := r.body["location"].(data); ok {
		n.dir, _ = at["directory"].(string)
	}
	if !strings.HasPrefix(n.dir, "/") {
		panic(answer{Status: http.StatusInternalServerError})
	}
	n.agent = r.text("agent", false)
	if r.sim.opts.Shape == Release {
		n.title, _ = r.body["title"].(string)
	}
	n.model = r.model(false)
	return wrapped(r.sim.create(n).info)
}

func (r *request) model(required bool) *modelRef {
	value, given := r.body["model"]
	if !given && !required {
		return nil
	}
	m, _ := value.(data)
	provider, named := m["providerID"].(string)
	id, ok := m["id"].(string)
	if !named || !ok {
		panic(invalid())
	}
	variant, _ := m["variant"].(string)
	return &modelRef{ID: id, ProviderID: provider, Variant: variant}
}

func getSession(r *request) answer {
	return wrapped(r.session().info)
}

func deleteSession(r *request) answer {
	return r.with(func(ses *session) { r.sim.delete(ses) })
}

// interruptSession does nothing to an idle session (section 5). Release says whether
// there was a turn ([S]).
func interruptSession(r *request) answer {
	ses := r.session()
	busy := r.sim.active[ses.info.ID] != nil
	r.sim.interrupt(ses)
	if r.sim.opts.Shape == Release {
		return ok(data{"interrupted": busy})
	}
	return done()
}

// with answers 204 after a change of the session that the path names.
func (r *request) with(change func(*session)) answer {
	change(r.session())
	return done()
}

// activeSessions are those of every directory that are at work in this process.
func activeSessions(r *request) answer {
	active := data{}
	for id := range r.sim.active {
		active[id] = data{"type": "running"}
	}
	return wrapped(active)
}

// selectAgent and selectModel take any name (section 5, capture 06).
func selectAgent(r *request) answer {
	name := r.text("agent", true)
	return r.with(func(ses *session) {
		ses.agent, ses.info.Agent = name, name
		r.sim.disk.touch(ses)
		r.sim.bus.about(ses, "session.agent.selected", data{"agent": name})
	})
}

func selectModel(r *request) answer {
	ref := r.model(true)
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

// sessionCursor is where a page of sessions begins (capture 07). It carries what the
// first page was asked for.
type sessionCursor struct {
	ParentID  string        `json:"parentID,omitempty"`
	Directory string        `json:"directory,omitempty"`
	Anchor    sessionAnchor `json:"anchor"`
}

type sessionAnchor struct {
	ID        string `json:"id"`
	Time      int64  `json:"time"`
	Direction string `json:"direction"`
}

// listSessions: newest update first, fifty unless a limit says otherwise. The cursors
// are there whenever the page is not empty, also at the end (section 5, capture 07).
func listSessions(r *request) answer {
	query := r.URL.Query()
	limit := limitOf(query, 50)
	c := sessionCursor{ParentID: query.Get("parentID"), Directory: query.Get("directory")}
	if text := query.Get("cursor"); text != "" && !uncursor(text, &c) {
		panic(badCursor())
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
			c.Directory != "" && ses.dir() != c.Directory:
		default:
			found = append(found, ses)
		}
	}
	slices.SortStableFunc(found, func(a, b *session) int { return cmp.Compare(b.used, a.used) })
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

func limitOf(query url.Values, normal int) int {
	text := query.Get("limit")
	if text == "" {
		return normal
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		panic(invalid())
	}
	return n
}

func cursor(v any) string { return base64.RawURLEncoding.EncodeToString(inprocess.JSON(v)) }

func uncursor(text string, into any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(raw, into) == nil
}

func badCursor() answer {
	return tagged(http.StatusBadRequest, "InvalidCursorError", "Invalid cursor", nil)
}
