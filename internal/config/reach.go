package config

import (
	"net"
	"os"
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
