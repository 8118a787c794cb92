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
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/certificate"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/standby"
	"hermes/internal/version"
	"hermes/internal/voice"
)

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

// fetchStatus asks for the status.
func (d *Doctor) fetchStatus(ctx context.Context) statusReply {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	res, err := d.client.Do(ctx, http.MethodGet, "/v1/status", nil)
	if err != nil {
		return statusReply{err: err}
	}
	defer res.Body.Close()
	r, body := statusReply{code: res.StatusCode}, json.NewDecoder(io.LimitReader(res.Body, 1<<20))
	var said standby.Reply
	switch {
	case r.code == http.StatusServiceUnavailable && body.Decode(&said) == nil && said.Standby:
		r.standby = said.Error
	case r.code == http.StatusOK:
		r.known = body.Decode(&r.status) == nil && r.status.Version != ""
	}
	return r
}

// checkRunning looks for the running hermes with this configuration.
func (d *Doctor) checkRunning(context.Context) result {
	if _, _, err := net.SplitHostPort(d.config.Listen); err != nil {
		return skip("HERMES_LISTEN names no address to look at")
	}
	reply, at := d.status(), d.config.OwnURL()
	switch own := version.Own(); {
	case !reply.mayAnswer():
		return gradeFail.because("no hermes runs at "+at, apiclient.HowToStart(d.config))
	case reply.err != nil:
		return gradeFail.because(fmt.Sprintf("what listens at %s does not answer: %v", at, apiclient.Cause(reply.err)),
			"restart hermes; if another program uses the port, set HERMES_LISTEN")
	case reply.code == http.StatusUnauthorized:
		return d.wrongToken(at)
	case reply.standby != "":
		return pass("it runs at %s, and does not act: %s", at, letters.Escaped(reply.standby))
	case !reply.known:
		return gradeFail.because(fmt.Sprintf("what listens at %s is no hermes of this version (HTTP %d)", at, reply.code),
			"restart hermes if it was updated; if another program uses the port, set HERMES_LISTEN")
	case len(reply.status.NotReady) > 0 && !onlyUnlinked(reply.status):
		return gradeFail.because("it runs, but is not ready: "+strings.Join(reply.status.NotReady, "; "), "see the other lines, and its log")
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
func (d *Doctor) wrongToken(at string) result {
	switch {
	case errors.Is(d.client.TokenErr, fs.ErrNotExist):
		return gradeFail.because("the hermes at "+at+" has a token that is not kept here", "give doctor the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has")
	case d.client.TokenErr != nil:
		return gradeFail.because("the hermes at "+at+" has a token that doctor could not read", "see configuration above")
	}
	return gradeFail.because("the hermes at "+at+" has another token than the one here", "give doctor the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has, or restart hermes")
}

// checkCertificate looks at the certificate with which hermes speaks TLS, if it does.
func checkCertificate(c config.Config, now time.Time) result {
	if c.TLSCert == "" || c.TLSKey == "" {
		return result{}
	}
	const remedy = "renew the files that HERMES_TLS_CERT and HERMES_TLS_KEY name; hermes takes them up without a restart"
	pair, err := certificate.Load(c.TLSCert, c.TLSKey)
	if err != nil {
		return gradeFail.because(fmt.Sprintf("HERMES_TLS_CERT, HERMES_TLS_KEY: cannot be used: %v", config.WithoutPath(err)), "name a certificate and its key, two PEM files")
	}
	ends, err := pair.Expires()
	day := ends.Local().Format(time.DateOnly)
	switch left := ends.Sub(now); {
	case err != nil:
		return skip("the certificate is being renewed: %v", config.WithoutPath(err))
	case left <= 0:
		return gradeFail.because("the certificate in HERMES_TLS_CERT expired on "+day+"; plugins refuse to connect", remedy)
	case left <= certificate.Notice:
		return gradeWarn.because(fmt.Sprintf("the certificate in HERMES_TLS_CERT expires on %s, %s", day, inDays(left)), remedy)
	}
	return pass("it is valid until %s", day)
}

// inDays says how long a time to come is, in whole days.
func inDays(left time.Duration) string {
	switch days := int(left / (24 * time.Hour)); days {
	case 0:
		return "within a day"
	case 1:
		return "in 1 day"
	default:
		return fmt.Sprintf("in %d days", days)
	}
}

// checkConfig says what is wrong with the configuration, one result a mistake,
// or where it was read from.
func (d *Doctor) checkConfig(context.Context) (list []result) {
	for _, line := range d.mistakes {
		list = append(list, splitMistake(gradeFail, line, d.config.File))
	}
	for _, line := range d.config.Warnings {
		list = append(list, splitMistake(gradeWarn, line, d.config.File))
	}
	if err := d.client.TokenErr; err != nil && !errors.Is(err, fs.ErrNotExist) {
		list = append(list, splitMistake(gradeFail, err.Error(), d.config.File))
	}
	switch {
	case len(list) > 0:
		return list
	case d.config.File == "":
		return []result{pass("from the environment alone")}
	}
	return []result{pass("%s and the environment", d.config.File)}
}

// splitMistake splits a mistake, which mostly says after a semicolon what to do; file is the configuration file,
// "" for none.
func splitMistake(g grade, line, file string) result {
	detail, remedy, ok := strings.Cut(line, "; ")
	switch {
	case ok:
	case file != "":
		remedy = "correct it in " + file + " or in the environment; hermes config example explains every variable"
	default:
		remedy = "correct it in the environment; hermes config example explains every variable"
	}
	return g.because(detail, remedy)
}

// checkRules says what is wrong with the rules file, one result a mistake; nothing
// without such a file.
func (d *Doctor) checkRules(ctx context.Context) (list []result) {
	var wrong config.Mistakes
	b, err := d.config.Ruleset()
	switch {
	case d.config.Rules == "":
		return nil
	case errors.As(err, &wrong):
		for _, line := range wrong {
			list = append(list, gradeFail.because(line, "correct it in "+d.config.Rules+", then: hermes rules check, and hermes reload if hermes runs"))
		}
		return list
	}
	list = []result{pass("%s: %s", filepath.Base(d.config.Rules), config.RulesSummary(b))}
	if b.BarsOwners() {
		list = append(list, d.checkOwners(ctx)...)
	}
	return list
}

// checkOwners names the links without an owner, where a rule bars owners: two people approve what those ask.
func (d *Doctor) checkOwners(ctx context.Context) (list []result) {
	var links api.NamedLinks
	if d.client.Own().Fetch(ctx, http.MethodGet, "/v1/links", nil, &links) != nil {
		return nil // only a running hermes knows them
	}
	for _, l := range links.Links {
		if l.Owner == 0 {
			list = append(list, gradeWarn.because("link "+letters.Escaped(l.Name)+" has no owner, and a rule has approver_not_owner: what its agents ask needs two people",
				"say whose it is: hermes link owner "+letters.Escaped(l.Name)+" --person ID"))
		}
	}
	return list
}

// checkVoice looks at the transcription server, if one is configured.
func checkVoice(ctx context.Context, c config.Config, transport http.RoundTripper) result {
	s, ok := c.VoiceServer(transport)
	if !ok {
		return result{}
	}
	switch err := s.Check(ctx); {
	case errors.Is(err, voice.ErrKey):
		return gradeWarn.because(s.URL+" refuses the key; voice messages are not heard", "correct HERMES_STT_KEY")
	case err != nil:
		return gradeWarn.because(s.URL+": "+err.Error()+"; voice messages are not heard", "start the server there, or correct HERMES_STT_URL")
	}
	return pass("%s answers", s.URL)
}
