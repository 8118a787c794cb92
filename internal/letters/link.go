package letters

import (
	"net/url"
	"strings"
)

// maxLink is how long an address may be, in bytes, that is one in every message and browser.
const maxLink = 2000

// Openable tells whether a stranger's address may be opened by a button, which shows the host alone: an
// address that is a [Link], of a name with a domain in plain letters. A name with xn-- is shown elsewhere, by
// clients and browsers, with letters that may look like others. A number, or a name without a domain, leads on
// each phone to something else, and Telegram does not take the latter.
func Openable(address string) (host string, ok bool) {
	host, ok = Link(address)
	if !ok {
		return "", false
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	if len(labels) < 2 || strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", false // an IP address and a port, too
	}
	for _, label := range labels {
		if label == "" || strings.HasPrefix(label, "xn--") {
			return "", false
		}
	}
	return host, true
}

// Link tells whether a stranger's address may be shown as one to tap: a web address (http or https) that leads to just the host
// that is seen in it. Whoever shows it says the host beside it. Letters beyond ASCII, which may look like others, are none that
// a host has (those that have them are written with xn--, and are shown so), and nothing stands before the host that could be
// taken for it. Any other address is text to be judged ([Exposed]).
func Link(address string) (host string, ok bool) {
	if len(address) > maxLink || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) {
		return "", false
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Hostname() == "" {
		return "", false
	}
	if strings.Trim(strings.ToLower(u.Host), "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") != "" {
		return "", false
	}
	return strings.ToLower(u.Host), true
}
