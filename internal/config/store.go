package config

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"hermes/internal/secret"
)

// The bounds of HERMES_LEASE: a shorter lease is lost by a slow answer of the database, a longer one leaves everybody without a hermes for longer.
const (
	shortestLease = 2 * time.Second
	longestLease  = time.Minute
)

func (r Reader) lease(name, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d < shortestLease || d > longestLease {
		r.Wrong.Add(name, "is not a duration from %v to %v, such as 6s", shortestLease, longestLease)
		return 0
	}
	return d
}

// store reads the URL of a PostgreSQL database, "" for none. It may name several hosts, as libpq's URLs do.
func (r Reader) store(name string, text secret.Text) secret.Text {
	if text == "" {
		return ""
	}
	u, hosts, ok := parseStore(text)
	if !ok || (u.Scheme != "postgres" && u.Scheme != "postgresql") || len(strings.Trim(u.Path, "/")) == 0 || len(hosts) == 0 {
		r.Wrong.Add(name, "is not a database's URL, such as postgres://hermes:PASSWORD@db.example/hermes?sslmode=verify-full; in a password, write what is no letter or digit as %%XX")
		return ""
	}
	return text
}

// parseStore parses the URL as of its first host: url.Parse knows no list of them.
func parseStore(text secret.Text) (u *url.URL, hosts []string, ok bool) {
	scheme, rest, found := strings.Cut(text.Reveal(), "://")
	end := strings.IndexAny(rest, "/?#")
	if !found || end < 0 {
		return nil, nil, false
	}
	at := strings.LastIndex(rest[:end], "@") + 1
	hosts = strings.Split(rest[at:end], ",")
	for _, host := range hosts {
		one, err := url.Parse(scheme + "://" + rest[:at] + host + rest[end:])
		if err != nil || one.Fragment != "" {
			return nil, nil, false
		}
		u = cmp.Or(u, one)
	}
	return u, hosts, true
}

// storeSecrets returns the parts of the database's URL that a log must not show.
func storeSecrets(store secret.Text) []secret.Text {
	u, _, ok := parseStore(store)
	if !ok {
		return nil
	}
	secrets := []secret.Text{store, secret.Text(u.Query().Get("password"))}
	if password, set := u.User.Password(); set {
		_, spelled, _ := strings.Cut(u.User.String(), ":")
		secrets = append(secrets, secret.Text(password), secret.Text(spelled))
	}
	return secrets
}

// checkStore holds what several hermes need that share a database.
func (c Config) checkStore(wrong *Mistakes) {
	if c.Store != "" && c.HookToken == "" && !wrong.Has("HERMES_HOOK_TOKEN") {
		wrong.Add("HERMES_HOOK_TOKEN", "is not set; with HERMES_STORE, set it to the same 16 characters or more for every hermes that shares the database")
	}
}

// Address is where clients reach this hermes, as far as the configuration says.
func (c Config) Address() string { return cmp.Or(c.PublicURL, c.OwnURL()) }
