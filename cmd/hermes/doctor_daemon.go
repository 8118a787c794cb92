package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// daemonReply is what came of asking the hermes that is configured here.
type daemonReply struct {
	status apiStatus
	known  bool  // status was told
	code   int   // HTTP status; 0: no answer
	err    error // why there was no answer
}

// there reports whether something answers, or may: only a refused connection
// proves that nothing does.
func (r daemonReply) there() bool { return !errors.Is(r.err, syscall.ECONNREFUSED) }

func (d *doctor) askDaemon(ctx context.Context) daemonReply {
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

// toDaemon reaches this machine's hermes.
func (d *doctor) toDaemon() http.RoundTripper {
	if d.out.hermes != nil {
		return d.out.hermes
	}
	return localTransport(d.config)
}

// startIt is the remedy where nothing runs.
const startIt = "start it: hermes serve, or systemctl --user start hermes"

// examDaemon looks for the hermes that runs with this configuration.
func (d *doctor) examDaemon(context.Context) diagnosis {
	if _, _, err := net.SplitHostPort(d.config.Listen); err != nil {
		return skipped("HERMES_LISTEN names no address to look at")
	}
	reply, at := d.daemon(), d.config.ownURL()
	switch own := ownVersion(); {
	case !reply.there():
		return gradeFail.because("no hermes runs at "+at, startIt)
	case reply.err != nil:
		return gradeFail.because(fmt.Sprintf("what listens at %s does not answer: %v", at, cause(reply.err)),
			"restart hermes; if another program uses the port, set HERMES_LISTEN")
	case reply.code == http.StatusUnauthorized:
		return d.wrongToken(at)
	case !reply.known:
		return gradeFail.because(fmt.Sprintf("what listens at %s is no hermes of this version (HTTP %d)", at, reply.code),
			"restart hermes if it was updated; if another program uses the port, set HERMES_LISTEN")
	case len(reply.status.NotReady) > 0 && !onlyUnlinked(reply.status):
		return gradeFail.because("it runs, but no question would reach you: "+strings.Join(reply.status.NotReady, "; "), "see the other lines, and its log")
	case reply.status.Version != own:
		return gradeWarn.because(fmt.Sprintf("%s runs, but this is %s", reply.status.Version, own), "restart hermes")
	}
	return sane("it runs at %s%s", at, heardAgo(reply.status))
}

// onlyUnlinked reports whether all that is missing is an OpenCode, which has a
// line of its own.
func onlyUnlinked(s apiStatus) bool {
	return len(s.NotReady) == 1 && strings.HasPrefix(s.NotReady[0], "no OpenCode is connected")
}

func heardAgo(s apiStatus) string {
	if s.LastPoll == nil {
		return ""
	}
	return fmt.Sprintf(" (it heard Telegram %v ago)", time.Since(*s.LastPoll).Round(time.Second))
}

// wrongToken says why the API refuses what is known here.
func (d *doctor) wrongToken(at string) diagnosis {
	switch {
	case errors.Is(d.tokenErr, fs.ErrNotExist):
		return gradeFail.because("the hermes at "+at+" has a token that is not kept here", "give doctor the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has")
	case d.tokenErr != nil:
		return gradeFail.because("the hermes at "+at+" has a token that doctor could not read", "see configuration above")
	}
	return gradeFail.because("the hermes at "+at+" has another token than the one here", "give doctor the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has, or restart hermes")
}

// cause is an error of the network without the URL.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}
