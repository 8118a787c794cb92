package doctor

import (
	"context"
	"errors"
	"fmt"
	"os/user"

	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/release"
	"hermes/opencode/service"
)

// serviceElsewhere is the remedy for a service that the file does not lead to: another user's,
// or another machine's.
const serviceElsewhere = "for a service of another user or machine, set HERMES_OPENCODE_URLS to its URL and HERMES_OPENCODE_PASSWORD to what opencode service get password prints there"

// serviceChecks look at the background service of OpenCode 2; there are none if hermes does not
// look for it.
func (o *openCodeChecks) serviceChecks() []check {
	if o.service.File.Path == "" {
		return nil
	}
	return []check{{"service", one(o.checkService)}}
}

// checkService looks where the service is, and whether it takes the password of its file.
func (o *openCodeChecks) checkService(ctx context.Context) result {
	r, err := o.service.File.Find()
	if err != nil {
		return noService(err)
	}
	i, err := identifyTwice(ctx, o.service.Server(r).Identify)
	switch {
	case err != nil:
		return serviceFault(r, err)
	case i.PID != r.PID || i.Version != r.Version:
		return gradeFail.because(fmt.Sprintf("%s is not the process %d, OpenCode %s, that %s names, and hermes does not use it", r.URL, r.PID, r.Version, o.service.File.Path),
			"run opencode service restart")
	case !release.Tested(i.Version):
		return gradeWarn.because(fmt.Sprintf("the service at %s is OpenCode %s, which %s", r.URL, i.Version, release.Outside(i.Version)), outsideRemedy)
	}
	return pass("OpenCode %s at %s, process %d; it takes the password in %s and needs no plugin", i.Version, r.URL, r.PID, o.service.File.Path)
}

// noService says why the file leads to no service. That there is none is no fault: many have
// none, or another user has.
func noService(err error) result {
	detail := err.Error()
	switch service.FaultOf(err) {
	case service.Absent, service.Stopped:
		return skip("%s%s; %s", detail, forUser(), serviceElsewhere)
	case service.Foreign:
		return gradeFail.because(detail+forUser(), "run hermes as that user; "+serviceElsewhere)
	case service.Exposed:
		return gradeFail.because(detail, "chmod 600 that file")
	case service.Elsewhere:
		return gradeFail.because(detail, "run opencode service set hostname 127.0.0.1; "+serviceElsewhere)
	case service.Malformed, service.Unreadable:
	}
	return gradeFail.because(detail, "run opencode service restart, or correct HERMES_OPENCODE_SERVICE")
}

// forUser says as whom hermes doctor runs: only that user's file is believed.
func forUser() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return " for the user " + u.Username
}

func serviceFault(r service.Registration, err error) result {
	var e *call.Error
	switch {
	case errors.As(err, &e) && e.Reason == call.Unauthorized:
		return gradeFail.because(r.URL+" refuses the password of its own file", "run opencode service restart")
	case errors.As(err, &e) && e.Reason == call.Broken:
		return gradeFail.because(fmt.Sprintf("%s is starting, or cannot (HTTP %d)", r.URL, e.Status), "look again in a minute, then run opencode service restart")
	case service.FaultOf(err) == service.Taken:
		return gradeFail.because(err.Error(), "end what listens there, then run opencode service restart")
	case errors.As(err, &e) && e.Reason == call.Unreachable:
		return gradeFail.because(fmt.Sprintf("%s does not answer, and the process %d runs", r.URL, r.PID), "run opencode service restart")
	}
	return gradeFail.because(r.URL+" is not the OpenCode service", "run opencode service restart")
}

// found reports whether there is a service for hermes to use.
func found(s opencode.Service) bool {
	if s.File.Path == "" {
		return false
	}
	_, err := s.File.Find()
	return err == nil
}
