package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	domain "hermes/internal/session"
	"hermes/opencode/link"
)

// refusedError says that a call is not made, and never will be.
type refusedError string

func (e refusedError) Error() string { return string(e) }

const (
	errCall      refusedError = "hermes link run does not allow this call"
	errDirectory refusedError = "the OpenCode service has no session in this directory"
	errSigns     refusedError = "hermes link run gives commands no text with ` ! @ or $: OpenCode may run or read what stands there"
	errNoCommand refusedError = "this OpenCode does not have this command"
	errNoText    refusedError = "hermes link run gives this command no text: OpenCode would run it, or read the file that it names"
)

// carrier carries hermes' calls to a service.
type carrier struct {
	service *connected
	known   *directories
	driven  bool // hermes has said that people may drive sessions
}

// carryOut makes a call, if it may be made. OpenCode may have had it though it gave no answer.
func (c carrier) carryOut(ctx context.Context, one link.Call) link.Result {
	r, ok := findRule(one.Method, one.Path, c.driven)
	err := error(errCall)
	var query url.Values
	var body map[string]any
	if ok {
		query, body, err = c.check(ctx, r, one)
	}
	var no refusedError
	switch {
	case errors.As(err, &no):
		return link.Result{ID: one.ID, Error: no.Error(), Refused: true}
	case err != nil:
		return link.Result{ID: one.ID, Error: short(err), Unsent: true}
	}
	got, err := c.service.ask(ctx, one.Method, one.Path, query, body)
	if err != nil {
		return link.Result{ID: one.ID, Error: short(err)}
	}
	return result(one.ID, r, got)
}

// short is an error as hermes is told it.
func short(err error) string {
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), 300)], "")
}

// check gives what is sent. Of a refusedError hermes must not ask again.
func (c carrier) check(ctx context.Context, r rule, one link.Call) (url.Values, map[string]any, error) {
	body, err := r.body.read(one.Body)
	if err != nil {
		return nil, nil, err
	}
	query := url.Values{}
	for name, value := range one.Query {
		if !slices.Contains(r.query, name) || !isDirectory(name) && (len(value) > maxQuery || !values[name].MatchString(value)) {
			return nil, nil, refusedError(fmt.Sprintf("hermes link run does not allow this value of %.40q", name))
		}
		query.Set(name, value)
	}
	for _, directory := range r.directories(one, body) {
		if known, err := c.known.check(ctx, c.service, directory); err != nil || !known {
			return nil, nil, cmp.Or(err, error(errDirectory))
		}
	}
	if session, ok := strings.CutSuffix(one.Path, "/command"); ok && one.Method == http.MethodPost {
		err = c.checkCommand(ctx, session, body)
	}
	return query, body, err
}

// checkCommand refuses a text that OpenCode would run or read: it puts it into the command's
// template and then looks at what has come of it. hermes has the same rules. session is the session's path.
func (c carrier) checkCommand(ctx context.Context, session string, body map[string]any) error {
	text, _ := body["arguments"].(string)
	switch {
	case body["name"] != body["command"] || body["text"] != body["arguments"]: // the two names of each
		return errContent
	case domain.Expands(text):
		return errSigns
	}
	var of struct {
		Data struct {
			Location struct{ Directory string }
		}
	}
	if err := c.service.Get(ctx, "session", session, nil, &of); err != nil {
		return err
	}
	var all struct{ Data []map[string]any }
	if err := c.service.Get(ctx, "commands", "/api/command", url.Values{location: {of.Data.Location.Directory}}, &all); err != nil {
		return err
	}
	n := slices.IndexFunc(all.Data, func(one map[string]any) bool { return one["name"] == body["command"] })
	switch {
	case n < 0 || body["command"] == nil:
		return errNoCommand
	case strings.TrimSpace(text) != "" && !takesText(all.Data[n]):
		return errNoText
	}
	return nil
}

// maxDirectories bounds how many directories are remembered.
const maxDirectories = 1000

// directories are those in which the service has sessions. hermes may name no other: a directory that is
// named begins to be used, its plugins and MCP servers too. Safe for concurrent use.
type directories struct {
	mu    sync.Mutex
	known map[string]bool
}

func (d *directories) add(directory string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) >= maxDirectories {
		d.known = map[string]bool{}
	}
	d.known[directory] = true
}

// check reports whether the service has a session in a directory. It asks for the sessions
// there, which begins to use nothing.
func (d *directories) check(ctx context.Context, c *connected, directory string) (bool, error) {
	d.mu.Lock()
	known := d.known[directory]
	d.mu.Unlock()
	if known || directory == "" {
		return known, nil
	}
	var list struct {
		Data []struct {
			Location struct{ Directory string }
		}
	}
	err := c.Get(ctx, "sessions", "/api/session", url.Values{"directory": {directory}, "limit": {"1"}}, &list)
	if err != nil || len(list.Data) == 0 || list.Data[0].Location.Directory != directory {
		return false, err
	}
	d.add(directory)
	return true, nil
}

// result is what of an answer crosses. What is no JSON is the web page that OpenCode has for a
// path that it does not know: of that only its kind does.
func result(id string, r rule, got answer) link.Result {
	res := link.Result{ID: id, Status: got.status, Type: got.kind}
	kind, _, err := mime.ParseMediaType(got.kind)
	if got.status == http.StatusNoContent || len(got.body) == 0 || err != nil || kind != "application/json" {
		return res
	}
	keep := r.answer
	if got.status >= http.StatusMultipleChoices {
		keep = refused
	}
	kept, err := keep.reduce(got.body)
	switch {
	case err != nil && got.status < http.StatusMultipleChoices: // else its status says enough
		return link.Result{ID: id, Error: err.Error()}
	case len(kept) > maxResult:
		return link.Result{ID: id, Error: "OpenCode's answer is larger than some 4 MiB"}
	}
	res.Body = string(kept)
	return res
}
