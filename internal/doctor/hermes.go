package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/database"
	"hermes/internal/failover"
	"hermes/internal/flock"
	"hermes/internal/letters"
	"hermes/internal/version"
	"hermes/pending"
)

// hermesProbe asks the running hermes with this configuration, if one does.
type hermesProbe struct {
	config config.Config
	client apiclient.Client
	status func() statusReply // GET /v1/status, asked once

	look func(context.Context) (database.Acting, error) // at the database of HERMES_STORE; nil: it is the file
}

// call makes one request to the running hermes: the status and the body.
func (h *hermesProbe) call(ctx context.Context, method, path string, body any) (int, []byte, error) {
	res, err := h.client.Do(ctx, method, path, body)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, text, err
}

// mayRun reports whether a hermes runs on this machine, or may; with HERMES_STORE: whether one acts anywhere, or may.
func (h *hermesProbe) mayRun(ctx context.Context) bool {
	if h.status().mayAnswer() {
		return true
	}
	if h.look != nil {
		a, err := h.look(ctx)
		return a.Held || err != nil
	}
	file, err := flock.Hold(ctx, h.config.DB, flock.Shared, flock.StopTime)
	if err == nil {
		file.Close()
	}
	return errors.Is(err, pending.ErrLocked)
}

// statusReply is what came of asking the hermes that is configured here.
type statusReply struct {
	status api.Status
	known  bool  // hermes reported its status
	code   int   // HTTP status; 0: no answer
	err    error // why there was no answer

	standby string // why it does not act; empty: it is no standby
}

// mayAnswer reports whether something answers, or may: only a refused connection
// proves that nothing does.
func (r statusReply) mayAnswer() bool { return !errors.Is(r.err, syscall.ECONNREFUSED) }

// fetch asks for the status.
func (h *hermesProbe) fetch(ctx context.Context) statusReply {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	code, body, err := h.call(ctx, http.MethodGet, "/v1/status", nil)
	r := statusReply{code: code}
	if code == 0 {
		r.err = err
	}
	var said failover.Reply
	if code == http.StatusServiceUnavailable && json.Unmarshal(body, &said) == nil && said.Standby {
		r.standby = said.Error
	}
	r.known = err == nil && code == http.StatusOK && json.Unmarshal(body, &r.status) == nil && r.status.Version != ""
	return r
}

// checkRunning looks for the running hermes with this configuration.
func (h *hermesProbe) checkRunning(context.Context) result {
	if _, _, err := net.SplitHostPort(h.config.Listen); err != nil {
		return skip("HERMES_LISTEN names no address to look at")
	}
	reply, at := h.status(), h.config.OwnURL()
	switch own := version.Own(); {
	case !reply.mayAnswer():
		return gradeFail.because("no hermes runs at "+at, apiclient.HowToStart(h.config))
	case reply.err != nil:
		return gradeFail.because(fmt.Sprintf("what listens at %s does not answer: %v", at, apiclient.Cause(reply.err)),
			"restart hermes; if another program uses the port, set HERMES_LISTEN")
	case reply.code == http.StatusUnauthorized:
		return h.wrongToken(at)
	case reply.standby != "":
		return pass("it runs at %s, and does not act: %s", at, letters.Escaped(reply.standby))
	case !reply.known:
		return gradeFail.because(fmt.Sprintf("what listens at %s is no hermes of this version (HTTP %d)", at, reply.code),
			"restart hermes if it was updated; if another program uses the port, set HERMES_LISTEN")
	case len(reply.status.NotReady) > 0 && !onlyUnlinked(reply.status):
		return gradeFail.because("it runs, but no question would reach you: "+strings.Join(reply.status.NotReady, "; "), "see the other lines, and its log")
	case reply.status.Version != own:
		return gradeWarn.because(fmt.Sprintf("%s runs, but this is %s", reply.status.Version, own), "restart hermes")
	}
	return pass("it runs at %s%s", at, heardAgo(reply.status))
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
func (h *hermesProbe) wrongToken(at string) result {
	switch {
	case errors.Is(h.client.TokenErr, fs.ErrNotExist):
		return gradeFail.because("the hermes at "+at+" has a token that is not kept here", "give doctor the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has")
	case h.client.TokenErr != nil:
		return gradeFail.because("the hermes at "+at+" has a token that doctor could not read", "see configuration above")
	}
	return gradeFail.because("the hermes at "+at+" has another token than the one here", "give doctor the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has, or restart hermes")
}
