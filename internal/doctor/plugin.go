package doctor

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"hermes/internal/apiclient"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

// installIt is the remedy where the plugin is not as it should be.
const installIt = "run hermes plugin install, and restart OpenCode"

// checkPlugin holds the installed plugin against the one in this binary, and its
// link file against the configuration.
func (d *Doctor) checkPlugin(ctx context.Context) result {
	state, err := plugin.Status(d.opts.Plugin)
	switch {
	case err != nil:
		return gradeFail.because(err.Error(), "then run hermes plugin install")
	case !state.Installed && len(d.config.OpenCodeURLs) > 0:
		return GradeWarn.because("it is not installed, so only the servers of HERMES_OPENCODE_URLS can ask", installIt)
	case !state.Installed:
		return gradeFail.because("it is not installed at "+state.Plugin, installIt)
	case speaks(state.Plugin) != link.Protocol:
		return gradeFail.because(fmt.Sprintf("%s does not speak link protocol %d, as this hermes does", state.Plugin, link.Protocol), installIt)
	case state.URL == "":
		return gradeFail.because("its link file "+state.Link+" is missing or no good", installIt)
	}
	if wrong := d.examLinkFile(ctx, state); wrong.Status != "" {
		return wrong
	}
	switch {
	case state.Edited:
		return GradeWarn.because(state.Plugin+" was changed by hand", "hermes plugin install keeps that aside and writes its own")
	case !state.Current:
		return GradeWarn.because(fmt.Sprintf("version %s is installed, this hermes has %s", state.Version, plugin.Version()), installIt)
	case len(state.Warnings) > 0:
		return d.sentence(GradeWarn, state.Warnings[0])
	}
	return passed("version %s in %s", state.Version, state.Plugin)
}

// examLinkFile looks whether the plugin would reach the hermes that is configured
// here. One that links to another machine's is not ours to judge.
func (d *Doctor) examLinkFile(ctx context.Context, state plugin.State) result {
	own := d.config.OwnURL()
	switch {
	case state.URL != own && !d.wrong.Has("HERMES_LISTEN"):
		return GradeWarn.because(fmt.Sprintf("it links to %s, and hermes is configured for %s", state.URL, own),
			"if that is not meant so: "+installIt)
	case state.APIToken:
		return GradeWarn.because(state.Link+" holds the token of hermes' API: whatever reads it, an agent too, can do far more than the plugin needs",
			"run hermes plugin install, which puts the token of a link there")
	}
	hermes := apiclient.New(d.config, d.out.hermes)
	if known, err := (apiclient.Links{Client: hermes}).Knows(ctx, d.link.Token); err == nil && !known && d.config.DB != "" {
		return gradeFail.because("hermes does not know its token, or it was revoked", installIt)
	}
	return result{}
}

// speaks is the protocol in a plugin file; 0 if it names none.
func speaks(path string) int {
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
