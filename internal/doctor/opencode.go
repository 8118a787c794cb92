package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	"hermes/opencode/release"
	"hermes/opencode/service"
)

// checkServers look at every server that is reached directly.
func (d *Doctor) checkServers(ctx context.Context) (list []result) {
	for _, s := range d.servers {
		list = append(list, within(ctx, func(ctx context.Context) result { return checkServer(ctx, s) }))
	}
	return list
}

// checkServer asks a server which OpenCode it is.
func checkServer(ctx context.Context, s opencode.Server) result {
	i, err := s.Identify(ctx)
	switch {
	case err != nil:
		return serverFault(s.URL, err)
	case !release.Tested(i.Version):
		return gradeWarn.because(fmt.Sprintf("%s is OpenCode %s, which %s", s.URL, i.Version, release.Outside(i.Version)), outsideRemedy)
	}
	return pass("%s is OpenCode %s", s.URL, i.Version)
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

// serviceElsewhere is the remedy for a service that the file does not lead to: another user's,
// or another machine's.
const serviceElsewhere = "for a service of another user or machine, set HERMES_OPENCODE_URLS to its URL and HERMES_OPENCODE_PASSWORD to what opencode service get password prints there"

// checkService looks where the background service of OpenCode 2 is, and whether it takes the password of its file; at none
// if hermes does not look for it.
func checkService(ctx context.Context, s opencode.Service) result {
	if s.File.Path == "" {
		return result{}
	}
	r, err := s.File.Find()
	if err != nil {
		return noService(err)
	}
	i, err := s.Server(r).Identify(ctx)
	switch {
	case err != nil:
		return serviceFault(r, err)
	case i.PID != r.PID || i.Version != r.Version:
		return gradeFail.because(fmt.Sprintf("%s is not the process %d, OpenCode %s, that %s names, and hermes does not use it", r.URL, r.PID, r.Version, s.File.Path),
			"run opencode service restart")
	case !release.Tested(i.Version):
		return gradeWarn.because(fmt.Sprintf("the service at %s is OpenCode %s, which %s", r.URL, i.Version, release.Outside(i.Version)), outsideRemedy)
	}
	return pass("OpenCode %s at %s, process %d; it takes the password in %s and needs no plugin", i.Version, r.URL, r.PID, s.File.Path)
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

// found reports whether there is a service for hermes to use, or was one that was killed.
func found(s opencode.Service) bool {
	if s.File.Path == "" {
		return false
	}
	_, err := s.File.Find()
	return err == nil || service.FaultOf(err) == service.Stopped
}

// installRemedy is the remedy where the plugin is not as it should be.
const installRemedy = "run hermes plugin install, and restart OpenCode"

// setupRemedy is the remedy where hermes is not configured yet.
const setupRemedy = "run hermes setup, which installs it too"

// checkPlugin holds the installed plugin against the one in this binary, and its
// link file against the configuration.
func (d *Doctor) checkPlugin(ctx context.Context) result {
	state, err := plugin.Status(d.opts.Plugin)
	switch {
	case err != nil:
		return gradeFail.because(err.Error(), "then run hermes plugin install")
	case !state.Installed && d.usesSecond():
		return pass("it is not installed; OpenCode 2 needs none, and an OpenCode 1.x would")
	case !state.Installed && len(d.config.OpenCodeURLs) > 0:
		return gradeWarn.because("it is not installed, so only the servers of HERMES_OPENCODE_URLS can ask", installRemedy)
	case !state.Installed && !d.config.IsConfigured():
		return gradeFail.because("it is not installed at "+state.Plugin, setupRemedy)
	case !state.Installed:
		return gradeFail.because("it is not installed at "+state.Plugin, installRemedy)
	case pluginProtocol(state.Plugin) != link.Protocol:
		return gradeFail.because(fmt.Sprintf("%s does not speak link protocol %d, as this hermes does", state.Plugin, link.Protocol), installRemedy)
	case len(state.URLs) == 0:
		return gradeFail.because("its link file "+state.Link+" is missing or no good", installRemedy)
	}
	if wrong := d.checkLinkFile(ctx, state); wrong.Status != "" {
		return wrong
	}
	switch {
	case state.Edited:
		return gradeWarn.because(state.Plugin+" was changed by hand", "hermes plugin install keeps that aside and writes its own")
	case !state.Current:
		return gradeWarn.because(fmt.Sprintf("version %s is installed, this hermes has %s", state.Version, plugin.Version()), installRemedy)
	case len(state.Warnings) > 0:
		return splitMistake(gradeWarn, state.Warnings[0], d.config.File)
	}
	return pass("version %s in %s", state.Version, state.Plugin)
}

// usesSecond reports whether OpenCode 2 is in use: its service runs here or was killed, or it is all that is linked.
func (d *Doctor) usesSecond() bool {
	if found(d.service) {
		return true
	}
	open := d.status().status.Open
	return len(open) > 0 && !slices.ContainsFunc(open, func(l api.Link) bool { return l.By != api.LinkedByProcess })
}

// checkLinkFile looks whether the plugin would reach the hermes that is configured
// here. One that links to another machine's is not ours to judge.
func (d *Doctor) checkLinkFile(ctx context.Context, state plugin.State) result {
	own := d.config.OwnURL()
	switch {
	case !slices.Contains(state.URLs, own) && !d.mistakes.Has("HERMES_LISTEN"):
		return gradeWarn.because(fmt.Sprintf("it links to %s, and hermes is configured for %s", strings.Join(state.URLs, ", "), own),
			"if that is not meant so: "+installRemedy)
	case !d.knowsPeers(state):
		return gradeWarn.because(fmt.Sprintf("it links to %s alone, so not to the other hermes of HERMES_PUBLIC_URL when that takes over", strings.Join(state.URLs, ", ")), installRemedy)
	case state.APIToken:
		return gradeWarn.because(state.Link+" holds the token of hermes' API: whatever reads it, an agent too, can do far more than the plugin needs",
			"run hermes plugin install, which puts the token of a link there")
	}
	if known, err := (apiclient.Links{Client: d.client}).Knows(ctx, d.link); err == nil && !known && d.config.DB != "" {
		return gradeFail.because("hermes does not know its token, or it was revoked", installRemedy)
	}
	return result{}
}

// knowsPeers reports whether the plugin knows each hermes that shares the store of this one.
func (d *Doctor) knowsPeers(state plugin.State) bool {
	return !slices.ContainsFunc(d.config.PeerURLs, func(url string) bool { return !slices.Contains(state.URLs, url) })
}

// pluginProtocol is the protocol in a plugin file; 0 if it names none.
func pluginProtocol(path string) int {
	content, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	found := regexp.MustCompile(`(?m)^const HERMES_PROTOCOL = (\d+)`).FindSubmatch(content)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(found[1])) // too large: not ours either
	return n
}

// checkLinks looks for an OpenCode that could ask now.
func (d *Doctor) checkLinks(context.Context) result {
	reply := d.status()
	if !reply.known {
		return skip("only a running hermes knows them")
	}
	return judgeLinks(reply.status)
}

// judgeLinks says how many links are open of those that may be, and whether the servers are connected.
func judgeLinks(s api.Status) result {
	switch {
	case s.Links+s.Answer == 0:
		return gradeFail.because("no OpenCode is connected now", "start OpenCode; one that ran before the plugin was installed must be restarted")
	case s.LinksMax > 0 && s.Links >= s.LinksMax:
		return gradeWarn.because(fmt.Sprintf("%d open now, and hermes takes no more", s.Links), "let hermes have more descriptors (ulimit -n, LimitNOFILE=), or close an OpenCode")
	}
	open := fmt.Sprintf("%d open now", s.Links)
	if s.LinksMax > 0 { // an older hermes does not tell it
		open = fmt.Sprintf("%d of at most %d open now", s.Links, s.LinksMax)
	}
	servers := len(s.Servers)
	if s.Service {
		servers++
	}
	if servers == 0 {
		return pass("%s", open)
	}
	return pass("%s, and %d of %d servers connected", open, s.Answer, servers)
}

// checkEachLink looks at every OpenCode that is linked, and at those that would be if
// their plugin spoke hermes' protocol.
func (d *Doctor) checkEachLink(context.Context) []result {
	s := d.status().status
	var list []result
	for _, l := range s.Open {
		list = append(list, judgeLink(s, l))
	}
	for _, l := range s.Refused {
		if l.By == api.LinkedByProcess {
			list = append(list, gradeWarn.because(processInWords(l)+" cannot be linked: hermes there and this one are of versions that do not fit", "update the older one of the two"))
			continue
		}
		list = append(list, gradeWarn.because(fmt.Sprintf("%s cannot ask: its plugin speaks link protocol %d, and hermes %d", linkInWords(l), l.Protocol, s.Protocol), protocolRemedy(s, l)))
	}
	return list
}

func judgeLink(s api.Status, l api.Link) result {
	switch {
	case l.By == api.LinkedByProcess:
		return pass("OpenCode %s on %s, by hermes link run (%s), link %s", l.OpenCode, l.Host, cmp.Or(l.Plugin, "of no version"), l.Link)
	case l.Link == "":
		return gradeWarn.because(linkInWords(l)+" has the token of hermes' API: whatever reads its file, an agent too, can do far more than the plugin needs",
			tokenRemedy(l))
	case l.Plugin != s.Plugin:
		return gradeWarn.because(fmt.Sprintf("%s runs plugin %s, and hermes has %s", linkInWords(l), cmp.Or(l.Plugin, "of no version"), s.Plugin), reinstallRemedy(l))
	case l.OpenCode != "" && !release.Tested(l.OpenCode):
		return gradeWarn.because(linkInWords(l)+", which "+release.Outside(l.OpenCode), outsideRemedy)
	}
	return pass("%s, plugin %s, link %s", linkInWords(l), l.Plugin, l.Link)
}

// outsideRemedy is the remedy for a version that is not tested.
const outsideRemedy = "use a version in that range, or try a question and see"

// processInWords is a link of hermes link run in words.
func processInWords(l api.Link) string {
	return fmt.Sprintf("the OpenCode %s of %s", cmp.Or(l.OpenCode, "2"), cmp.Or(l.Host, "a host that is not known"))
}

// linkInWords is the link in words.
func linkInWords(l api.Link) string {
	return fmt.Sprintf("%s on %s, OpenCode %s", cmp.Or(l.Directory, "a directory that is not known"),
		cmp.Or(l.Host, "a host that is not known"), cmp.Or(l.OpenCode, "of a version that is not known"))
}

// protocolRemedy is the remedy for a plugin of another protocol: the older side is to be updated.
func protocolRemedy(s api.Status, l api.Link) string {
	if l.Protocol > s.Protocol {
		return "update hermes here: that plugin is newer"
	}
	return reinstallRemedy(l)
}

// reinstallRemedy is the remedy for the plugin of a link, which may be another machine's.
func reinstallRemedy(l api.Link) string {
	if l.Host == "" || l.Host == apiclient.Hostname() {
		return "run hermes plugin install, and restart that OpenCode"
	}
	return "run hermes plugin install on " + l.Host + ", and restart that OpenCode"
}

// tokenRemedy is the remedy for a link that has the API's token.
func tokenRemedy(l api.Link) string {
	if l.Host == "" || l.Host == apiclient.Hostname() {
		return "run hermes plugin install"
	}
	return "run hermes link add " + api.LinkNameFor(l.Host) + " here, and hermes plugin install with --token-file on " + l.Host
}
