package plugin

import (
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"hermes/internal/secret"
	"hermes/opencode/link"
)

// Report says what Install or Uninstall did. It never holds the token.
type Report struct {
	Plugin   string   // path of hermes.js
	Link     string   // path of hermes.json
	Version  string   // of the plugin in this binary
	Changed  bool     // whether OpenCode must be restarted to load what is there now
	Kept     string   // where a hermes.js that a person had changed is now; empty if there was none
	Warnings []string // sentences for the person
}

// linkFile is hermes.json. The plugin reads these names; they must not change.
type linkFile struct {
	URL   string   `json:"url"`            // the first one
	URLs  []string `json:"urls,omitempty"` // all, where there are several
	Token string   `json:"token"`
}

// addresses are the URLs, each checked and once.
func (f linkFile) addresses() ([]*url.URL, error) {
	given := f.URLs
	if len(given) == 0 {
		given = []string{f.URL}
	}
	var urls []*url.URL
	for _, one := range given {
		u, err := checkURL(one)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(urls, func(other *url.URL) bool { return *other == *u }) {
			urls = append(urls, u)
		}
	}
	return urls, nil
}

func textsOf(urls []*url.URL) []string {
	texts := make([]string, len(urls))
	for i, u := range urls {
		texts[i] = u.String()
	}
	return texts
}

// Install writes the plugin and its link file; doing so again changes nothing. A hermes.js that hermes did not write just so is
// kept aside. Each file is replaced as a whole; if Install fails half-way, what is there still works, and it can be run again.
func Install(o Options) (Report, error) {
	p, err := findInstallation(o)
	if err != nil {
		return Report{}, err
	}
	link, warnings, err := linkContent(o)
	if err != nil {
		return Report{}, err
	}
	report := Report{Plugin: p.js, Link: p.link, Version: Version(), Warnings: append(warnings, p.warnOfDuplicates()...)}
	before, err := p.check()
	if err != nil {
		return Report{}, err
	}
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return Report{}, explainError("make", p.folder, err)
	}
	// The link file first: a plugin without it does nothing.
	had, err := readPlain(p.link)
	if err != nil {
		return Report{}, err
	}
	if _, err := write(p.link, link, 0o600); err != nil {
		return Report{}, err
	}
	if report.Kept, err = p.keepEdited(before); err != nil {
		return Report{}, err
	}
	written, err := write(p.js, sealedSource(), 0o644)
	report.Changed = written || string(had) != string(link)
	return report, err
}

// check fails where a file is not what hermes could have made, before anything is changed.
func (p installation) check() (js []byte, err error) {
	if _, err := readPlain(p.link); err != nil {
		return nil, err
	}
	return readPlain(p.js)
}

func (p installation) keepEdited(js []byte) (kept string, err error) {
	if _, ours := versionOfSealed(js); ours || js == nil {
		return "", nil
	}
	return keepAside(p.js, js)
}

func linkContent(o Options) (content []byte, warnings []string, err error) {
	urls, err := linkFile{URLs: o.URLs}.addresses()
	if err != nil {
		return nil, nil, err
	}
	if err := checkToken(o.Token); err != nil {
		return nil, nil, err
	}
	texts := textsOf(urls)
	file := linkFile{URL: texts[0], Token: o.Token.Reveal()}
	if len(texts) > 1 {
		file.URLs = texts
	}
	content, err = json.MarshalIndent(file, "", "  ")
	return append(content, '\n'), warnOfPlain(urls), err
}

func warnOfPlain(urls []*url.URL) (warnings []string) {
	for _, u := range urls {
		if u.Scheme == "http" && !isLoopback(u.Hostname()) {
			warnings = append(warnings, "questions, answers and the token go to "+u.Host+" unencrypted; use https")
		}
	}
	return warnings
}

// checkURL does not repeat what it was given, which may hold a secret.
func checkURL(given string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(given))
	switch {
	case err != nil:
		return nil, errors.New("the URL of hermes cannot be read; give one like http://127.0.0.1:4097 with --url")
	case u.User != nil:
		return nil, errors.New("the URL of hermes must not hold a user or password; the token is the credential")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the URL of hermes must be http or https with a host and no query, like http://127.0.0.1:4097; change it with --url")
	}
	return u, nil
}

// checkToken takes the token of a link alone: the API's would let whoever reads the file do everything. Its error does not repeat
// the token.
func checkToken(token secret.Text) error {
	switch {
	case token == "":
		return errors.New("there is no token of a link for the plugin; name its file with --token-file")
	case !link.IsToken(token):
		return errors.New("that is not the token of a link, which hermes link add prints where hermes runs")
	}
	return nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
