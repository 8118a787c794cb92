package config

import (
	"net"
	"os"
	"slices"
)

// IsHere reports whether hermes is set up, or has already run, on this machine.
func (c Config) IsHere() bool {
	_, err := os.Stat(c.DB)
	return err == nil || c.TelegramToken != ""
}

// OwnURL is how a program on this machine reaches hermes.
func (c Config) OwnURL() string {
	scheme := "http"
	if c.TLSCert != "" {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(c.Listen) // checked when it was loaded
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// PublicURLs are where other machines reach hermes: this one first, then those that share its store. There are none if that is not known.
func (c Config) PublicURLs() []string {
	if c.PublicURL == "" {
		return nil
	}
	return append([]string{c.PublicURL}, c.PeerURLs...)
}

// Addresses are where a program on this machine may find the hermes that acts: this one first, then those that share its store, if
// there are any.
func (c Config) Addresses() []string {
	if len(c.PeerURLs) == 0 {
		return []string{c.OwnURL()}
	}
	own := c.OwnURL()
	others := slices.DeleteFunc(c.PublicURLs(), func(url string) bool { return url == own })
	return append([]string{own}, others...)
}
