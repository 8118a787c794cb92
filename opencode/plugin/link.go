package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"hermes/internal/secret"
	"hermes/opencode/link"
)

// Link is where hermes is, and the token of a link.
type Link struct {
	URLs  []string // one, or those of several hermes that share a store; no token goes anywhere else
	Token secret.Text
	From  string // the file that says so; empty: the environment does
}

// Warnings are sentences for the person: who else can read the token, and whether it is sent unencrypted.
func (l Link) Warnings() []string { return append(warnOfExposed(l.From), warnOfPlain(l.URLs)...) }

func warnOfExposed(path string) []string {
	info, err := os.Stat(path)
	if err != nil || !secret.IsExposed(info.Mode()) {
		return nil
	}
	return []string{fmt.Sprintf("others can read the token in %s; run chmod 600 on it", path)}
}

func warnOfPlain(urls []string) (warnings []string) {
	for _, one := range urls {
		if u, err := url.Parse(one); err == nil && u.Scheme == "http" && !isLoopback(u.Hostname()) {
			warnings = append(warnings, "questions, answers and the token go to "+u.Host+" unencrypted; use https")
		}
	}
	return warnings
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// linkFile is hermes.json. The plugin reads these names; they must not change.
type linkFile struct {
	URL   string   `json:"url"`            // the first one
	URLs  []string `json:"urls,omitempty"` // all, where there are several
	Token string   `json:"token"`
}

// newLinkFile checks what a link file is to hold.
func newLinkFile(urls []string, token secret.Text) (linkFile, error) {
	given := linkFile{URLs: urls, Token: token.Reveal()}
	checked, err := given.addresses()
	if err == nil {
		err = checkToken(token)
	}
	if err != nil {
		return linkFile{}, err
	}
	f := linkFile{URL: checked[0], Token: given.Token}
	if len(checked) > 1 {
		f.URLs = checked
	}
	return f, nil
}

// addresses are the URLs, each checked and once.
func (f linkFile) addresses() ([]string, error) {
	given := f.URLs
	if len(given) == 0 {
		given = []string{f.URL}
	}
	var urls []string
	for _, one := range given {
		u, err := checkURL(one)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(urls, u) {
			urls = append(urls, u)
		}
	}
	return urls, nil
}

// FindLink reads where hermes is as the plugin does: the link file, or, only where there is none, HERMES_URL and HERMES_TOKEN, both. No
// error shows the token.
func FindLink(o Options) (Link, error) {
	p, err := findInstallation(o)
	if err != nil {
		return Link{}, err
	}
	content, err := readPlain(p.link)
	if err != nil {
		return Link{}, err
	}
	var file linkFile
	from, source := p.link, p.link
	if content == nil { // HERMES_URL is split as the plugin does
		from, source = "", "HERMES_URL and HERMES_TOKEN"
		file.URLs = strings.FieldsFunc(o.getenv("HERMES_URL"), func(r rune) bool { return r == ',' })
		file.Token = o.getenv("HERMES_TOKEN")
	}
	switch {
	case content == nil && len(file.URLs) == 0 && file.Token == "":
		return Link{}, errors.New("it is not known where hermes is: there is neither " + p.link + ", which hermes plugin install --url URL --token-file FILE writes, nor HERMES_URL with HERMES_TOKEN")
	case content != nil && json.Unmarshal(content, &file) != nil:
		return Link{}, errUnusable(p.link)
	}
	urls, err := file.addresses()
	if err == nil {
		err = checkToken(secret.Text(file.Token))
	}
	if err != nil {
		return Link{}, fmt.Errorf("%s: %w", source, err)
	}
	return Link{URLs: urls, Token: secret.Text(file.Token), From: from}, nil
}

func errUnusable(path string) error {
	return fmt.Errorf("%s cannot be used; run hermes plugin install", path)
}

// checkURL does not repeat what it was given, which may hold a secret.
func checkURL(given string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(given))
	switch {
	case err != nil:
		return "", errors.New("the URL of hermes cannot be read; give one like http://127.0.0.1:4097 with --url")
	case u.User != nil:
		return "", errors.New("the URL of hermes must not hold a user or password; the token is the credential")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("the URL of hermes must be http or https with a host and no query, like http://127.0.0.1:4097; change it with --url")
	}
	return u.String(), nil
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
