package clients

import (
	"net/http"

	"hermes/internal/config"
	"hermes/opencode"
	"hermes/opencode/service"
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

// Service is the background service of OpenCode 2; isRunning as in service.File. Over the network
// only processes of this user are spoken to.
func Service(c config.Config, transport http.RoundTripper, isRunning func(pid int) bool) opencode.Service {
	return opencode.Service{File: service.File{Path: c.OpenCodeService, IsRunning: isRunning}, Transport: service.Transport(transport)}
}
