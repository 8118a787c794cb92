package opencodesim

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

func (s *Simulator) listSessions(r *http.Request) answer {
	dir := s.instanceFor(r).dir
	return s.sessionsOf(r, func(ses *session) bool { return ses.info.Directory == dir })
}

func (s *Simulator) allSessions(r *http.Request) answer {
	return s.sessionsOf(r, func(*session) bool { return true })
}

// sessionsOf lists the sessions that match, the latest first, with the filters
// roots, search and limit of the query. For 1.1.53 that is the one made last, for newer
// versions the one used last.
func (s *Simulator) sessionsOf(r *http.Request, match func(*session) bool) answer {
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("limit"))
	list, all := []sessionInfo{}, s.ordered()
	if s.is.modern {
		slices.SortStableFunc(all, func(a, b *session) int { return cmp.Compare(a.used, b.used) })
	}
	for _, ses := range slices.Backward(all) {
		switch {
		case !match(ses) || err == nil && len(list) >= limit:
		case q.Get("roots") == "true" && ses.info.ParentID != "":
		case !strings.Contains(strings.ToLower(ses.info.Title), strings.ToLower(q.Get("search"))):
		default:
			list = append(list, ses.info)
		}
	}
	return ok(list)
}

func (s *Simulator) createSession(r *http.Request) answer {
	var o struct{ Title, ParentID, Agent string }
	read(r, &o)
	ses := s.newSession(s.instanceFor(r), o.Title, o.ParentID)
	ses.info.Agent = o.Agent
	return ok(ses.info)
}

// session is the one that the path names, 404 if there is none. 1.1.53 looks only among
// those of the project that the request's directory belongs to, newer versions among all.
func (s *Simulator) session(r *http.Request) *session {
	id := r.PathValue("session")
	ses := s.reachable(id, s.instanceFor(r))
	if ses == nil {
		panic(s.is.sessionNotFound(id))
	}
	return ses
}

func (s *Simulator) reachable(id string, from *instance) *session {
	ses := s.sessions[id]
	if ses == nil || s.is.modern || ses.info.ProjectID == projectID(from.dir) {
		return ses
	}
	return nil
}

func (s *Simulator) getSession(r *http.Request) answer { return ok(s.session(r).info) }

func (s *Simulator) deleteSession(r *http.Request) answer {
	s.delete(s.session(r))
	return ok(true)
}

func (s *Simulator) childSessions(r *http.Request) answer {
	list := []sessionInfo{}
	for _, child := range s.children(s.session(r).info.ID) {
		list = append(list, child.info)
	}
	return ok(list)
}

func (s *Simulator) abortSession(r *http.Request) answer {
	s.abortFrom(s.instanceFor(r), r.PathValue("session"))
	return ok(true) // also for sessions that do not exist
}

// status lists the busy sessions of the instance; idle ones are absent.
func (s *Simulator) status(r *http.Request) answer {
	all := map[string]map[string]string{}
	for id := range s.instanceFor(r).busy {
		all[id] = map[string]string{"type": "busy"}
	}
	return ok(all)
}

func (s *Simulator) pathRoute(r *http.Request) answer {
	dir := s.instanceFor(r).dir
	return ok(map[string]string{
		"home": "/home/ada", "state": "/home/ada/.local/state/opencode",
		"config": "/home/ada/.config/opencode", "worktree": dir, "directory": dir,
	})
}

// projects lists one project for each directory that has sessions.
func (s *Simulator) projects(r *http.Request) answer {
	s.instanceFor(r)
	list, seen := []map[string]any{}, map[string]bool{}
	for _, ses := range s.ordered() {
		if dir := ses.info.Directory; !seen[dir] {
			seen[dir] = true
			list = append(list, map[string]any{
				"id": projectID(dir), "worktree": dir, "vcs": "git", "sandboxes": []string{},
				"time": map[string]int64{"created": ses.info.Time.Created, "updated": ses.info.Time.Updated},
			})
		}
	}
	return ok(list)
}
