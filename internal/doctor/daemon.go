package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/version"
)

// daemonReply is what came of asking the hermes that is configured here.
type daemonReply struct {
	status api.Status
	known  bool  // status was told
	code   int   // HTTP status; 0: no answer
	err    error // why there was no answer
}

// there reports whether something answers, or may: only a refused connection
// proves that nothing does.
func (r daemonReply) there() bool { return !errors.Is(r.err, syscall.ECONNREFUSED) }

func (d *Doctor) askDaemon(ctx context.Context) daemonReply {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	code, body, err := d.callDaemon(ctx, http.MethodGet, "/v1/status", nil)
	r := daemonReply{code: code}
	if code == 0 {
		r.err = err
	}
	r.known = err == nil && code == http.StatusOK && json.Unmarshal(body, &r.status) == nil && r.status.Version != ""
	return r
}

// checkDaemon looks for the hermes that runs with this configuration.
func (d *Doctor) checkDaemon(context.Context) result {
	if _, _, err := net.SplitHostPort(d.config.Listen); err != nil {
		return skipped("HERMES_LISTEN names no address to look at")
	}
	reply, at := d.daemon(), d.config.OwnURL()
	switch own := version.Own(); {
	case !reply.there():
		return gradeFail.because("no hermes runs at "+at, apiclient.HowToStart)
	case reply.err != nil:
		return gradeFail.because(fmt.Sprintf("what listens at %s does not answer: %v", at, apiclient.Cause(reply.err)),
			"restart hermes; if another program uses the port, set HERMES_LISTEN")
	case reply.code == http.StatusUnauthorized:
		return d.wrongToken(at)
	case !reply.known:
		return gradeFail.because(fmt.Sprintf("what listens at %s is no hermes of this version (HTTP %d)", at, reply.code),
			"restart hermes if it was updated; if another program uses the port, set HERMES_LISTEN")
	case len(reply.status.NotReady) > 0 && !onlyUnlinked(reply.status):
		return gradeFail.because("it runs, but no question would reach you: "+strings.Join(reply.status.NotReady, "; "), "see the other lines, and its log")
	case reply.status.Version != own:
		return GradeWarn.because(fmt.Sprintf("%s runs, but this is %s", reply.status.Version, own), "restart hermes")
	}
	return passed("it runs at %s%s", at, heardAgo(reply.status))
}

// onlyUnlinked reports whether all that is missing is an OpenCode, which has a
// line of its own.
func onlyUnlinked(s api.Status) bool {
	return len(s.NotReady) == 1 && strings.HasPrefix(s.NotReady[0], "no OpenCode is connected")
}

func heardAgo(s api.Status) string {
	if s.LastPoll == nil {
		return ""
	}
	return fmt.Sprintf(" (it heard Telegram %v ago)", time.Since(*s.LastPoll).Round(time.Second))
}

// wrongToken says why the API refuses what is known here.
func (d *Doctor) wrongToken(at string) result {
	switch {
	case errors.Is(d.hermes.TokenErr, fs.ErrNotExist):
		return gradeFail.because("the hermes at "+at+" has a token that is not kept here", "give doctor the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has")
	case d.hermes.TokenErr != nil:
		return gradeFail.because("the hermes at "+at+" has a token that doctor could not read", "see configuration above")
	}
	return gradeFail.because("the hermes at "+at+" has another token than the one here", "give doctor the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has, or restart hermes")
}
