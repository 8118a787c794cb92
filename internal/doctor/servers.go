package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/plugin"
	"hermes/opencode/release"
)

// openCodeChecks look at the OpenCode of this machine and at the servers that are reached directly.
type openCodeChecks struct {
	servers []opencode.Server
	plugin  plugin.Options // says where the configuration folder is
	here    string         // the working directory; empty: it is not looked at
	hermes  *hermesProbe
}

// serverChecks look at every server that is reached directly.
func (o *openCodeChecks) serverChecks() []check {
	var checks []check
	for _, s := range o.servers {
		checks = append(checks, check{"server", one(func(ctx context.Context) result { return checkServer(ctx, s) })})
	}
	return checks
}

// checkServer asks a server for its version.
func checkServer(ctx context.Context, s opencode.Server) result {
	v, err := askVersion(ctx, s.Client("", "").Version)
	if err != nil {
		return serverFault(s.URL, err)
	}
	if !release.Tested(v) {
		return gradeWarn.because(fmt.Sprintf("%s is OpenCode %s; hermes is tested with %s", s.URL, v, release.Range()),
			"use a version in that range, or try a question and see")
	}
	return pass("%s is OpenCode %s", s.URL, v)
}

// askVersion asks twice: a request that arrives in the instant a server starts to
// listen may never be answered (measured on 1.18.33).
func askVersion(ctx context.Context, version func(context.Context) (string, error)) (string, error) {
	first, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	v, err := version(first)
	if err != nil && first.Err() != nil {
		return version(ctx)
	}
	return v, err
}

func serverFault(at string, err error) result {
	var e *call.Error
	if !errors.As(err, &e) {
		return gradeFail.because(fmt.Sprintf("%s: %v", at, err), "check HERMES_OPENCODE_URLS")
	}
	switch e.Reason {
	case call.Unauthorized:
		return gradeFail.because(at+" refuses the password", "set HERMES_OPENCODE_PASSWORD to what that server has as OPENCODE_SERVER_PASSWORD")
	case call.NotOpenCode, call.NotFound, call.Refused:
		return gradeFail.because(at+" is no OpenCode 1.x", "correct HERMES_OPENCODE_URLS; hermes does not speak with OpenCode 2")
	case call.Broken:
		return gradeFail.because(fmt.Sprintf("%s has a fault (HTTP %d)", at, e.Status), "restart that OpenCode")
	case call.Unreachable:
	}
	return gradeFail.because(at+" does not answer", "start opencode serve there, or take it out of HERMES_OPENCODE_URLS")
}
