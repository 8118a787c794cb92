package v1_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	v1 "hermes/opencode/v1"
)

// proj is the directory of these tests, and the server's own.
const proj = "/home/ada/proj"

var colour = opencodesim.Question{Question: "Which colour?", Header: "Colour", Options: []opencodesim.Option{
	{Label: "Red", Description: "warm"},
	{Label: "Blue", Description: "cold"},
}}

// bothVersions runs a test with each version, in a bubble of its own.
func bothVersions(t *testing.T, test func(t *testing.T, s *opencodesim.Simulator)) {
	t.Helper()
	for _, version := range []string{opencodesim.VersionOld, opencodesim.VersionNew} {
		t.Run(version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(t, opencodesim.New(opencodesim.Options{Version: version}))
			})
		})
	}
}

// driverOf drives the sessions of a simulator in proj.
func driverOf(s *opencodesim.Simulator) *v1.Driver {
	return v1.NewDriver(&call.Endpoint{Transport: s.Transport(), Base: "http://opencode", Directory: proj}, s.Version(), 0)
}

// roundTrip is a server in one function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// pages is a server of fixed JSON, by path; what it does not have is 404.
type pages map[string]string

func (p pages) RoundTrip(r *http.Request) (*http.Response, error) {
	status, text := http.StatusNotFound, `{"name":"NotFoundError"}`
	if page, ok := p[r.URL.Path]; ok {
		status, text = http.StatusOK, page
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		Body: io.NopCloser(strings.NewReader(text)),
	}, nil
}
