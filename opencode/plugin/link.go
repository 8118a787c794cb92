package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"hermes/internal/secret"
)

// Link is where hermes is, and the token of a link.
type Link struct {
	URLs  []string // one, or those of several hermes that share a store; no token goes anywhere else
	Token secret.Text
	From  string // the file that says so; empty: the environment does
}

// Warnings are sentences for the person: who else can read the token, and whether it is sent unencrypted.
func (l Link) Warnings() []string {
	var list []string
	if l.From != "" {
		if info, err := os.Stat(l.From); err == nil && secret.IsExposed(info.Mode()) {
			list = append(list, fmt.Sprintf("others can read the token in %s; run chmod 600 on it", l.From))
		}
	}
	if urls, err := (linkFile{URLs: l.URLs}).addresses(); err == nil {
		list = append(list, warnOfPlain(urls)...)
	}
	return list
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
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	var file linkFile
	from := ""
	switch {
	case content == nil:
		file = linkFile{URLs: splitURLs(getenv("HERMES_URL")), Token: getenv("HERMES_TOKEN")}
		if len(file.URLs) == 0 && file.Token == "" {
			return Link{}, errNoLink(p.link)
		}
	case json.Unmarshal(content, &file) != nil:
		return Link{}, fmt.Errorf("%s cannot be used; run hermes plugin install", p.link)
	default:
		from = p.link
	}
	urls, err := file.addresses()
	if err == nil {
		err = checkToken(secret.Text(file.Token))
	}
	if err != nil {
		return Link{}, fmt.Errorf("%s: %w", sourceOf(from), err)
	}
	return Link{URLs: textsOf(urls), Token: secret.Text(file.Token), From: from}, nil
}

// splitURLs splits HERMES_URL as the plugin does: several URLs are separated by commas.
func splitURLs(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

func errNoLink(path string) error {
	return errors.New("it is not known where hermes is: there is neither " + path + ", which hermes plugin install --url URL --token-file FILE writes, nor HERMES_URL with HERMES_TOKEN")
}

func sourceOf(from string) string {
	if from == "" {
		return "HERMES_URL and HERMES_TOKEN"
	}
	return from
}
