package policy

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// address is a URL that says what it means: every program reads the same host in it.
type address struct {
	scheme string // lower case
	host   string // lower case, without a dot at its end
	port   string // empty: the scheme's own
	rest   string // path, query and fragment as spelled; begins with a slash
}

// isAddress reports whether a text or a glob looks like a URL.
func isAddress(text string) bool { return strings.Contains(text, "://") }

// parseAddress reads a URL. It reports false for one that programs read differently, or not
// at all, such as one with a backslash, a space, an escape in its host, a host in other letters than
// ASCII, or an IP address in an unusual notation.
func parseAddress(text string) (a address, ok bool) {
	plain := func(c rune) bool { return c > ' ' && c < 0x7f && c != '\\' }
	_, err := url.Parse(text)
	if err != nil || !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return c < 0x80 && !plain(c) }) {
		return a, false
	}
	scheme, authority, rest := cutAddress(text)
	at := strings.LastIndex(authority, "@")
	host, port, ok := cutPort(authority[at+1:])
	a = address{scheme: strings.ToLower(scheme), host: strings.TrimSuffix(strings.ToLower(host), "."), rest: rest}
	if port != ownPort(a.scheme) {
		a.port = port
	}
	number, err := strconv.ParseUint("0"+port, 10, 16)
	ascii := !strings.ContainsFunc(authority, func(c rune) bool { return c >= 0x80 })
	return a, ok && ascii && err == nil && (port == "" || strconv.FormatUint(number, 10) == port) && soundScheme(a.scheme) && soundHost(a.host)
}

// cutAddress takes a URL, or a glob of some, apart. The rest begins with a slash.
func cutAddress(text string) (scheme, authority, rest string) {
	scheme, after, _ := strings.Cut(text, "://")
	n := strings.IndexAny(after, "/?#")
	if n < 0 {
		return scheme, after, "/"
	}
	authority, rest = after[:n], after[n:]
	if rest[0] != '/' {
		rest = "/" + rest
	}
	return scheme, authority, rest
}

// cutPort cuts the port off; an IP address in brackets has colons of its own.
func cutPort(authority string) (host, port string, ok bool) {
	if end := strings.IndexByte(authority, ']'); strings.HasPrefix(authority, "[") {
		after := authority[end+1:]
		return authority[:end+1], strings.TrimPrefix(after, ":"), end > 0 && (after == "" || after[0] == ':')
	}
	host, port, _ = strings.Cut(authority, ":")
	return host, port, true
}

func ownPort(scheme string) string {
	return map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}[scheme]
}

func soundScheme(scheme string) bool {
	return scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") == "" && scheme[0] >= 'a'
}

// soundHost accepts names of letters, digits, hyphens and underscores, and IP addresses in
// their usual notation. It refuses names with xn--, which stand for other letters.
func soundHost(host string) bool {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		ip, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return err == nil && ip.Is6() && !ip.Is4In6() && ip.String() == strings.TrimSuffix(inner, "]")
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	if last != "" && last[0] >= '0' && last[0] <= '9' {
		ip, err := netip.ParseAddr(host)
		return err == nil && ip.Is4()
	}
	return !slices.ContainsFunc(labels, func(l string) bool {
		return l == "" || strings.HasPrefix(l, "xn--") || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-_") != ""
	})
}

// addressForms returns the spellings that patterns are compared with. It reports false if programs may read the URL differently.
func addressForms(text string) (forms []string, ok bool) {
	a, ok := parseAddress(text)
	forms = []string{text}
	if !ok {
		return forms, false
	}
	rests := []string{a.rest}
	if plain, err := url.PathUnescape(a.rest); err == nil {
		p, query, _ := strings.Cut(plain, "?")
		rests = append(rests, plain, path.Clean(p), path.Clean(p)+"/", path.Clean(p)+"?"+query)
	}
	if a.rest == "/" {
		rests = append(rests, "")
	}
	for _, scheme := range []string{a.scheme, "http", "https"} {
		for _, port := range []string{"", a.port, ownPort(scheme)} {
			if port != "" {
				port = ":" + port
			}
			for _, rest := range rests {
				forms = append(forms, scheme+"://"+a.host+port+rest)
			}
		}
	}
	return forms, true
}
