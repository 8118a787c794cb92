package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"hermes/internal/secret"
)

// URL reads the root of an HTTP server; "" stays "".
func (r Reader) URL(name, text string) string {
	if text == "" {
		return ""
	}
	if !isHostURL(text) {
		r.Wrong.Add(name, "is not a URL that begins with http:// or https://, without user, password, ? and #")
		return ""
	}
	return strings.TrimRight(text, "/")
}

// URLs reads a list of roots, each once.
func (r Reader) URLs(name, text string) []string {
	var urls []string
	for i, entry := range splitList(text) {
		switch trimmed := strings.TrimRight(entry, "/"); {
		case !isHostURL(entry):
			r.Wrong.Add(name, "%s is not a URL such as http://127.0.0.1:4096; user and password belong into HERMES_OPENCODE_USERNAME and HERMES_OPENCODE_PASSWORD", entryName(i))
		case !slices.Contains(urls, trimmed):
			urls = append(urls, trimmed)
		}
	}
	return urls
}

// publicURLs reads where other machines reach this hermes, and behind it the others that share its store: what they send there must
// not cross a network in the clear.
func (r Reader) publicURLs(name, text string) (own string, peers []string) {
	urls := r.safeURLs(name, text)
	if len(urls) == 0 {
		return "", nil
	}
	return urls[0], append([]string(nil), urls[1:]...)
}

// safeURLs reads a list of roots to which secrets are sent, each once.
func (r Reader) safeURLs(name, text string) []string {
	var urls []string
	entries := splitList(text)
	for i, entry := range entries {
		trimmed, which := strings.TrimRight(entry, "/"), ""
		if len(entries) > 1 {
			which = entryName(i) + " "
		}
		switch {
		case !IsSafeURL(entry):
			r.Wrong.Add(name, "%sis not a URL such as https://hermes.example; http:// is only for this machine, as through a tunnel (http://127.0.0.1:4097)", which)
		case !slices.Contains(urls, trimmed):
			urls = append(urls, trimmed)
		}
	}
	return urls
}

// safeURL is what a URL may be made of that stands in a command line as it is.
var safeURL = regexp.MustCompile(`^https?://[A-Za-z0-9.:/_~\[\]-]+$`)

// IsSafeURL reports whether what is sent to the root of an HTTP server cannot be read on the way: by TLS, or as it stays on this machine.
func IsSafeURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && isHostURL(text) && safeURL.MatchString(text) && (u.Scheme == "https" || Loopback(u.Hostname()))
}

// isHostURL reports whether the text is an http(s) URL of nothing but host and path.
func isHostURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" &&
		u.User == nil && !strings.ContainsAny(text, "?#")
}

// proxy reads the URL of a proxy, which may hold a user and a password.
func (r Reader) proxy(name string, text secret.Text) secret.Text {
	u, err := url.Parse(text.Reveal())
	if text != "" && (err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)) {
		r.Wrong.Add(name, "is not a proxy's URL, such as http://127.0.0.1:3128 or socks5://127.0.0.1:1080")
		return ""
	}
	return text
}

// proxySecrets returns the parts of a proxy's URL that a log must not show.
func proxySecrets(proxy secret.Text) []secret.Text {
	u, err := url.Parse(proxy.Reveal())
	if err != nil || u.User == nil {
		return nil
	}
	password, _ := u.User.Password()
	return []secret.Text{secret.Text(u.User.String()), secret.Text(password)}
}

// TokenSecrets returns a bot token and its part after the colon, which is secret
// alone too. The digits before are the bot's public id.
func TokenSecrets(token secret.Text) []secret.Text {
	_, key, _ := strings.Cut(token.Reveal(), ":")
	return []secret.Text{token, secret.Text(key)}
}
