package relay

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"hermes/internal/pattern"
)

// rule is one call that hermes may make: everything else is refused. A call's path, query and
// body are checked against what opencode/v2 sends, and its answer is reduced to what that reads.
type rule struct {
	method string
	path   pattern.Pattern
	query  []string // names that it may have
	body   body
	answer shape
	drives bool // only if hermes has said that people may drive sessions
}

// Ids are checked to the last character: one with a slash would reach other paths.
const (
	id         = `[A-Za-z0-9_-]{1,80}`
	sessionID  = `ses` + id
	ofSession  = `/api/session/` + sessionID
	anySession = `/api/session/(?:` + sessionID + `|global)` // global has the forms of MCP servers
	formID     = `frm` + id
	permitID   = `per` + id
	messageID  = `msg` + id
)

func get(path string, answer shape, query ...string) rule {
	return rule{method: http.MethodGet, path: pattern.Whole(path), query: query, body: none, answer: answer}
}

func post(path string, body body, answer shape, query ...string) rule {
	return rule{method: http.MethodPost, path: pattern.Whole(path), query: query, body: body, answer: answer}
}

func (r rule) driving() rule {
	r.drives = true
	return r
}

const location = "location[directory]"

// rules are all calls. The first ones list, look up and answer asks; the others drive sessions
// and show them. None runs a command line, reads or writes files or settings, or deletes
// anything but an open form.
var rules = []rule{
	get(`/api/form`, data(list(form)), location),         // the release
	get(`/api/form/request`, data(list(form)), location), // the preview
	get(`/api/permission/request`, data(list(permission)), location),
	get(`/api/session/active`, data(named(nothing))),
	get(ofSession, data(sessionInfo)),
	get(ofSession+`/message`, data(list(message)), "limit", "order"),
	get(ofSession+`/message/`+messageID, data(asking)),
	get(anySession+`/form/`+formID, data(formState), location),
	get(anySession+`/form/`+formID+`/state`, data(formState), location),
	get(ofSession+`/permission/`+permitID, data(plainFields("id").of)),
	post(anySession+`/form/`+formID+`/reply`, taken[formAnswer], nothing, location),
	post(anySession+`/form/`+formID+`/cancel`, none, nothing, location),
	{method: http.MethodDelete, path: pattern.Whole(anySession + `/form/` + formID), query: []string{location}, body: none, answer: nothing},
	post(ofSession+`/permission/`+permitID+`/reply`, taken[decision], nothing),

	get(`/api/session`, fields{"data": list(sessionInfo), "cursor": plainFields("next").of}.of, "limit", "parentID", "directory", "cursor").driving(),
	get(`/api/agent`, data(list(plainFields("id", "mode", "hidden").of)), location).driving(),
	get(`/api/model`, data(list(plainFields("providerID", "id", "enabled").of)), location).driving(),
	get(`/api/command`, data(list(command)), location).driving(),
	get(ofSession+`/inbox`, data(list(waiting))).driving(),
	get(ofSession+`/pending`, data(list(waiting))).driving(),
	get(ofSession+`/diff`, data(list(plainFields("file", "patch").of))).driving(),
	get(`/api/vcs/diff`, data(list(plainFields("file", "patch").of)), location, "mode").driving(),
	post(`/api/session`, taken[newSession], data(sessionInfo)).driving(),
	post(ofSession+`/prompt`, taken[newPrompt], nothing).driving(),
	post(ofSession+`/command`, taken[newCommand], nothing).driving(),
	post(ofSession+`/agent`, taken[agentChoice], nothing).driving(),
	post(ofSession+`/model`, taken[modelChoice], nothing).driving(),
	post(ofSession+`/interrupt`, none, nothing).driving(),
}

// findRule finds what allows a call; false: nothing does.
func findRule(method, path string, driven bool) (rule, bool) {
	for _, r := range rules {
		if r.method == method && r.path.Match(path) && (driven || !r.drives) {
			return r, true
		}
	}
	return rule{}, false
}

// isLocated reports whether a call is about a directory. One that does not name it would be about that of the service
// itself, a person's home, and begin to use that.
func (r rule) isLocated(path string) bool {
	return slices.Contains(r.query, location) && !strings.HasPrefix(path, "/api/session/ses")
}

// values are what a query may have besides directories, which are checked apart.
var values = map[string]pattern.Pattern{
	"limit":    pattern.Whole(`[0-9]{1,3}`),
	"order":    pattern.Whole(`desc`),
	"parentID": pattern.Whole(`null`),
	"mode":     pattern.Whole(`working`),
	"cursor":   pattern.Whole(`[A-Za-z0-9_=+/.~-]{1,1000}`),
}

// isDirectory reports whether a value of a query names a directory.
func isDirectory(name string) bool { return name == location || name == "directory" }

// body checks the body of a call. It gives what is sent: what was checked, written anew, so that
// OpenCode reads nothing else in it.
type body func(raw json.RawMessage) (sent, error)

// sent is the body of a call. What is not set it does not have.
type sent struct {
	json      json.RawMessage // nil: none
	command   *newCommand
	directory string // that it names
}
