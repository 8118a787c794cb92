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
	service opencode.Service
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

// checkServer asks a server which OpenCode it is.
func checkServer(ctx context.Context, s opencode.Server) result {
	i, err := identifyTwice(ctx, s.Identify)
	switch {
	case err != nil:
		return serverFault(s.URL, err)
	case !release.Tested(i.Version):
		return gradeWarn.because(fmt.Sprintf("%s is OpenCode %s, which %s", s.URL, i.Version, release.Outside(i.Version)), outsideRemedy)
	}
	return pass("%s is OpenCode %s", s.URL, i.Version)
}

// identifyTwice asks twice: a request that arrives in the instant a server starts to
// listen may never be answered (measured on 1.18.33).
func identifyTwice(ctx context.Context, identify func(context.Context) (opencode.Identity, error)) (opencode.Identity, error) {
	first, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	i, err := identify(first)
	if err != nil && first.Err() != nil {
		return identify(ctx)
	}
	return i, err
}

func serverFault(at string, err error) result {
	var e *call.Error
	if !errors.As(err, &e) {
		return gradeFail.because(fmt.Sprintf("%s: %v", at, err), "check HERMES_OPENCODE_URLS")
	}
	switch e.Reason {
	case call.Unauthorized:
		return gradeFail.because(at+" refuses the password", "set HERMES_OPENCODE_PASSWORD to what that server has as OPENCODE_SERVER_PASSWORD (OpenCode 2: OPENCODE_PASSWORD, or opencode service get password)")
	case call.NotOpenCode, call.NotFound, call.Refused:
		return gradeFail.because(at+" is no OpenCode that hermes knows: it is another program, or an early preview of 2.0, without forms", "correct HERMES_OPENCODE_URLS, or update that OpenCode")
	case call.Broken:
		return gradeFail.because(fmt.Sprintf("%s has a fault (HTTP %d)", at, e.Status), "restart that OpenCode")
	case call.Unreachable:
	}
	return gradeFail.because(at+" does not answer", "start opencode serve there, or take it out of HERMES_OPENCODE_URLS")
}
