package clients

import (
	"net/http"

	"hermes/internal/config"
	"hermes/opencode"
)

// DirectServers are the servers that are reached directly.
func DirectServers(c config.Config, transport http.RoundTripper) []opencode.Server {
	var list []opencode.Server
	for _, url := range c.OpenCodeURLs {
		list = append(list, opencode.Server{
			URL: url, Username: c.OpenCodeUsername, Password: c.OpenCodePassword, Transport: transport,
		})
	}
	return list
}
