package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"hermes/internal/clients"
	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/release"
)

// serverChecks look at every server that is reached directly.
func (d *Doctor) serverChecks() []check {
	var exams []check
	for _, s := range clients.OpenCode(d.config, d.toOpenCode()) {
		exams = append(exams, check{"server", one(func(ctx context.Context) result { return checkServer(ctx, s) })})
	}
	return exams
}

// toOpenCode reaches the servers as the daemon does: without a proxy.
func (d *Doctor) toOpenCode() http.RoundTripper {
	if d.out.opencode != nil {
		return d.out.opencode
	}
	return &http.Transport{DisableKeepAlives: true}
}

func checkServer(ctx context.Context, s opencode.Server) result {
	v, err := asked(ctx, s.Client("", "").Version)
	if err != nil {
		return silentServer(s.URL, err)
	}
	if !release.Tested(v) {
		return GradeWarn.because(fmt.Sprintf("%s is OpenCode %s; hermes is tested with %s", s.URL, v, release.Range()),
			"use a version in that range, or try a question and see")
	}
	return passed("%s is OpenCode %s", s.URL, v)
}

// asked asks twice: a request that arrives in the instant a server starts to
// listen may never be answered (measured on 1.18.33).
func asked(ctx context.Context, version func(context.Context) (string, error)) (string, error) {
	first, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	v, err := version(first)
	if err != nil && first.Err() != nil {
		return version(ctx)
	}
	return v, err
}

func silentServer(at string, err error) result {
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
