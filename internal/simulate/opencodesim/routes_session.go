package opencodesim

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

func (s *Simulator) listSessions(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir := s.instanceFor(r).dir
	s.writeSessions(w, r, func(ses *session) bool { return ses.info.Directory == dir })
}

func (s *Simulator) allSessions(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writeSessions(w, r, func(*session) bool { return true })
}

// writeSessions lists the sessions that match, the latest first, with the filters
// roots, search and limit of the query. For 1.1.53 that is the one made last, for newer
// versions the one used last.
func (s *Simulator) writeSessions(w http.ResponseWriter, r *http.Request, match func(*session) bool) {
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
	writeJSON(w, http.StatusOK, list)
}

func (s *Simulator) createSession(w http.ResponseWriter, r *http.Request) {
	v, ok := s.is.body(w, r)
	if !ok {
		return
	}
	o, _ := v.(map[string]any)
	title, _ := o["title"].(string)
	parent, _ := o["parentID"].(string)
	agent, _ := o["agent"].(string)
	s.mu.Lock()
	defer s.mu.Unlock()
	ses := s.newSession(s.instanceFor(r), title, parent)
	ses.info.Agent = agent
	writeJSON(w, http.StatusOK, ses.info)
}

// withSession serves a route of one session under the lock, 404 if there is
// none. 1.1.53 looks only among those of the project that the request's
// directory belongs to, newer versions among all.
func (s *Simulator) withSession(w http.ResponseWriter, r *http.Request, serve func(*session)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.PathValue("session")
	ses := s.reachable(id, s.instanceFor(r))
	if ses == nil {
		s.is.sessionNotFound(w, id)
		return
	}
	serve(ses)
}

func (s *Simulator) reachable(id string, from *instance) *session {
	ses := s.sessions[id]
	if ses == nil || s.is.modern || ses.info.ProjectID == projectID(from.dir) {
		return ses
	}
	return nil
}

func (s *Simulator) getSession(w http.ResponseWriter, r *http.Request) {
	s.withSession(w, r, func(ses *session) { writeJSON(w, http.StatusOK, ses.info) })
}

func (s *Simulator) patchSession(w http.ResponseWriter, r *http.Request) {
	o, ok := s.is.object(w, r)
	if !ok {
		return
	}
	s.withSession(w, r, func(ses *session) {
		if title, ok := o["title"].(string); ok {
			ses.info.Title = title
		}
		s.touch(ses)
		writeJSON(w, http.StatusOK, ses.info)
	})
}

func (s *Simulator) deleteSession(w http.ResponseWriter, r *http.Request) {
	s.withSession(w, r, func(ses *session) {
		s.delete(ses)
		writeJSON(w, http.StatusOK, true)
	})
}

func (s *Simulator) childSessions(w http.ResponseWriter, r *http.Request) {
	s.withSession(w, r, func(ses *session) {
		list := []sessionInfo{}
		for _, child := range s.children(ses.info.ID) {
			list = append(list, child.info)
		}
		writeJSON(w, http.StatusOK, list)
	})
}

func (s *Simulator) abortSession(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.PathValue("session")
	s.abortFrom(s.instanceFor(r), id)
	writeJSON(w, http.StatusOK, true) // also for sessions that do not exist
}

// status lists the busy sessions of the instance; idle ones are absent.
func (s *Simulator) status(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]map[string]string{}
	for id := range s.instanceFor(r).busy {
		if ses := s.sessions[id]; ses == nil || !ses.v2 {
			all[id] = map[string]string{"type": "busy"}
		}
	}
	writeJSON(w, http.StatusOK, all)
}

func (s *Simulator) pathRoute(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir := s.instanceFor(r).dir
	writeJSON(w, http.StatusOK, map[string]string{
		"home": "/home/ada", "state": "/home/ada/.local/state/opencode",
		"config": "/home/ada/.config/opencode", "worktree": dir, "directory": dir,
	})
}

// projects lists one project for each directory that has sessions.
func (s *Simulator) projects(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	writeJSON(w, http.StatusOK, list)
}
