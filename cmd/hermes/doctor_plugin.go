package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"hermes/opencode/link"
	"hermes/opencode/plugin"
)

// linkSecret is the token that the installed plugin has, "" if there is none.
type linkSecret struct{ token secret }

func readLinkSecret(o plugin.Options) linkSecret {
	state, err := plugin.Status(o)
	if err != nil {
		return linkSecret{}
	}
	var file struct {
		Token string `json:"token"`
	}
	content, _, err := readSmall(state.Link)
	if err != nil || json.Unmarshal([]byte(content), &file) != nil {
		return linkSecret{}
	}
	return linkSecret{secret(file.Token)}
}

// installIt is the remedy where the plugin is not as it should be.
const installIt = "run hermes plugin install, and restart OpenCode"

// examPlugin holds the installed plugin against the one in this binary, and its
// link file against the configuration.
func (d *doctor) examPlugin(ctx context.Context) diagnosis {
	state, err := plugin.Status(d.opts.plugin)
	switch {
	case err != nil:
		return gradeFail.because(err.Error(), "then run hermes plugin install")
	case !state.Installed && len(d.config.OpenCodeURLs) > 0:
		return gradeWarn.because("it is not installed, so only the servers of HERMES_OPENCODE_URLS can ask", installIt)
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
		return gradeWarn.because(state.Plugin+" was changed by hand", "hermes plugin install keeps that aside and writes its own")
	case !state.Current:
		return gradeWarn.because(fmt.Sprintf("version %s is installed, this hermes has %s", state.Version, plugin.Version()), installIt)
	case len(state.Warnings) > 0:
		return d.sentence(gradeWarn, state.Warnings[0])
	}
	return sane("version %s in %s", state.Version, state.Plugin)
}

// examLinkFile looks whether the plugin would reach the hermes that is configured
// here. One that links to another machine's is not ours to judge.
func (d *doctor) examLinkFile(ctx context.Context, state plugin.State) diagnosis {
	own := d.config.ownURL()
	switch {
	case state.URL != own && !d.wrong.has("HERMES_LISTEN"):
		return gradeWarn.because(fmt.Sprintf("it links to %s, and hermes is configured for %s", state.URL, own),
			"if that is not meant so: "+installIt)
	case state.APIToken:
		return gradeWarn.because(state.Link+" holds the token of hermes' API: whatever reads it, an agent too, can do far more than the plugin needs",
			"run hermes plugin install, which puts the token of a link there")
	}
	hermes := toRunning(d.config, d.out.hermes)
	if known, err := (linkAdmin{hermes: hermes}).knows(ctx, d.link.token); err == nil && !known && d.config.DB != "" {
		return gradeFail.because("hermes does not know its token, or it was revoked", installIt)
	}
	return diagnosis{}
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
