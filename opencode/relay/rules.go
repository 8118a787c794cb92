package relay

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"hermes/opencode/link"
)

// rule is one call that hermes may make: everything else is refused. Of its path, query and body all is named that opencode/v2 sends,
// and its answer is reduced to what that reads.
type rule struct {
	method string
	path   *regexp.Regexp
	query  []string // names that it may have
	body   body     // nil: it has none
	answer shape
	drives bool // only if hermes has said that people may drive sessions
}

// Ids are checked to the last character: one with a slash would reach other paths. They have at most maxID letters.
const (
	maxID      = 83
	id         = `[A-Za-z0-9_-]+`
	sessionID  = `ses` + id
	ofSession  = `/api/session/` + sessionID
	anySession = `/api/session/(?:` + sessionID + `|global)` // global has the forms of MCP servers
	formID     = `frm` + id
	permitID   = `per` + id
	messageID  = `msg` + id
)

func exactly(path string) *regexp.Regexp { return regexp.MustCompile(`^` + path + `$`) }

func get(path string, answer shape, query ...string) rule {
	return rule{method: http.MethodGet, path: exactly(path), query: query, answer: answer}
}

func post(path string, body body, answer shape, query ...string) rule {
	return rule{method: http.MethodPost, path: exactly(path), query: query, body: body, answer: answer}
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
	get(`/api/form`, data(form), location),         // the release
	get(`/api/form/request`, data(form), location), // the preview
	get(`/api/permission/request`, data(permission), location),
	get(`/api/session/active`, data(working)),
	get(ofSession, data(sessionInfo)),
	get(ofSession+`/message`, data(message.with(fields{"content": parts}).of), "limit", "order"),
	get(ofSession+`/message/`+messageID, data(message.with(fields{"content": asking.of}).of)),
	get(anySession+`/form/`+formID, data(formState), location),
	get(anySession+`/form/`+formID+`/state`, data(formState), location),
	get(ofSession+`/permission/`+permitID, data(only("id").of)),
	post(anySession+`/form/`+formID+`/reply`, body{"answer": isObject}, nothing, location),
	post(anySession+`/form/`+formID+`/cancel`, nil, nothing, location),
	{method: http.MethodDelete, path: exactly(anySession + `/form/` + formID), query: []string{location, "message"}, answer: nothing},
	post(ofSession+`/permission/`+permitID+`/reply`, body{"reply": isWord, "decision": isWord, "message": isText}, nothing),

	get(`/api/session`, fields{"data": sessionInfo, "cursor": only("next").of}.of, "limit", "parentID", "directory", "cursor").driving(),
	get(`/api/agent`, data(only("id mode hidden").of), location).driving(),
	get(`/api/model`, data(only("providerID id enabled").of), location).driving(),
	get(`/api/command`, data(command), location).driving(),
	get(ofSession+`/inbox`, data(waiting)).driving(),
	get(ofSession+`/pending`, data(waiting)).driving(),
	get(ofSession+`/diff`, data(only("file patch").of)).driving(),
	get(`/api/vcs/diff`, data(only("file patch").of), location, "mode").driving(),
	post(`/api/session`, body{"id": isID, "location": body{"directory": isText}.fits}, data(sessionInfo)).driving(),
	post(ofSession+`/prompt`, body{"id": isID, "text": isText, "files": all(body{"uri": isFile, "name": isText}.fits), "agents": all(body{"name": isName}.fits), "resume": isFlag}, nothing).driving(),
	post(ofSession+`/command`, body{"id": isID, "command": isName, "arguments": isText, "name": isName, "text": isText}, nothing).driving(),
	post(ofSession+`/agent`, body{"agent": isName}, nothing).driving(),
	post(ofSession+`/model`, body{"model": body{"providerID": isName, "id": isName}.fits}, nothing).driving(),
	post(ofSession+`/interrupt`, nil, nothing).driving(),
}

// findRule finds what allows a call; false: nothing does.
func findRule(method, path string, driven bool) (rule, bool) {
	if slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return len(part) > maxID }) {
		return rule{}, false
	}
	for _, r := range rules {
		if r.method == method && r.path.MatchString(path) && (driven || !r.drives) {
			return r, true
		}
	}
	return rule{}, false
}

// directories are those that a call is about. One that must name its directory and does not would be about that of the
// service itself, a person's home, and begin to use that: it has an empty one.
func (r rule) directories(one link.Call, body map[string]any) (all []string) {
	for name, value := range one.Query {
		if isDirectory(name) {
			all = append(all, value)
		}
	}
	switch {
	case one.Method == http.MethodPost && one.Path == "/api/session":
		place, _ := body["location"].(map[string]any)
		directory, _ := place["directory"].(string)
		all = append(all, directory)
	case slices.Contains(r.query, location) && !strings.HasPrefix(one.Path, "/api/session/ses"):
		all = append(all, one.Query[location])
	}
	return all
}

const maxQuery = 1000

// values are what a query may have besides directories, which are checked apart; none has more than maxQuery letters.
var values = map[string]*regexp.Regexp{
	"limit":    regexp.MustCompile(`^[0-9]{1,3}$`),
	"order":    regexp.MustCompile(`^desc$`),
	"parentID": regexp.MustCompile(`^null$`),
	"mode":     regexp.MustCompile(`^working$`),
	"cursor":   regexp.MustCompile(`^[A-Za-z0-9_=+/.~-]+$`),
	"message":  regexp.MustCompile(`(?s)^.+$`), // why a form is dismissed; a tap gives none
}

// isDirectory reports whether a value of a query names a directory.
func isDirectory(name string) bool { return name == location || name == "directory" }

// body is a JSON object that a call may have, and what each of its fields may be. It has no others.
type body map[string]func(value any) bool

// fits reports whether a value is one.
func (b body) fits(value any) bool {
	object, ok := value.(map[string]any)
	for name, one := range object {
		if check := b[name]; check == nil || !check(one) {
			return false
		}
	}
	return ok
}

// errContent: the body of a call is not one that hermes sends.
const errContent refusedError = "hermes link run does not allow this call's content"

// read reads a body. What was checked is sent, written anew: two programs may read one JSON differently.
func (b body) read(raw json.RawMessage) (map[string]any, error) {
	if len(raw) == 0 || string(raw) == "null" {
		if b != nil {
			return nil, errContent
		}
		return nil, nil
	}
	var object map[string]any
	if !json.Valid(raw) || decode(raw, &object) != nil || b == nil || !b.fits(object) {
		return nil, errContent
	}
	return object, nil
}

var (
	isName = matches(`^[^\x00-\x1f\x7f]{1,200}$`) // of agents, models and commands
	isID   = matches(`^(?:ses|msg)[A-Za-z0-9_-]{1,80}$`)
	isWord = matches(`^(?:once|always|reject)$`)
	// A file must be in its address: OpenCode would read any other from this machine.
	isFile = matches(`^data:[a-z0-9.+-]+/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]*={0,2}$`)
)

func matches(form string) func(any) bool {
	compiled := regexp.MustCompile(form)
	return func(value any) bool {
		text, ok := value.(string)
		return ok && compiled.MatchString(text)
	}
}

func isText(value any) bool {
	_, ok := value.(string)
	return ok
}

func isFlag(value any) bool {
	_, ok := value.(bool)
	return ok
}

func isObject(value any) bool {
	_, ok := value.(map[string]any)
	return ok
}

// all is for lists: each of their values passes.
func all(check func(any) bool) func(any) bool {
	return func(value any) bool {
		list, ok := value.([]any)
		return ok && !slices.ContainsFunc(list, func(one any) bool { return !check(one) })
	}
}
