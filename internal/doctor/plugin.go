package doctor

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/opencode"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

// installRemedy is the remedy where the plugin is not as it should be.
const installRemedy = "run hermes plugin install, and restart OpenCode"

// setupRemedy is the remedy where hermes is not configured yet.
const setupRemedy = "run hermes setup, which installs it too"

// pluginChecks look at the installed plugin, and at the link that it is told to open.
type pluginChecks struct {
	config   config.Config
	mistakes config.Mistakes // of the configuration
	service  opencode.Service
	options  plugin.Options
	token    secret.Text // in the link file
	hermes   *hermesProbe
}

// checkPlugin holds the installed plugin against the one in this binary, and its
// link file against the configuration.
func (p *pluginChecks) checkPlugin(ctx context.Context) result {
	state, err := plugin.Status(p.options)
	switch {
	case err != nil:
		return gradeFail.because(err.Error(), "then run hermes plugin install")
	case !state.Installed && found(p.service):
		return pass("it is not installed; OpenCode 2 needs none, and an OpenCode 1.x would")
	case !state.Installed && len(p.config.OpenCodeURLs) > 0:
		return gradeWarn.because("it is not installed, so only the servers of HERMES_OPENCODE_URLS can ask", installRemedy)
	case !state.Installed && !p.config.IsConfigured():
		return gradeFail.because("it is not installed at "+state.Plugin, setupRemedy)
	case !state.Installed:
		return gradeFail.because("it is not installed at "+state.Plugin, installRemedy)
	case pluginProtocol(state.Plugin) != link.Protocol:
		return gradeFail.because(fmt.Sprintf("%s does not speak link protocol %d, as this hermes does", state.Plugin, link.Protocol), installRemedy)
	case len(state.URLs) == 0:
		return gradeFail.because("its link file "+state.Link+" is missing or no good", installRemedy)
	}
	if wrong := p.checkLinkFile(ctx, state); wrong.Status != "" {
		return wrong
	}
	switch {
	case state.Edited:
		return gradeWarn.because(state.Plugin+" was changed by hand", "hermes plugin install keeps that aside and writes its own")
	case !state.Current:
		return gradeWarn.because(fmt.Sprintf("version %s is installed, this hermes has %s", state.Version, plugin.Version()), installRemedy)
	case len(state.Warnings) > 0:
		return splitMistake(gradeWarn, state.Warnings[0], p.config.File)
	}
	return pass("version %s in %s", state.Version, state.Plugin)
}

// checkLinkFile looks whether the plugin would reach the hermes that is configured
// here. One that links to another machine's is not ours to judge.
func (p *pluginChecks) checkLinkFile(ctx context.Context, state plugin.State) result {
	own := p.config.OwnURL()
	switch {
	case !slices.Contains(state.URLs, own) && !p.mistakes.Has("HERMES_LISTEN"):
		return gradeWarn.because(fmt.Sprintf("it links to %s, and hermes is configured for %s", strings.Join(state.URLs, ", "), own),
			"if that is not meant so: "+installRemedy)
	case !p.knowsPeers(state):
		return gradeWarn.because(fmt.Sprintf("it links to %s alone, so not to the other hermes of HERMES_PUBLIC_URL when that takes over", strings.Join(state.URLs, ", ")), installRemedy)
	case state.APIToken:
		return gradeWarn.because(state.Link+" holds the token of hermes' API: whatever reads it, an agent too, can do far more than the plugin needs",
			"run hermes plugin install, which puts the token of a link there")
	}
	if known, err := (apiclient.Links{Client: p.hermes.client}).Knows(ctx, p.token); err == nil && !known && p.config.DB != "" {
		return gradeFail.because("hermes does not know its token, or it was revoked", installRemedy)
	}
	return result{}
}

// knowsPeers reports whether the plugin knows each hermes that shares the store of this one.
func (p *pluginChecks) knowsPeers(state plugin.State) bool {
	return !slices.ContainsFunc(p.config.PeerURLs, func(url string) bool { return !slices.Contains(state.URLs, url) })
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
