package relay

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	domain "hermes/internal/session"
	"hermes/opencode/link"
	"hermes/opencode/prompt"
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
	r, query, body, err := c.check(ctx, one)
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
func (c carrier) check(ctx context.Context, one link.Call) (r rule, query url.Values, body []byte, err error) {
	r, ok := findRule(one.Method, one.Path, c.driven)
	if !ok || one.Waits != nil {
		return r, nil, nil, errCall
	}
	b, err := r.body(one.Body)
	if err != nil {
		return r, nil, nil, refusedError(err.Error())
	}
	if one.Query[location] == "" && r.isLocated(one.Path) {
		return r, nil, nil, errDirectory
	}
	if query, err = c.checkQuery(ctx, r, one.Query); err != nil {
		return r, nil, nil, err
	}
	if b.directory != "" {
		err = c.checkDirectory(ctx, b.directory)
	}
	if b.command != nil {
		err = c.checkCommand(ctx, pathSession(one.Path), *b.command)
	}
	return r, query, b.json, err
}

func (c carrier) checkQuery(ctx context.Context, r rule, given map[string]string) (url.Values, error) {
	query := url.Values{}
	for name, value := range given {
		switch {
		case !slices.Contains(r.query, name):
			return nil, refusedError(notAllowed(name).Error())
		case isDirectory(name):
			if err := c.checkDirectory(ctx, value); err != nil {
				return nil, err
			}
		case !values[name].Match(value):
			return nil, refusedError(notAllowed(name).Error())
		}
		query.Set(name, value)
	}
	return query, nil
}

func (c carrier) checkDirectory(ctx context.Context, directory string) error {
	known, err := c.known.check(ctx, c.service, directory)
	if err == nil && !known {
		return errDirectory
	}
	return err
}

// checkCommand refuses a text that OpenCode would run or read: it puts it into the command's
// template and then looks at what has come of it. hermes has the same rules.
func (c carrier) checkCommand(ctx context.Context, id string, b newCommand) error {
	if domain.Expands(b.Arguments) {
		return errSigns
	}
	var of struct {
		Data struct {
			Location struct{ Directory string }
		}
	}
	if err := c.service.get(ctx, "/api/session/"+id, nil, &of); err != nil {
		return err
	}
	var all struct{ Data []any }
	if err := c.service.get(ctx, "/api/command", url.Values{location: {of.Data.Location.Directory}}, &all); err != nil {
		return err
	}
	n := slices.IndexFunc(all.Data, func(one any) bool {
		named, _ := one.(map[string]any)
		return named["name"] == b.Command
	})
	if n < 0 {
		return errNoCommand
	}
	if template, ok := templateOf(all.Data[n]); strings.TrimSpace(b.Arguments) == "" || ok && prompt.TakesText(template) {
		return nil
	}
	return errNoText
}

// result is what of an answer crosses. What is no JSON is the web page that OpenCode has for a
// path that it does not know: of that only its kind does.
func result(id string, r rule, got answer) link.Result {
	res := link.Result{ID: id, Status: got.status, Type: got.kind}
	if got.status == http.StatusNoContent || len(got.body) == 0 || !got.isJSON() {
		return res
	}
	if got.status >= http.StatusMultipleChoices {
		kept, _ := shape(refused).reduce(got.body) // of another form: its status says enough
		res.Body = string(kept)
		return res
	}
	kept, err := r.answer.reduce(got.body)
	switch {
	case err != nil:
		return link.Result{ID: id, Error: err.Error()}
	case len(kept) > maxResult:
		return link.Result{ID: id, Error: "OpenCode's answer is larger than some 4 MiB"}
	}
	res.Body = string(kept)
	return res
}
