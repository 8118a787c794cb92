package opencodesim

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// doTodos makes the todowrite call of a script, which asks for nothing.
func (s *Simulator) doTodos(t *turn, args json.RawMessage) {
	var in struct {
		Todos []map[string]any `json:"todos"`
	}
	_ = json.Unmarshal(args, &in) // what is not there is empty
	t.ses.todos = in.Todos
	c := s.openCall(t, "todowrite", args, func(*call) {})
	s.bus.publish(t.inst.dir, "todo.updated", map[string]any{"sessionID": t.ses.info.ID, "todos": in.Todos})
	raw, _ := json.MarshalIndent(in.Todos, "", "  ")
	s.complete(c, fmt.Sprintf("%d todos", len(in.Todos)), string(raw), map[string]any{"todos": in.Todos})
}

// listTodos: of a session that does not exist 1.1.53 gives an empty list.
func (s *Simulator) listTodos(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	ses := s.reachable(r.PathValue("session"), s.instanceFor(r))
	list := []map[string]any{}
	if ses != nil {
		list = append(list, ses.todos...)
	}
	s.mu.Unlock()
	if ses == nil && s.is.modern {
		s.is.sessionNotFound(w, r.PathValue("session"))
		return
	}
	writeJSON(w, http.StatusOK, list)
}

// diffsOf is what a call that was carried out changed.
func (is behaviour) diffsOf(c *call, u toolUse) []fileDiff {
	if u.tool != "edit" && u.tool != "write" || len(u.makes) == 0 {
		return nil
	}
	gone, come := linesOf(u.before), linesOf(u.after)
	d := fileDiff{
		File: relative(c.turn.inst.dir, u.makes[0]), Additions: len(come), Deletions: len(gone), Status: "modified",
	}
	if u.before == "" {
		d.Status = "added"
	}
	if is.modern {
		d.Patch = diff(d.File, u.before, u.after)
	} else {
		d.Before, d.After = &u.before, &u.after
	}
	return []fileDiff{d}
}
