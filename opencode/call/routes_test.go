package call_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"hermes/opencode/call"
)

// answer is what a server gives to a path; one that is not there has no route.
type answer struct {
	status int
	body   string
}

// server answers by path, and notes what is called.
type server struct {
	answers map[string]answer
	called  []string
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	s.called = append(s.called, r.Method+" "+r.URL.Path)
	a, ok := s.answers[r.Method+" "+r.URL.Path]
	kind := "application/json"
	switch {
	case !ok:
		a.status = http.StatusNotFound
	case strings.HasPrefix(a.body, "<"):
		kind = "text/html"
	}
	return &http.Response{
		StatusCode: a.status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(a.body)),
	}, nil
}

// The bodies are those of a preview of 2.0 (captures 01, 03 and 04).
const gone = `{"_tag":"FormNotFoundError","id":"frm_1","message":"Form not found: frm_1"}`

func TestRoutes_OtherOne(t *testing.T) {
	for name, test := range map[string]struct {
		answers map[string]answer
		calls   string // of two times
		tag     string
		ok      bool
	}{
		"the first":          {map[string]answer{"DELETE /form": {204, ""}}, "DELETE /form, DELETE /form", "", true},
		"the other":          {map[string]answer{"POST /cancel": {204, ""}}, "DELETE /form, POST /cancel, POST /cancel", "", true},
		"a page instead":     {map[string]answer{"DELETE /form": {200, "<html>"}, "POST /cancel": {204, ""}}, "DELETE /form, POST /cancel, POST /cancel", "", true},
		"another method":     {map[string]answer{"DELETE /form": {405, ""}, "POST /cancel": {204, ""}}, "DELETE /form, POST /cancel, POST /cancel", "", true},
		"another body":       {map[string]answer{"DELETE /form": {400, `{"_tag":"InvalidRequestError","kind":"Payload"}`}, "POST /cancel": {204, ""}}, "DELETE /form, POST /cancel, POST /cancel", "", true},
		"what is refused":    {map[string]answer{"DELETE /form": {400, `{"_tag":"FormInvalidAnswerError"}`}}, "DELETE /form, DELETE /form", "FormInvalidAnswerError", false},
		"what is not there":  {map[string]answer{"DELETE /form": {404, gone}}, "DELETE /form, DELETE /form", "FormNotFoundError", false},
		"not there either":   {map[string]answer{"POST /cancel": {404, gone}}, "DELETE /form, POST /cancel, POST /cancel", "FormNotFoundError", false},
		"neither":            {nil, "DELETE /form, POST /cancel, DELETE /form, POST /cancel", "", false},
		"a server that ends": {map[string]answer{"POST /cancel": {503, ""}}, "DELETE /form, POST /cancel, DELETE /form, POST /cancel", "", false},
	} {
		s := &server{answers: test.answers}
		e := &call.Endpoint{Transport: s, Base: "http://opencode", Routes: new(call.Routes)}
		var err error
		for range 2 {
			err = e.Do(t.Context(), call.Delete("dismiss", "/form", nil).Or(call.Post("", "/cancel", nil, nil)))
		}
		if got := strings.Join(s.called, ", "); got != test.calls || (err == nil) != test.ok || test.tag != "" && !call.HasTag(err, test.tag) {
			t.Errorf("%s: called %s, %v", name, got, err)
		}
	}
}

// A process that has changed, as after an update, is found out.
func TestRoutes_Change(t *testing.T) {
	s := &server{answers: map[string]answer{"POST /cancel": {204, ""}}}
	e := &call.Endpoint{Transport: s, Base: "http://opencode", Routes: new(call.Routes)}
	dismiss := call.Delete("dismiss", "/form", nil).Or(call.Post("", "/cancel", nil, nil))
	first := e.Do(t.Context(), dismiss)
	s.answers = map[string]answer{"DELETE /form": {204, ""}}
	second, third := e.Do(t.Context(), dismiss), e.Do(t.Context(), dismiss)
	want := "DELETE /form, POST /cancel, POST /cancel, DELETE /form, DELETE /form"
	if got := strings.Join(s.called, ", "); errors.Join(first, second, third) != nil || got != want {
		t.Errorf("called %s, %v", got, errors.Join(first, second, third))
	}
}

// Nothing but the name of an error gets out of an answer.
func TestError_Tag(t *testing.T) {
	for body, want := range map[string]string{
		gone: "opencode: read: not-found (HTTP 404, FormNotFoundError)", `{"_tag":"a secret"}`: "opencode: read: not-found (HTTP 404)",
		`{"_tag":7}`: "opencode: read: not-found (HTTP 404)", "": "opencode: read: not-found (HTTP 404)",
	} {
		e := &call.Endpoint{Transport: &server{answers: map[string]answer{"GET /": {404, body}}}, Base: "http://opencode"}
		if err := e.Do(t.Context(), call.Get("read", "/", nil)); err == nil || err.Error() != want {
			t.Errorf("%q gives %v", body, err)
		}
	}
}
